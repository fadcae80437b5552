"""A key: what somebody outside may do, and where."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from tacit.access.role import Role
from tacit.memory import check, rfc3339


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A role in one workspace, or in every one (`workspace` is None), known by a digest.

    Whoever holds a key with an `agent` acts as that agent.
    """

    id: str
    name: str
    workspace: str | None
    role: Role
    agent: str | None
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
            digest=b"",
            created_at=check("created_at", values["created_at"]),
            revoked_at=None if revoked is None else check("at", revoked),
        )
