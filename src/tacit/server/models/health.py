"""How the server is."""

from typing import Any

from pydantic import Field

from tacit.core.keys import Role
from tacit.server.models.common import Told


class Health(Told):
    """That the server answers."""

    status: str = Field(examples=["ok"])
    version: str


class Readiness(Told):
    """Whether it can serve, and what each part says."""

    status: str = Field(examples=["ready"])
    checks: dict[str, str] = Field(examples=[{"store": "ok", "settings": "ok"}])


class SettingsProblem(Told):
    """Why the file of settings is not used as it is, and since when."""

    message: str
    since: str


class IgnoredShape(Told):
    """Something of a project's file that does not act."""

    file: str = Field(examples=["/home/ann/shop/tacit.toml"])
    setting: str | None = Field(
        description="The setting that is ignored; null for the whole file.",
        examples=["writing.llm_base_url"],
    )
    reason: str = Field(examples=["you have not agreed to it"])
    command: str | None = Field(
        description="What to run on the server's machine.",
        examples=["tacit trust /home/ann/shop/tacit.toml"],
    )


class SettingsStatus(Told):
    """Which file of settings is in force."""

    path: str | None
    problem: SettingsProblem | None
    ignored: list[IgnoredShape] = Field(description="What of a project's file does not act.")


class JobStatus(Told):
    """How a job has fared."""

    name: str
    runs: int
    last_at: str | None
    last_result: str | None
    last_error: str | None


class Status(Told):
    """The server as the caller sees it."""

    version: str
    workspace: str
    role: Role
    agent: str | None
    user: str | None = Field(description="The user whom the caller's key is bound to.")
    speaks_for_users: bool
    server_wide: bool
    keys_needed: bool = Field(description="Whether nobody comes in without a key.")
    started_at: str
    embedder: str | None
    store: dict[str, Any]
    settings: SettingsStatus
    jobs: list[JobStatus]
