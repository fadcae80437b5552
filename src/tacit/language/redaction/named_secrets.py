"""Find secrets by their names: `DB_PASSWORD=…`, `"clientSecret": "…"`, "the wifi password is …".

A value is given to a name by a sign, as in files, code and commands, or by a sentence.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from tacit.language.redaction.values import (
    Value,
    ValueReader,
    ends_passphrase,
    is_adjective,
    is_hex,
    is_numeric_password,
    is_passphrase,
    is_random,
    is_status_word,
    is_strong_password,
    is_unlike_words,
    is_unmistakable,
    load_pattern,
    load_words,
    may_be_password,
    may_be_token,
)
from tacit.language.sentences import find_sentence_ends

# Names.


_PASSWORDS = load_words("passwords")
_TOKENS = load_words("tokens")
_JOINED = tuple(load_words("joined"))
_SECRET_KEYS = load_words("secret_keys")
_OPEN_KEYS = load_words("open_keys")
_OPEN_TOKENS = load_words("open_tokens")
_TRAILING = load_words("trailing")

_UNSPACED = ("密码", "密碼", "パスワード", "비밀번호")
"""Names in scripts without spaces."""

NAME_HINTS = (
    "pass",
    "pw",
    "psk",
    "kennwort",
    "mdp",
    "contrase",
    "clave",
    "senha",
    "wachtwoord",
    "lösenord",
    "hasło",
    "пароль",
    "token",
    "secret",
    "key",
    "jwt",
    "bearer",
    "cred",
    "auth",
    "salt",
    "pepper",
    "jeton",
    "geheim",
    "schlüssel",
    "schluessel",
    "clé",
    "phrase",
    "mnemonic",
    *_UNSPACED,
)
_SIDE = 40
_APART = "’'_-"
_BEFORE_IT = re.compile(r".*[^\w.-]", re.DOTALL)
_RIGHT = re.compile(rf"[\w.-]{{0,{_SIDE}}}")
_WORD = re.compile(r"[A-Z]+(?![a-zß-ſ])|[A-Z]?[a-zß-ſ]+|\d+|[^\W\d_]+")
_AMBIGUOUS_NAMES = frozenset(
    {"pass", "clave", "auth", "salt", "pepper", "jwt", "bearer", "schlüssel", "schluessel", "pw"}
)
_NETWORKS = frozenset({"wifi", "wlan", "wpa", "fi", "network", "hotspot", "router", "shared"})
_LOGINS = frozenset(
    {"db", "root", "admin", "user", "username", "guest", "smtp", "ftp", "vpn", "login"}
)
_NONE = frozenset({"nopasswd", "nopassword"})


class SecretKind(StrEnum):
    """The kind of secret that a name announces; its value is used in the marker."""

    PASSWORD = "password"
    PASSPHRASE = "passphrase"
    TOKEN = "token"
    SECRET = "secret"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class SecretName:
    """The name of a secret in a text; `is_ambiguous` if it may mean something else."""

    start: int
    end: int
    kind: SecretKind
    is_ambiguous: bool

    @property
    def is_password(self) -> bool:
        """Whether a person chose the value."""
        return self.kind in (SecretKind.PASSWORD, SecretKind.PASSPHRASE)


def find_secret_names(text: str, lowered: str) -> list[SecretName]:
    """Find the names of secrets in a text, in order."""
    found: dict[int, SecretName] = {}
    for hint in NAME_HINTS:
        at = lowered.find(hint)
        while at >= 0:
            start, end = (at, at + len(hint)) if hint in _UNSPACED else _expand_name(text, at, hint)
            kind = _classify_name(text, start, end)
            if kind is not None:
                found[end] = SecretName(start, end, *kind)
            at = lowered.find(hint, end)
    return [found[end] for end in sorted(found)]


def _expand_name(text: str, at: int, hint: str) -> tuple[int, int]:
    """Return the whole name around a hint."""
    first = max(0, at - _SIDE)
    outside, right = _BEFORE_IT.match(text, first, at), _RIGHT.match(text, at)
    end = at + len(right[0].rstrip(".-_")) if right else at
    return outside.end() if outside else first, max(end, at + len(hint))


def parse_field_name(field: str) -> SecretName | None:
    """Parse the name of a field; None unless it names a secret."""
    found = _classify_name(field, 0, len(field))
    return None if found is None else SecretName(0, len(field), *found)


def _classify_name(text: str, start: int, end: int) -> tuple[SecretKind, bool] | None:
    parts = _name_words(text[start:end])
    if not parts or parts[-1] in _NONE:
        return None
    return _classify_words(
        parts if len(parts) > 1 else (_word_before(text, start), *parts), len(parts)
    )


@lru_cache(maxsize=256)
def _name_words(name: str) -> tuple[str, ...]:
    """Split a name into words without trailing ones; cached because texts repeat their names."""
    parts = [part.lower() for part in _WORD.findall(name)]
    while len(parts) > 1 and (parts[-1].isdigit() or parts[-1] in _TRAILING):
        parts.pop()
    return tuple(parts)


@lru_cache(maxsize=256)
def _classify_words(parts: tuple[str, ...], own: int) -> tuple[SecretKind, bool] | None:
    """Classify a name; `own` is the number of words that belong to the name itself."""
    before, last = parts[-2].rstrip("0123456789"), parts[-1]
    if last == "key":
        return _classify_key(before)
    if last == "passe":
        return (SecretKind.PASSWORD, False) if before == "de" else None
    if last in ("phrase", "mnemonic", "passphrase"):
        is_one = last != "phrase" or before in ("seed", "recovery", "pass", "mnemonic", "secret")
        return (SecretKind.PASSPHRASE, last != "passphrase") if is_one else None
    if last in ("clé", "cle"):
        return SecretKind.KEY, True
    if last in _PASSWORDS:
        is_lone = own == 1 and before not in _NETWORKS | _LOGINS
        return SecretKind.PASSWORD, is_lone and last in _AMBIGUOUS_NAMES
    return _classify_token(last, before)


def _classify_token(last: str, before: str) -> tuple[SecretKind, bool] | None:
    if last.endswith(_JOINED):
        is_password = last.endswith(("password", "passwd", "passphrase", "wort"))
        return (SecretKind.PASSWORD if is_password else SecretKind.KEY), False
    if last not in _TOKENS or before in _OPEN_TOKENS:
        return None
    kind = SecretKind.SECRET if "secre" in last else SecretKind.TOKEN
    return kind, last in _AMBIGUOUS_NAMES


def _classify_key(before: str) -> tuple[SecretKind, bool] | None:
    if before in _OPEN_KEYS:
        return None
    if before in _NETWORKS:
        return SecretKind.PASSWORD, False
    return SecretKind.KEY, before not in _SECRET_KEYS


def _word_before(text: str, start: int) -> str:
    """Return the word before a name that consists of one word."""
    before = text[max(0, start - _SIDE) : start]
    for sign in _APART:
        before = before.replace(sign, " ")
    return before.split()[-1].lower() if before[-1:].isspace() and not before.isspace() else ""


# Values assigned to a name by a sign.


_SIGN = re.compile(
    r"""
    (?:\\{0,3}["'`”’]|[\])*_])*             # what closes the name
    [ \t]{0,8}
    (?::\s?&?[\w'. \[\]|]{1,30}?\s{0,3}(?==))?   # its type
    (?P<sign>=>|:=|={1,3}|[:：]|->|→|⇒|,(?=\s{0,3}\\{0,3}["'])|\|)
    (?P<gap>[ \t]{0,8}[*_]{0,3}[ \t]{0,8}(?:\n[ \t]{0,20})?)
    """,
    re.VERBOSE,
)
_LINE_START = re.compile(r"(?:\A|\n|\\n)[\s>*#$\"'-]{0,20}(?:[\w-]{1,20}\s{1,3}){0,3}\Z")
_TYPE = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+\Z")
_LINE_END = re.compile(r"[\"',;]{0,2}[ \t]{0,8}(?:[#;].{0,200})?(?:\n|\Z|\\n)")
_FLAG = re.compile(r"\s{1,3}")
_AROUND = 80


def find_assigned_value(values: ValueReader, name: SecretName) -> Value | None:
    """Find the secret in `name = value`, `name: value`, `"name": "value"`, `--name value`."""
    text = values.text
    sign = _SIGN.match(text, name.end)
    if sign is None:
        return _find_flag_value(values, name)
    value = values.at(sign.end())
    if value is None:
        return None
    is_doubtful = name.is_ambiguous or sign["sign"] in ",|" or "\n" in sign["gap"]
    if is_doubtful:
        return value if is_certain_secret(name.kind, value) else None
    if not name.is_password:
        return (
            value if may_be_token(value.sample) or _is_env_secret(text, name, sign, value) else None
        )
    return value if _is_assigned_password(text, name, sign, value) else None


def secret_kind_of_field(field: str, value: str) -> str | None:
    """Return the kind of secret that a field holds, by its name and value."""
    name = parse_field_name(field)
    if name is None:
        return None
    told = Value(value, 0, is_quoted=True)
    if name.is_ambiguous:
        is_one = is_certain_secret(name.kind, told)
    else:
        is_one = may_be_password(value, is_quoted=True) if name.is_password else may_be_token(value)
    return str(name.kind) if is_one else None


def is_certain_secret(kind: SecretKind, value: Value) -> bool:
    """Whether a value is a secret even if its place alone does not say so."""
    if kind in (SecretKind.PASSWORD, SecretKind.PASSPHRASE):
        return is_strong_password(value.sample)
    return is_random(value.sample) and may_be_token(value.sample)


def _is_assigned_password(text: str, name: SecretName, sign: re.Match[str], value: Value) -> bool:
    if not may_be_password(value.sample, is_quoted=value.is_quoted):
        return False
    if value.is_quoted or is_unmistakable(value.sample):
        return True
    if is_strong_password(value.sample) or is_numeric_password(value.sample):
        return True
    if _TYPE.match(value.sample) and sign["sign"] == ":":
        return False
    is_tight = "=" in sign["sign"] and not sign["gap"] and not text[sign.end() - 2].isspace()
    goes_on = text[value.end : value.end + 1] in tuple("().,[")
    return (is_tight and not goes_on) or _is_line(text, name, value)


def _is_env_secret(text: str, name: SecretName, sign: re.Match[str], value: Value) -> bool:
    """Whether this is NAME=words with the name of an environment variable."""
    is_env = text[name.start : name.end].isupper() and sign["sign"] == "=" and not sign["gap"]
    if not is_env or len(value.text) < 10 or not may_be_password(value.sample):
        return False
    return value.text.isalnum() or is_strong_password(value.sample)


def _is_line(text: str, name: SecretName, value: Value) -> bool:
    """Whether name and value stand alone on a line."""
    is_first = _LINE_START.search(text, max(0, name.start - _AROUND), name.start)
    is_whole = is_first and _LINE_END.match(text, value.end)
    return bool(is_whole) and not is_adjective(value.sample)


def _find_flag_value(values: ValueReader, name: SecretName) -> Value | None:
    """Find the value in `--password value`."""
    gap = _FLAG.match(values.text, name.end)
    if gap is None or not values.text.startswith("-", name.start):
        return None
    value = values.at(gap.end())
    if value is None or value.text.startswith("-"):
        return None
    if value.is_quoted and name.is_password:
        return value if may_be_password(value.sample) else None
    is_one = is_strong_password(value.sample) if name.is_password else may_be_token(value.sample)
    return value if is_one else None


# Values told in a sentence.


_WINDOW = 100
_FEW, _MNEMONIC = 3, 12
_SIGNS = (":", "=", "：")
_LINK = re.compile(
    r"""
    (?<!\S)(?:is|was|are|be|reads|equals|remains|stays|ist|war|lautet|lautete|heißt|heisst|bleibt|est|était
      |sera|reste|c['’]est|es|era|será|sigue\ siendo|é|è|är|jest|brzmi)
      (?:\s(?:now|still|currently|just|simply|actually|set\ to|the\ following|this|jetzt|nun|noch
      |einfach|weiterhin|maintenant|toujours|ahora)){0,2}
      \s{0,2}[:=]?\s{1,3}
  | (?:(?<=hasło\ )|(?<=hasłem\ ))(?:do\ (?:\S{1,20}\ ){1,3}?)?to\s{1,3}
  | (?P<change>(?<!\S)(?:from|to|von|auf|de|à|a|en|into|zu)\s{1,3})
  | ['’]s\s{1,3}
  | \s?[:：=→]\s{1,3}
  | [是为は는은]\s{0,2}
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CONTINUATION = re.compile(
    r"""
    \s{1,3}(?:for|of|to|on|at|in|into|from|with|behind|that|which|you|we|i|he|she|they|used|needed
      |here|below|there|again|now|and|und|für|fürs|fuer|fuers|vom|von|zum|zur|zu|auf|beim|bei|im|der|die|das
      |den|des|mit|pour|de|du|sur|dans|que|qui|c['’]est|para|del|dl|en|da|do|no|com
      |(?:was\s|has\sbeen\s|got\s|wurde\s)?(?:changed|set|reset|updated|rotated|geändert)
      |(?:should|would|must|will|shall)\s(?:now\s)?be
      |api|admin|root|wifi|wlan|secreta|secrète|privée)\b
  | \s{1,3}["'(]
  | [,;]\s{1,2}(?:it|which|das|es|er|c)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""How a sentence goes on after a name that is not part of a longer one ("key fingerprint")."""

_MODAL = re.compile(r"\s{1,3}(?:should|would|must|will|shall)\s", re.IGNORECASE)
"""What follows may be a demand on passwords ("must be strong") instead of one."""

_CHANGED = re.compile(
    r"\b(?:set|chang\w*|reset|updat\w*|rotat\w*|switch\w*|änder\w*|geändert|setz\w*|gesetzt|cambi\w*)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(rf"[\s-]?{load_pattern('units')}\b", re.IGNORECASE)
_BACKWARDS = frozenset({"is", "as", "was", "ist", "als", "es", "est", "como", "comme"})
_GAP = re.compile(r"\s{1,6}[>*•-]?\s{0,3}")
_IT_IS = re.compile(r"\s{1,6}(?:it['’]?s|it\sis|c['’]est|es\s(?:ist|lautet)|es|è|é)\s{1,3}", re.I)
_CLAUSE_END = re.compile(
    r"[\"'`”»]?(?:\s(?:now|jetzt|nun|maintenant|ahora|adesso|agora|nu))?(?:[.,;!?]|\s*\Z|\n)", re.I
)
_SENTENCE_END = re.compile(r"[\"'`”»]?[.!,;:?)]{0,3}(?:\s|\Z)(?=\s*(?:\Z|\n|[^\Wa-zß-ÿ]))")
_QUOTES = "\"'`“”„«»"
_MOST_BETWEEN = 6
_MOST_LINKS = 3
_PHRASE = re.compile(r"[^\W\d_]{2,64}(?:[ -][^\W_]{1,64}){0,63}")


class SentenceReader:
    """Reads the secrets that sentences tell; each place is judged once."""

    def __init__(self, values: ValueReader) -> None:
        self._values = values
        self._judged: dict[tuple[int, bool, SecretKind, bool], Value | None] = {}

    def find_values(self, name: SecretName) -> Iterator[Value]:
        """Find the secrets that a sentence tells after their name, or before it."""
        found = list(_values_after_name(self._values.text, name, self._at))
        beside = (
            None
            if found
            else _value_beside(self._values, name)
            or _value_after_sentence(self._values, name)
            or _value_before(self._values.text, name)
        )
        yield from found or filter(None, [beside])

    def _at(self, link: re.Match[str], name: SecretName) -> Value | None:
        is_given = link[0].strip() in _SIGNS
        place = (link.end(), is_given, name.kind, name.is_ambiguous)
        if place not in self._judged:
            self._judged[place] = _value_after_link(
                self._values, link.end(), name, is_given=is_given
            )
        return self._judged[place]


def _value_after_link(
    values: ValueReader, at: int, name: SecretName, *, is_given: bool
) -> Value | None:
    """Return the secret after a linking word, if there is one."""
    phrase = _passphrase_at(values.text, at, name, is_given=is_given)
    value = phrase or values.at(at)
    is_one = value is not None and (
        phrase is not None or _is_stated_secret(values.text, name, value)
    )
    return value if is_one else None


def _values_after_name(
    text: str, name: SecretName, value_at: Callable[[re.Match[str], SecretName], Value | None]
) -> Iterator[Value]:
    goes_on = _CONTINUATION.match(text, name.end) or _LINK.match(text, name.end)
    if not goes_on and not _LINK.match(text, name.end + 1):
        return
    is_demand = _MODAL.match(text, name.end) is not None
    last = min(len(text), name.end + _WINDOW)
    until = next(find_sentence_ends(text, name.end, last), last)
    for link in islice(_LINK.finditer(text, name.end, until + 1), _MOST_LINKS):
        if link["change"] and not _CHANGED.search(
            text[max(0, name.start - _WINDOW // 2) : link.start()]
        ):
            continue
        value = value_at(link, name)
        if value is not None and (not is_demand or _is_odd(value)):
            yield value
            if not link["change"]:
                return


def _is_odd(value: Value) -> bool:
    return is_unmistakable(value.sample) or is_unlike_words(value.sample)


def _is_stated_secret(text: str, name: SecretName, value: Value) -> bool:
    if name.is_ambiguous:
        return is_certain_secret(name.kind, value)
    if not name.is_password:
        return may_be_token(value.sample) and len(value.text) >= 12
    if value.is_quoted:
        is_short_phrase = name.kind is SecretKind.PASSPHRASE and is_passphrase(
            value.sample, least=2
        )
        return may_be_password(value.sample, is_quoted=True) or is_short_phrase
    if is_numeric_password(value.sample):
        return not _UNIT.match(text, value.end)
    return is_strong_password(value.sample)


def _passphrase_at(text: str, at: int, name: SecretName, *, is_given: bool) -> Value | None:
    """Return a passphrase of several words; the sentence may go on after it."""
    found = _PHRASE.match(text, at) if name.is_password else None
    parts = found[0].split() if found else []
    if found is None or (name.kind is SecretKind.PASSWORD and not _is_word_sequence(parts)):
        return None
    is_long = is_given and len(parts) > _FEW
    if is_adjective(parts[0]) or (is_status_word(parts[0]) and not is_long):
        return None
    if len(parts) >= _MNEMONIC:
        return Value(found[0], at)
    if name.is_ambiguous:
        return None
    end = next((place for place, part in enumerate(parts) if ends_passphrase(part)), len(parts))
    words = " ".join(parts[:end])
    return Value(text[at : at + len(words)], at) if is_passphrase(words) and end >= _FEW else None


def _is_word_sequence(parts: list[str]) -> bool:
    """Whether words form no sentence: they end in a number, and no function word binds them."""
    is_loose = not any(is_status_word(part) or ends_passphrase(part) for part in parts)
    return is_loose and len(parts) >= _FEW and parts[-1].isdigit()


def _value_beside(values: ValueReader, name: SecretName) -> Value | None:
    """Return the value in `password …`, without a word between."""
    is_apart = values.text[name.end : name.end + 1].isspace()
    value = values.at(name.end + 1) if is_apart else None
    if value is None or (name.is_ambiguous and is_hex(value.sample)):
        return None
    is_odd = is_unmistakable(value.sample) or (name.is_password and is_unlike_words(value.sample))
    return value if is_odd and is_certain_secret(name.kind, value) else None


def _value_after_sentence(values: ValueReader, name: SecretName) -> Value | None:
    """Return the value that the next sentence is, or tells: `The password? …`, `It is …`."""
    last = min(len(values.text), name.end + _WINDOW)
    end = next(find_sentence_ends(values.text, name.end, last), None)
    if end is None:
        return None
    told = _IT_IS.match(values.text, end)
    gap = told or _GAP.match(values.text, end)
    value = values.at(gap.end()) if gap else None
    if value is None or not (_CLAUSE_END if told else _SENTENCE_END).match(values.text, value.end):
        return None
    is_odd = is_unmistakable(value.sample) if told else _is_odd(value)
    return value if is_odd and is_certain_secret(name.kind, value) else None


def _value_before(text: str, name: SecretName) -> Value | None:
    """Return the value in `… is the password`."""
    first = max(0, name.start - _WINDOW)
    near = text[first : name.start]
    words = near.split()
    for at in range(len(words) - 1, max(0, len(words) - _MOST_BETWEEN), -1):
        if words[at].lower() in _BACKWARDS:
            told = words[at - 1].strip(_QUOTES)
            rest = near.rsplit(None, len(words) - at + 1)[0] if at > 1 else ""
            value = Value(told, text.index(told, first + len(rest)))
            return value if is_unmistakable(told) and is_certain_secret(name.kind, value) else None
    return None
