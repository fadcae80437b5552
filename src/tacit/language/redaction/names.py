"""Names under which secrets stand: DB_PASSWORD, clientSecret, "the API key"."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from tacit.language.redaction.vocabulary import words

_PASSWORDS = words("passwords")
_TOKENS = words("tokens")
_JOINED = tuple(words("joined"))
_SECRET_KEYS = words("secret_keys")
_OPEN_KEYS = words("open_keys")
_OPEN_TOKENS = words("open_tokens")
_TRAILING = words("trailing")

_UNSPACED = ("密码", "密碼", "パスワード", "비밀번호")
"""Names in scripts that put no spaces around them."""

HINTS = (
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
_WORD = re.compile(r"[A-Z]+(?![a-zß-ÿ])|[A-Z]?[a-zß-ÿ]+|\d+|[^\W\d_]+")
_FEEBLE = frozenset(
    {"pass", "clave", "auth", "salt", "pepper", "jwt", "bearer", "schlüssel", "schluessel", "pw"}
)
_NETWORKS = frozenset({"wifi", "wlan", "wpa", "fi", "network", "hotspot", "router", "shared"})
_LOGINS = frozenset(
    {"db", "root", "admin", "user", "username", "guest", "smtp", "ftp", "vpn", "login"}
)
_NONE = frozenset({"nopasswd", "nopassword"})


class Kind(StrEnum):
    """What stands under a name; its word is what a secret becomes."""

    PASSWORD = "password"
    PASSPHRASE = "passphrase"
    TOKEN = "token"
    SECRET = "secret"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text; `is_feeble` where it may mean something else."""

    start: int
    end: int
    kind: Kind
    is_feeble: bool

    @property
    def is_password(self) -> bool:
        """Whether a person chose what stands under it."""
        return self.kind in (Kind.PASSWORD, Kind.PASSPHRASE)


def names(text: str, lowered: str) -> list[Name]:
    """The names of secrets in a text, in its order."""
    found: dict[int, Name] = {}
    for hint in HINTS:
        at = lowered.find(hint)
        while at >= 0:
            start, end = (at, at + len(hint)) if hint in _UNSPACED else _whole(text, at, hint)
            kind = _kind(text, start, end)
            if kind is not None:
                found[end] = Name(start, end, *kind)
            at = lowered.find(hint, end)
    return [found[end] for end in sorted(found)]


def _whole(text: str, at: int, hint: str) -> tuple[int, int]:
    """The name around a hint, from end to end."""
    first = max(0, at - _SIDE)
    outside, right = _BEFORE_IT.match(text, first, at), _RIGHT.match(text, at)
    end = at + len(right[0].rstrip(".-_")) if right else at
    return outside.end() if outside else first, max(end, at + len(hint))


def name_of(field: str) -> Name | None:
    """The name that a field has, if secrets stand under it."""
    found = _kind(field, 0, len(field))
    return None if found is None else Name(0, len(field), *found)


def _kind(text: str, start: int, end: int) -> tuple[Kind, bool] | None:
    parts = _parts(text[start:end])
    if not parts or parts[-1] in _NONE:
        return None
    return _kind_of(parts if len(parts) > 1 else (_word_before(text, start), *parts), len(parts))


@lru_cache(maxsize=256)
def _parts(name: str) -> tuple[str, ...]:
    """The words of a name, without those that may follow it; a text repeats its names."""
    parts = [part.lower() for part in _WORD.findall(name)]
    while len(parts) > 1 and (parts[-1].isdigit() or parts[-1] in _TRAILING):
        parts.pop()
    return tuple(parts)


@lru_cache(maxsize=256)
def _kind_of(parts: tuple[str, ...], own: int) -> tuple[Kind, bool] | None:
    """What stands under words, of which so many are the name's own."""
    before, last = parts[-2].rstrip("0123456789"), parts[-1]
    if last == "key":
        return _key(before)
    if last == "passe":
        return (Kind.PASSWORD, False) if before == "de" else None
    if last in ("phrase", "mnemonic", "passphrase"):
        is_one = last != "phrase" or before in ("seed", "recovery", "pass", "mnemonic", "secret")
        return (Kind.PASSPHRASE, last != "passphrase") if is_one else None
    if last in ("clé", "cle"):
        return Kind.KEY, True
    if last in _PASSWORDS:
        is_lone = own == 1 and before not in _NETWORKS | _LOGINS
        return Kind.PASSWORD, is_lone and last in _FEEBLE
    return _token(last, before)


def _token(last: str, before: str) -> tuple[Kind, bool] | None:
    if last.endswith(_JOINED):
        is_password = last.endswith(("password", "passwd", "passphrase", "wort"))
        return (Kind.PASSWORD if is_password else Kind.KEY), False
    if last not in _TOKENS or before in _OPEN_TOKENS:
        return None
    kind = Kind.SECRET if "secre" in last else Kind.TOKEN
    return kind, last in _FEEBLE


def _key(before: str) -> tuple[Kind, bool] | None:
    if before in _OPEN_KEYS:
        return None
    if before in _NETWORKS:
        return Kind.PASSWORD, False
    return Kind.KEY, before not in _SECRET_KEYS


def _word_before(text: str, start: int) -> str:
    """The word before a name that is a word by itself."""
    before = text[max(0, start - _SIDE) : start]
    for sign in _APART:
        before = before.replace(sign, " ")
    return before.split()[-1].lower() if before[-1:].isspace() and not before.isspace() else ""
