"""Where a PostgreSQL database is: what is dialled, and what people may see of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tacit.core.errors import InvalidInput
from tacit.store.location import URL_HINT

_PATIENCE: dict[str, str | int | None] = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "tacit",
}
"""A server that is gone is noticed within seconds, unless the URL says otherwise."""


@dataclass(frozen=True, slots=True)
class Address:
    """A database on a server; its text shows no password."""

    dialled: str
    shown: str

    @classmethod
    def of(cls, url: str) -> Self:
        """Read a URL such as postgresql://user:password@host:5432/database."""
        try:
            given = conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            given = {}
        if not _is_sound(given):
            raise InvalidInput("database", f"is no URL that can be read; {URL_HINT}")
        return cls(make_conninfo("", **{**_PATIENCE, **given}), _shown(given))

    def __str__(self) -> str:
        return self.shown


def _is_sound(given: Mapping[str, object]) -> bool:
    """Whether no part of a password may have become a host, a port or a database."""
    ports = str(given.get("port") or "").split(",")
    names = f"{given.get('host', '')}{given.get('dbname', '')}"
    are_numbers = all(port == "" or port.isdecimal() for port in ports)
    return bool(given) and are_numbers and "@" not in names


def _shown(given: Mapping[str, object]) -> str:
    user = f"{given['user']}@" if given.get("user") else ""
    port = f":{given['port']}" if given.get("port") else ""
    return f"postgresql://{user}{given.get('host', '')}{port}/{given.get('dbname', '')}"
