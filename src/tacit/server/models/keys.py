"""Keys."""

from pydantic import Field

from tacit.core.keys import Role
from tacit.server.models.common import Given, Told

_SPEAKS = (
    "Whether what its holder sends as a person's words counts as a person's. Always true without"
    " an agent."
)


class KeyShape(Told):
    """A key: what it opens; its token is known to its holder only."""

    id: str = Field(examples=["k3v09hq2mzx1"])
    name: str = Field(examples=["ci"])
    workspace: str | None = Field(description="null: every workspace, and the server itself.")
    role: Role
    agent: str | None = Field(description="Whoever holds it acts as this agent.")
    user: str | None = Field(description="It is bound to this user.")
    speaks_for_users: bool = Field(description=_SPEAKS)
    created_at: str
    revoked_at: str | None


class MakingKey(Given):
    """A key to make."""

    name: str = Field(examples=["ci"])
    workspace: str | None = Field(
        description="The workspace that it opens; null, which must be said, opens every one.",
        examples=["default"],
    )
    role: Role
    agent: str | None = Field(None, description="Whoever holds it acts as this agent.")
    user: str | None = Field(None, description="Bind it to this user.", examples=["ann"])
    speaks_for_users: bool = Field(False, description=_SPEAKS)


class MadeKey(Told):
    """A new key with its token, which cannot be shown again."""

    key: KeyShape
    token: str = Field(examples=["tacit_k3v09hq2mzx1_…"])
