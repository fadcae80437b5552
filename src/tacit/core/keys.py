"""API keys: what they allow, the tokens that prove them, and how one is issued."""

import re
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from hmac import compare_digest
from typing import Annotated

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.json_value import UNWRITTEN, Example, JsonValue
from tacit.core.kinds import check_choice


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
class Key(JsonValue):
    """An API key: a role in one workspace, or in all of them (`workspace` is None).

    A key with an `agent` acts as that agent, and one with a `user` only for that user. Unless the
    key `speaks_for_users`, whatever it sends as a person's words counts as an agent's.
    """

    id: Annotated[str, Example("k3v09hq2mzx1")]
    name: Annotated[str, Example("ci")]
    workspace: Annotated[str | None, "null: every workspace, and the server itself."]
    role: Role
    agent: Annotated[str | None, "Whoever holds it acts as this agent."]
    user: Annotated[str | None, "It is bound to this user."] = None
    speaks_for_users: Annotated[
        bool,
        "Whether what its holder sends as a person's words counts as a person's."
        " Always true without an agent.",
    ]
    speaks_by_upgrade: Annotated[bool, UNWRITTEN] = False
    """Whether it speaks for users only because it is older than this flag."""
    digest: Annotated[bytes, UNWRITTEN] = field(repr=False, default=b"")
    created_at: datetime
    revoked_at: datetime | None = None


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
