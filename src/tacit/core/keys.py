"""API keys: what they allow, the tokens that prove them, and how one is issued."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Self

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.kinds import check_choice
from tacit.core.times import to_rfc3339


class Role(StrEnum):
    """What a key allows; each role includes those before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def allows(self, other: "Role") -> bool:
        """Whether this role may do what requires the other."""
        ranks = tuple(Role)
        return ranks.index(self) >= ranks.index(other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """An API key: a role in one workspace, or in all of them (`workspace` is None).

    A key with an `agent` acts as that agent, and one with a `user` only for that user. Unless the
    key `speaks_for_users`, whatever it sends as a person's words counts as an agent's.
    """

    id: str
    name: str
    workspace: str | None
    role: Role
    agent: str | None
    user: str | None = None
    speaks_for_users: bool
    speaks_by_upgrade: bool = False
    """Whether it speaks for users only because it is older than this flag."""
    digest: bytes = field(repr=False)
    created_at: datetime
    revoked_at: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, without the digest."""
        return {
            "id": self.id,
            "name": self.name,
            "workspace": self.workspace,
            "role": str(self.role),
            "agent": self.agent,
            "user": self.user,
            "speaks_for_users": self.speaks_for_users,
            "created_at": to_rfc3339(self.created_at),
            "revoked_at": None if self.revoked_at is None else to_rfc3339(self.revoked_at),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; without the digest no token matches it."""
        revoked = values["revoked_at"]
        return cls(
            id=values["id"],
            name=values["name"],
            workspace=values["workspace"],
            role=Role(values["role"]),
            agent=values["agent"],
            user=values["user"],
            speaks_for_users=values["speaks_for_users"],
            digest=b"",
            created_at=check_field("created_at", values["created_at"]),
            revoked_at=None if revoked is None else check_field("at", revoked),
        )


_MAX_NAME_LENGTH = 100


def issue_key(
    name: str,
    role: Role | str,
    *,
    workspace: str | None,
    agent: str | None = None,
    user: str | None = None,
    speaks_for_users: bool = False,
    at: datetime,
) -> tuple[Key, str]:
    """Make a new key and its token, which cannot be derived from the key.

    A key without an agent always speaks for users.
    """
    id, token = create_token()
    key = Key(
        id=id,
        name=_check_key_name(name),
        workspace=None if workspace is None else check_field("workspace", workspace),
        role=check_choice("role", Role, role),
        agent=check_field("agent", agent),
        user=None if user is None else check_field("user", user),
        speaks_for_users=speaks_for_users or agent is None,
        digest=hash_token(token),
        created_at=at,
    )
    return key, token


def _check_key_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > _MAX_NAME_LENGTH or not name.isprintable():
        problem = f"write 1 to {_MAX_NAME_LENGTH} printable characters, such as: ci"
        raise InvalidInput("name", problem)
    return name


# Tokens: `tacit_`, the id of the key, and a secret that only its holder has.


_ID_LENGTH = 12
_ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_SECRET_BYTES = 32
_TOKEN = re.compile(r"tacit_([a-z0-9]{12})_[A-Za-z0-9_-]{43}")


def create_token() -> tuple[str, str]:
    """Make the id and the token of a new key."""
    id = "".join(secrets.choice(_ID_CHARACTERS) for _ in range(_ID_LENGTH))
    return id, f"tacit_{id}_{secrets.token_urlsafe(_SECRET_BYTES)}"


def parse_key_id(token: str) -> str | None:
    """The id of the key that a token belongs to; None if the text is no token."""
    found = _TOKEN.fullmatch(token)
    return found[1] if found else None


def hash_token(token: str) -> bytes:
    """What is stored of a token; a plain hash suffices for 256 random bits."""
    return sha256(token.encode(errors="surrogatepass")).digest()


def is_token_of(key: Key, token: str) -> bool:
    """Whether a token belongs to a key, compared in constant time."""
    return compare_digest(key.digest, hash_token(token))
