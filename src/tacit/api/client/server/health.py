"""How a server is, as it tells it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from tacit.core.fields import check_field
from tacit.core.keys import Role
from tacit.runtime.files.trust import Ignored
from tacit.settings.config.live import Problem

_READY = "ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Whether a server can serve, and what each part of it says."""

    is_ready: bool
    checks: Mapping[str, str]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what a server answered."""
        return cls(is_ready=values["status"] == _READY, checks=dict(values["checks"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """How something that a server does now and then has fared."""

    name: str
    runs: int
    last_at: datetime | None
    last_result: str | None
    last_error: str | None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what a server answered."""
        last = values["last_at"]
        return cls(
            name=values["name"],
            runs=values["runs"],
            last_at=None if last is None else check_field("at", last),
            last_result=values["last_result"],
            last_error=values["last_error"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """A server as the caller sees it: who they are, and what is amiss.

    Jobs, and the file of the settings, are told to those who run it (`server_wide`).
    """

    version: str
    workspace: str
    role: Role
    agent: str | None
    user: str | None
    speaks_for_users: bool
    server_wide: bool
    keys_needed: bool
    started_at: datetime
    embedder: str | None
    store: Mapping[str, Any]
    settings_path: str | None
    settings_problem: Problem | None
    settings_ignored: tuple[Ignored, ...]
    jobs: tuple[JobStatus, ...]

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what a server answered."""
        settings = values["settings"]
        return cls(
            version=values["version"],
            workspace=values["workspace"],
            role=Role(values["role"]),
            agent=values["agent"],
            user=values["user"],
            speaks_for_users=values["speaks_for_users"],
            server_wide=values["server_wide"],
            keys_needed=values["keys_needed"],
            started_at=check_field("at", values["started_at"]),
            embedder=values["embedder"],
            store=dict(values["store"]),
            settings_path=settings["path"],
            settings_problem=settings["problem"] and Problem.from_dict(settings["problem"]),
            settings_ignored=tuple(map(Ignored.from_dict, settings["ignored"])),
            jobs=tuple(map(JobStatus.from_dict, values["jobs"])),
        )
