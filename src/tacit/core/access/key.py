"""A key: what somebody outside may do, and where."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from tacit.core.access.role import Role
from tacit.core.memory.fields import check
from tacit.core.memory.times import rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A role in one workspace, or in every one (`workspace` is None), known by a digest.

    Whoever holds a key with an `agent` acts as that agent. A key with a `user` is bound to that
    user. What a key that does not speak for users sends as a person's words is an agent's word.
    """

    id: str
    name: str
    workspace: str | None
    role: Role
    agent: str | None
    user: str | None = None
    speaks_for_users: bool
    speaks_by_upgrade: bool = False
    """Whether it speaks for users only because an upgrade left it so."""
    digest: bytes = field(repr=False)
    created_at: datetime
    revoked_at: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON; the digest stays here."""
        return {
            "id": self.id,
            "name": self.name,
            "workspace": self.workspace,
            "role": str(self.role),
            "agent": self.agent,
            "user": self.user,
            "speaks_for_users": self.speaks_for_users,
            "created_at": rfc3339(self.created_at),
            "revoked_at": None if self.revoked_at is None else rfc3339(self.revoked_at),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote; without its digest, no token is the one of it."""
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
            created_at=check("created_at", values["created_at"]),
            revoked_at=None if revoked is None else check("at", revoked),
        )
