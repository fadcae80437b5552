"""Read the value at a place in a text, and judge whether it looks like a secret.

The word lists that tell a secret from a placeholder or a word about secrets stand in `words.toml`.
"""

import base64
import binascii
import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

_WORD_TABLES = tomllib.loads((files(__package__) / "words.toml").read_text("utf-8"))


def load_words(heading: str) -> frozenset[str]:
    """Return the words under a heading of `words.toml`."""
    return frozenset(_WORD_TABLES[heading])


def load_pattern(heading: str) -> str:
    """Return the pattern under a heading of `words.toml`."""
    return str(_WORD_TABLES[heading])


class SecretSpan(NamedTuple):
    """Where a secret stands, its kind, and where the text that revealed it begins."""

    start: int
    end: int
    name: str
    sign: int


# What a value looks like: a secret, or something that stands for one or speaks of one.


_PLACEHOLDERS = load_words("placeholders")
_FILLERS = load_words("fillers")
_STATUS_WORDS = load_words("plain")
_INSTRUCTIONS = load_words("instructions")
_PASSPHRASE_ENDS = load_words("stops")

_PLACEHOLDER_FORM = re.compile(
    r"""
      < | \[ | \{ | \( | \\?\$[({] | \#\{ | %[({] | @\{ | ENC[\[(]
    | !(?:vault|ref|env|secret|encrypted)\b
    | \\?\$[A-Za-z_]\w*(?:\Z|\[|->|::)
    | %[A-Za-z_]\w*%?\Z
    | @[A-Za-z_]\w*\Z
    | [*•●·xX.#_?–—-]+\Z
    | .*(?:\.{3}|…|\*{3,}|•{2,}|\[redacted|\[hidden)
    """,
    re.VERBOSE,
)
_REFERENCE_FORM = re.compile(
    r"""
      (?:https?|s3|gs|file|vault|op|arn|env|ssm|secretsmanager|keyvault|akv|gcp|sm|bw|doppler
        |sops|data|urn):
    | \.{0,2}/[\w.-]+(?:/[\w.{}$-]*)*\Z
    | ~/ | [A-Za-z]:\\ | (?:secrets?|projects|kv|prod|dev|staging)/[a-z]
    | [\w.+-]+@[\w-]+\.[a-z]{2,}\Z
    """,
    re.VERBOSE,
)
_CODE = re.compile(
    r"""
      [A-Za-z_][\w.]*[(\[]
    | (?:self|this|os|process|env|config|settings|request|req|ctx|args|opts?|options|props|params
        |event|import|data|vars?|local|module|secrets|user|form|body|response|res|state|values?)
      \.[A-Za-z_]
    | [a-z_][A-Za-z_]*(?:\.[A-Za-z_]+)+\Z
    | [A-Za-z]+(?:_[A-Za-z]+)+\Z
    | &?[A-Za-z_]+(?:::|->)[A-Za-z_]
    """,
    re.VERBOSE,
)
_VARIABLE = re.compile(r"[a-z]+(?:[A-Z][a-z]+)+\Z")
_OWN_NAME = re.compile(r"pass|word|token|secret|key|user|field|label", re.IGNORECASE)
_PUBLIC = re.compile(
    r"pk[_-](?:live|test|lf)|sb_publishable_|AAAA[BCE]\w?NzaC|MII[BC]I?jAN"
    r"|(?:SHA|sha)\d{1,3}[:=-]|0x[0-9a-fA-F]{40}\Z"
)
_CALL = re.compile(r"[A-Za-z_][\w.]*[(\[]")
_NUMBER = re.compile(
    r"[-+]?[\d.,:/_%-]+(?:ms|s|m|h|d|w|y|k|kb|mb|gb|tb|px|em|x|st|nd|rd|th|am|pm|%)?\Z",
    re.IGNORECASE,
)
_TECHNIQUE = re.compile(
    rf"(?:\d+[-_])?{load_pattern('techniques')}[-_.]?\d{{0,5}}(?:(?<=\d)[a-z]{{1,10}})?"
    r"(?:[-_.][A-Za-z]*\d{0,3}){0,3}\Z",
    re.IGNORECASE,
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[\w.+-]{0,16}\Z|v\d+\w{0,8}\Z", re.IGNORECASE)
_PART = re.compile(r"[^\W_]+")
_WORD = re.compile(r"(?:[a-z]+|[A-Z][a-z]+|[A-Z]{1,12})\d{0,2}\Z|\d{1,4}\Z")
_KNOTTED = re.compile(r"[^\W_][!#$%^*?~]+[^\W_]")
_ADJECTIVE = re.compile(r"\w+(?:ed|ing|ly|able|ible|ful|less|ous|ive|ory|ary)\Z", re.IGNORECASE)
_INNER = re.compile(r"[^\W\d_]\d+[^\W\d_]")
_NUMBERED = re.compile(r"[^\W\d_]{3,}(?:[-_.][^\W_]+)*[-_.]\d{2,}\Z")
_CAMEL = re.compile(r"[_\W]*(?:[A-Z]{0,5}[a-z]{2,}+\d{0,2}+)++[_\W]*\Z")
_CHANGE = re.compile(r"[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])")
_HEX = re.compile(r"(?:0x)?[0-9a-f]+\Z|(?:0x)?[0-9A-F]+\Z")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_SYMBOL = re.compile(r"[!@#$%^&*+=?~|<>{}\[\]\\]")
_TRAILING_PUNCTUATION = ".,;:!?)]}>\"'`"

_cached = lru_cache(maxsize=32)
"""Several checks judge the same value in a row, and a text repeats its values."""

_FEW_KINDS = 3
_MANY_PARTS = 4
_ALL_KINDS = 3
_MOST_WORDS = 24
_MIN_CHANGE_RATE = 0.25


def is_placeholder(value: str) -> bool:
    """Whether it stands for a secret: a variable, a gap, a word in its place."""
    if _PLACEHOLDER_FORM.match(value):
        return not has_mixed_characters(value) or value[0] in "<[{(" or "[" in value
    parts = [part.lower() for part in _PART.findall(value)]
    if not parts:
        return True
    if len(set(value.lower())) < _FEW_KINDS and len(value) > 2 * _FEW_KINDS:
        return True
    has_digit = any(map(str.isdigit, value))
    told = _PLACEHOLDERS if has_digit else _PLACEHOLDERS | _FILLERS
    return not is_random(value) and not told.isdisjoint(parts)


def is_reference(value: str) -> bool:
    """Whether it says where a secret is stored, or is an address."""
    return _REFERENCE_FORM.match(value) is not None and not is_random(value)


@_cached
def is_wordy(value: str) -> bool:
    """Whether it consists of words, as names do, or of hardly any characters."""
    parts = _PART.findall(value)
    if len(set(value.lower())) < _FEW_KINDS:
        return True
    if len(parts) > 1:
        return all(_WORD.match(part) for part in parts)
    return bool(_CAMEL.match(value))


@_cached
def is_random(value: str) -> bool:
    """Whether it looks random: long, with several kinds of characters, well mixed."""
    if len(value) < 16 or " " in value or is_wordy(value):
        return False
    if _HEX.match(value):
        return len(value) >= 32
    return _class_change_rate(value) >= _MIN_CHANGE_RATE and _count_character_classes(value) >= 2


def may_be_token(value: str) -> bool:
    """Whether it can be a token where one is expected."""
    value = value.rstrip(_TRAILING_PUNCTUATION)
    if len(value) < 8 or " " in value or _is_harmless(value) or _CALL.match(value):
        return False
    if is_random(value) or _UUID.match(value) or _HEX.match(value):
        return not value.isdigit()
    if _TECHNIQUE.match(value) or _VERSION.match(value) or _NUMBER.match(value) or is_wordy(value):
        return False
    return (
        any(map(str.isdigit, value)) or bool(_SYMBOL.search(value)) or has_mixed_characters(value)
    )


def may_be_password(value: str, *, is_quoted: bool = False) -> bool:
    """Whether it can be a password where one is expected: nearly anything can."""
    if len(value) < 3 or _is_harmless(value) or is_status_word(value.rstrip(_TRAILING_PUNCTUATION)):
        return False
    if " " in value:
        return is_passphrase(value)
    is_variable = _VARIABLE.match(value) and (not is_quoted or _OWN_NAME.search(value))
    return not is_variable and not _CODE.match(value)


def is_unlike_words(value: str) -> bool:
    """Whether it has a digit among letters, or several words and a number in one."""
    is_numbered = _NUMBERED.match(value) and len(_PART.findall(value)) > 2
    return bool(is_numbered or _INNER.search(value)) and len(value) > 5


def is_adjective(value: str) -> bool:
    """Whether it describes a state: stored, missing, optional."""
    return bool(_ADJECTIVE.match(value))


@_cached
def is_strong_password(value: str) -> bool:
    """Whether it is certainly a password, even in the middle of a sentence."""
    core = value.rstrip(_TRAILING_PUNCTUATION)
    if len(core) < 5 or _is_harmless(core) or core.lower() in _STATUS_WORDS:
        return False
    if any(each.match(core) for each in (_CODE, _VARIABLE, _TECHNIQUE, _VERSION, _NUMBER)):
        return False
    if not any(map(str.isalpha, core)):
        return False
    parts = _PART.findall(core)
    if _KNOTTED.search(core):
        return True
    if len(parts) > 1 and is_wordy(core):
        is_numbered = _NUMBERED.match(core) or (len(parts) > 2 and parts[-1].isdigit())
        return len(parts) >= _MANY_PARTS or is_unmistakable(core) or bool(is_numbered)
    if any(map(str.isdigit, core)) or _SYMBOL.search(core):
        return True
    return _class_change_rate(core) > _MIN_CHANGE_RATE and not _CAMEL.match(core)


def is_passphrase(value: str, least: int = 3) -> bool:
    """Whether several words are a passphrase, and no sentence about one."""
    parts = [part.strip(_TRAILING_PUNCTUATION).lower() for part in value.split()]
    if not 2 <= len(parts) <= _MOST_WORDS or not _INSTRUCTIONS.isdisjoint(parts):
        return False
    return len(parts) >= least or any(map(str.isdigit, value))


def is_basic_auth(value: str) -> bool:
    """Whether it is a user name and password in Base64, as in HTTP basic authentication."""
    try:
        told = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in told and told.isprintable()


@_cached
def is_unmistakable(value: str) -> bool:
    """Whether it can only be a secret: symbols with digits, or three kinds of characters."""
    if is_random(value) or (has_mixed_characters(value) and len(value) >= 8):
        return True
    return bool(_SYMBOL.search(value)) and any(map(str.isdigit, value))


def has_mixed_characters(value: str) -> bool:
    """Whether it has lower-case letters, upper-case letters and digits."""
    return _count_character_classes(value) == _ALL_KINDS


def is_numeric_password(value: str) -> bool:
    """Whether it is a number that can be a password."""
    return value.isdigit() and len(value) >= 4


def is_status_word(value: str) -> bool:
    """Whether it is a word about the state of a secret."""
    return value.lower() in _STATUS_WORDS


def ends_passphrase(value: str) -> bool:
    """Whether a sentence goes on with this word after a passphrase."""
    return value.lower() in _PASSPHRASE_ENDS


def is_hex(value: str) -> bool:
    """Whether it is hexadecimal or a UUID, as digests and ids are."""
    return bool(_HEX.match(value) or _UUID.match(value))


@_cached
def _is_harmless(value: str) -> bool:
    return bool(_PUBLIC.match(value)) or is_placeholder(value) or is_reference(value)


def _class_change_rate(value: str) -> float:
    """How often the kind of character changes, from 0 to 1."""
    return len(_CHANGE.findall(value)) / max(len(value) - 1, 1)


def _count_character_classes(value: str) -> int:
    tests = (str.islower, str.isupper, str.isdigit)
    return sum(any(map(test, value)) for test in tests)


# Reading the value at a place in a text, in quotes or without.


_QUOTED = re.compile(
    r"""
    [bfruN@]{0,2}
    (?:
      \\{1,3}(?P<quote>["'])(?P<escaped>(?:(?!\\{1,3}(?P=quote))[^\n]){1,2000}?)\\{1,3}(?P=quote)
    | "(?P<double>(?:\\.|[^"\\\n]){1,2000})"
    | '(?P<single>(?:\\.|[^'\\\n]){1,2000})'
    | `(?P<ticked>[^`\n]{1,500})`
    | [“„](?P<curly>[^”“\n]{1,500})[”“]
    | «\s?(?P<angled>[^»\n]{1,500}?)\s?»
    | ‘(?P<low>[^’\n]{1,500})’
    )
    """,
    re.VERBOSE,
)
_BARE_END = re.compile(
    r"""
      [\s"'`]
    | (?=
        \\[nrt"']                     # a written line break or quote
      | ;(?:\s|\Z|[\w ]{1,30}=)       # Server=db;Password=…;Timeout=5
      | &(?:amp;)?[\w.-]{1,40}=       # ?token=…&page=2
      | ,(?:\s|\Z|["']|[\w.-]{1,40}[=:])
      | [)\]}]{1,3}(?:[\s,;.]|\Z)
      | </
      )
      [\\;&,)\]}<]
    """,
    re.VERBOSE,
)
_LONGEST = 2_000
_AHEAD = 64
"""The maximum length of what ends a value."""

LOOK_LENGTH = 256
"""How many characters of a value are judged."""

_TRAILING_SIGNS = ".,;:)]}>"
_FREE, _TIMES, _EACH = 16_000, 8, 64
"""How many characters of values are read: a fixed number, plus a multiple of the text; and the
least that a value counts for."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value in a text and its position."""

    text: str
    start: int
    is_quoted: bool = False

    @property
    def end(self) -> int:
        """The end of the value."""
        return self.start + len(self.text)

    @property
    def sample(self) -> str:
        """The first characters, which are enough to judge the value."""
        return self.text[:LOOK_LENGTH]


class ValueReader:
    """Reads the values in a text, and bounds how much of it is read repeatedly."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._read = 0
        self._known = 0, -1
        self._values: dict[int, Value | None] = {}

    def may_read(self, until: int) -> bool:
        """Whether to look for a value after this place; not where too many were looked for.

        No text that people write has so many names of secrets so close together.
        """
        if self._read > _FREE + _TIMES * until:
            return False
        self._read += _EACH
        return True

    def at(self, at: int) -> Value | None:
        """Return the value that begins here, without the punctuation around it."""
        if at not in self._values:
            self._values[at] = self._found(at)
        return self._values[at]

    def _found(self, at: int) -> Value | None:
        quoted = _QUOTED.match(self.text, at)
        if quoted is not None:
            group = str(quoted.lastgroup)
            return Value(quoted[group], quoted.start(group), is_quoted=True)
        told = self.text[at : min(self._end(at), at + _LONGEST)].rstrip(_TRAILING_SIGNS)
        self._read += min(len(told), LOOK_LENGTH)
        return Value(told, at) if told else None

    def _end(self, at: int) -> int:
        """Return where the bare value ends; the last result is reused."""
        first, end = self._known
        if not first <= at <= end:
            until = first + _AHEAD if at < first else len(self.text)
            found = _BARE_END.search(self.text, at, until)
            if found is not None and (at > end or found.start() < first):
                end = found.start()
            elif at > end:
                end = len(self.text)
            self._known = at, end
        return end
