"""What a value looks like: a secret, or something that stands for one or speaks of one."""

import base64
import binascii
import re
from functools import lru_cache

from tacit.language.redaction.vocabulary import alternatives, words

_PLACEHOLDERS = words("placeholders")
_FILLERS = words("fillers")
_PLAIN = words("plain")
_INSTRUCTIONS = words("instructions")
_STOPS = words("stops")

_STANDS_FOR_ONE = re.compile(
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
_POINTS_ELSEWHERE = re.compile(
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
    rf"(?:\d+[-_])?{alternatives('techniques')}[-_.]?\d{{0,5}}(?:(?<=\d)[a-z]{{1,10}})?"
    r"(?:[-_.][A-Za-z]*\d{0,3}){0,3}\Z",
    re.IGNORECASE,
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+[\w.+-]{0,16}\Z|v\d+\w{0,8}\Z", re.IGNORECASE)
_PART = re.compile(r"[^\W_]+")
_WORD = re.compile(r"(?:[a-z]+|[A-Z][a-z]+|[A-Z]{1,12})\d{0,2}\Z|\d{1,4}\Z")
_KNOTTED = re.compile(r"[^\W_][!#$%^*?~]+[^\W_]")
_QUALITY = re.compile(r"\w+(?:ed|ing|ly|able|ible|ful|less|ous|ive|ory|ary)\Z", re.IGNORECASE)
_INNER = re.compile(r"[^\W\d_]\d+[^\W\d_]")
_NUMBERED = re.compile(r"[^\W\d_]{3,}(?:[-_.][^\W_]+)*[-_.]\d{2,}\Z")
_CAMEL = re.compile(r"[_\W]*(?:[A-Z]{0,5}[a-z]{2,}+\d{0,2}+)++[_\W]*\Z")
_CHANGE = re.compile(r"[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])")
_HEX = re.compile(r"(?:0x)?[0-9a-f]+\Z|(?:0x)?[0-9A-F]+\Z")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_SYMBOL = re.compile(r"[!@#$%^&*+=?~|<>{}\[\]\\]")
_ENDS = ".,;:!?)]}>\"'`"

_remembered = lru_cache(maxsize=32)
"""One value is judged by several checks in a row, and one text repeats its values."""

_FEW_KINDS = 3
_MANY_PARTS = 4
_ALL_KINDS = 3
_MOST_WORDS = 24
_RESTLESS = 0.25


def is_placeholder(value: str) -> bool:
    """Whether it stands for a secret: a variable, a gap, a word in its place."""
    if _STANDS_FOR_ONE.match(value):
        return not is_well_mixed(value) or value[0] in "<[{(" or "[" in value
    parts = [part.lower() for part in _PART.findall(value)]
    if not parts:
        return True
    if len(set(value.lower())) < _FEW_KINDS and len(value) > 2 * _FEW_KINDS:
        return True
    has_digit = any(map(str.isdigit, value))
    told = _PLACEHOLDERS if has_digit else _PLACEHOLDERS | _FILLERS
    return not is_random(value) and not told.isdisjoint(parts)


def is_reference(value: str) -> bool:
    """Whether it tells where a secret is, or is an address."""
    return _POINTS_ELSEWHERE.match(value) is not None and not is_random(value)


@_remembered
def is_wordy(value: str) -> bool:
    """Whether it is made of words as names are, or of hardly anything."""
    parts = _PART.findall(value)
    if len(set(value.lower())) < _FEW_KINDS:
        return True
    if len(parts) > 1:
        return all(_WORD.match(part) for part in parts)
    return bool(_CAMEL.match(value))


@_remembered
def is_random(value: str) -> bool:
    """Whether it looks drawn by lot: long, of several kinds of characters, well mixed."""
    if len(value) < 16 or " " in value or is_wordy(value):
        return False
    if _HEX.match(value):
        return len(value) >= 32
    return _restlessness(value) >= _RESTLESS and _kinds(value) >= 2


def is_token(value: str) -> bool:
    """Whether it can be a token where one is expected."""
    value = value.rstrip(_ENDS)
    if len(value) < 8 or " " in value or _is_told(value) or _CALL.match(value):
        return False
    if is_random(value) or _UUID.match(value) or _HEX.match(value):
        return not value.isdigit()
    if _TECHNIQUE.match(value) or _VERSION.match(value) or _NUMBER.match(value) or is_wordy(value):
        return False
    return any(map(str.isdigit, value)) or bool(_SYMBOL.search(value)) or is_well_mixed(value)


def is_password(value: str, *, is_quoted: bool = False) -> bool:
    """Whether it can be a password where one is expected: nearly anything can."""
    if len(value) < 3 or _is_told(value) or is_plain(value.rstrip(_ENDS)):
        return False
    if " " in value:
        return is_phrase(value)
    is_variable = _VARIABLE.match(value) and (not is_quoted or _OWN_NAME.search(value))
    return not is_variable and not _CODE.match(value)


def is_unlike_words(value: str) -> bool:
    """Whether it has a digit among letters, or several words and a number in one."""
    is_numbered = _NUMBERED.match(value) and len(_PART.findall(value)) > 2
    return bool(is_numbered or _INNER.search(value)) and len(value) > 5


def is_quality(value: str) -> bool:
    """Whether it is a word that tells how something is: stored, missing, optional."""
    return bool(_QUALITY.match(value))


@_remembered
def is_strong(value: str) -> bool:
    """Whether it is a password beyond doubt, in the middle of a sentence."""
    core = value.rstrip(_ENDS)
    if len(core) < 5 or _is_told(core) or core.lower() in _PLAIN:
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
        return len(parts) >= _MANY_PARTS or is_hard(core) or bool(is_numbered)
    if any(map(str.isdigit, core)) or _SYMBOL.search(core):
        return True
    return _restlessness(core) > _RESTLESS and not _CAMEL.match(core)


def is_phrase(value: str, least: int = 3) -> bool:
    """Whether several words are a passphrase, and no sentence that speaks of one."""
    parts = [part.strip(_ENDS).lower() for part in value.split()]
    if not 2 <= len(parts) <= _MOST_WORDS or not _INSTRUCTIONS.isdisjoint(parts):
        return False
    return len(parts) >= least or any(map(str.isdigit, value))


def is_basic(value: str) -> bool:
    """Whether it is a name and a password in Base64, as HTTP sends them."""
    try:
        told = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return False
    return ":" in told and told.isprintable()


@_remembered
def is_hard(value: str) -> bool:
    """Whether nobody would write it for another reason: symbols or three kinds of characters."""
    if is_random(value) or (is_well_mixed(value) and len(value) >= 8):
        return True
    return bool(_SYMBOL.search(value)) and any(map(str.isdigit, value))


def is_well_mixed(value: str) -> bool:
    """Whether it has small and capital letters and digits."""
    return _kinds(value) == _ALL_KINDS


def is_number(value: str) -> bool:
    """Whether it is a number that can be a password."""
    return value.isdigit() and len(value) >= 4


def is_plain(value: str) -> bool:
    """Whether it is a word that says how a secret stands."""
    return value.lower() in _PLAIN


def is_stop(value: str) -> bool:
    """Whether a sentence goes on with it after a passphrase."""
    return value.lower() in _STOPS


def is_hex(value: str) -> bool:
    """Whether it is a number in hexadecimal or a UUID, as digests and ids are."""
    return bool(_HEX.match(value) or _UUID.match(value))


@_remembered
def _is_told(value: str) -> bool:
    return bool(_PUBLIC.match(value)) or is_placeholder(value) or is_reference(value)


def _restlessness(value: str) -> float:
    """How often the kind of character changes, from 0 to 1."""
    return len(_CHANGE.findall(value)) / max(len(value) - 1, 1)


def _kinds(value: str) -> int:
    tests = (str.islower, str.isupper, str.isdigit)
    return sum(any(map(test, value)) for test in tests)
