"""Tokens: the id of a key, and a secret that only its holder has."""

import re
import secrets
from hashlib import sha256
from hmac import compare_digest

from tacit.core.access.key import Key

_ID_LENGTH = 12
_ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_SECRET_BYTES = 32
_TOKEN = re.compile(r"tacit_([a-z0-9]{12})_[A-Za-z0-9_-]{43}")


def new_token() -> tuple[str, str]:
    """The id of a new key, and its token."""
    id = "".join(secrets.choice(_ID_CHARACTERS) for _ in range(_ID_LENGTH))
    return id, f"tacit_{id}_{secrets.token_urlsafe(_SECRET_BYTES)}"


def id_of(token: str) -> str | None:
    """The id of the key that a token is for; None of what cannot be a token."""
    found = _TOKEN.fullmatch(token)
    return found[1] if found else None


def digest_of(token: str) -> bytes:
    """What is kept of a token; nobody guesses 256 random bits, so a plain hash will do."""
    return sha256(token.encode(errors="surrogatepass")).digest()


def matches(key: Key, token: str) -> bool:
    """Whether a token is the one of a key, in the same time whatever it is."""
    return compare_digest(key.digest, digest_of(token))
