"""Locations of a store: a file, a PostgreSQL URL, or memory; checked before anything is opened.

No message repeats a URL, or what was meant to be one: it may hold a password.
"""

import re
from pathlib import Path

from tacit.core.errors import InvalidInput

IN_MEMORY = ":memory:"
URL_HINT = (
    "write postgresql://user:password@host:5432/database, with special characters of the"
    " password percent-encoded"
)

_POSTGRES = re.compile(r"postgres(ql)?://", re.IGNORECASE)
_OTHER_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_MALFORMED = re.compile(r"postgres(ql)?(:|//)", re.IGNORECASE)
_CONNECTION_PARAMETERS = re.compile(r"\b(host|dbname|password|user)\s*=", re.IGNORECASE)


def is_url(location: str | Path) -> bool:
    """Whether a location names a server, not a file."""
    return _POSTGRES.match(str(location).strip()) is not None


def parse_location(location: str | Path) -> str:
    """Check a file, a PostgreSQL URL or ":memory:"; anything else is refused."""
    text = str(location).strip()
    if not text:
        raise InvalidInput("database", "is empty; name a file or a postgresql:// URL")
    if text == IN_MEMORY:
        return text
    if is_url(text):
        return _POSTGRES.sub("postgresql://", text, count=1)
    if text[0] in "'\"":
        raise InvalidInput("database", "begins with a quotation mark; leave it out")
    if other := _OTHER_SCHEME.match(text):
        problem = f"{other[1]}:// is no place for memories; name a file or a postgresql:// URL"
        raise InvalidInput("database", problem)
    if _MALFORMED.match(text) or _CONNECTION_PARAMETERS.search(text):
        raise InvalidInput("database", f"looks like a server and is no URL; {URL_HINT}")
    return text
