"""Who asks, and where: what may be seen follows from it."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Self
from urllib.parse import unquote

from mcp.server.mcpserver import Context

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.kinds import Owner, Scope
from tacit.core.permissions import UNBOUND, Viewer

AGENT, USER, PROJECT = "Tacit-Agent", "Tacit-User", "Tacit-Project"
"""The headers by which a client over HTTP says who it is and where it works."""

BOUND_AGENT, BOUND_USER = "Tacit-Bound-Agent", "Tacit-Bound-User"
"""Whom a key is bound to, as the gate says; a client that says it can only reach less."""

_NAMELESS = "mcp"
_KNOWN = {"codex": "codex", "gemini-cli": "gemini"}
"""Clients that introduce themselves by a longer name than hooks give them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An agent at work for a user in a project; without an agent's name the client says it.

    `reach` is whom the client's key is bound to.
    """

    agent: str | None = None
    user: str | None = None
    project: str | None = None
    reach: Viewer = UNBOUND
    find_project: Callable[[], str] | None = field(default=None, compare=False)
    """Says which project it is where none is named; asked anew for every request."""

    def __post_init__(self) -> None:
        for name in ("agent", "user", "project"):
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else check_field(name, value))

    @property
    def name(self) -> str:
        """The agent's name; one that has none is none of those that have memories of their own."""
        return self.agent or _NAMELESS

    @property
    def owners(self) -> tuple[Owner, ...]:
        """Whose memories are seen here, besides those of a session."""
        return (
            (Scope.PROJECT, self.project or ""),
            (Scope.USER, self.user or ""),
            (Scope.ORG, ""),
        )

    def seen_from(self, context: "Context[Any, Any]") -> Self:
        """The place of one request: what the server was told, then what the client says."""
        headers = context.headers or {}
        return replace(
            self,
            agent=_said(headers, AGENT) or self.agent or _introduced(context),
            user=_said(headers, USER) or self.user,
            project=_said(headers, PROJECT) or self.project,
            reach=Viewer(
                agent=_said(headers, BOUND_AGENT) or self.reach.agent,
                user=_said(headers, BOUND_USER) or self.reach.user,
            ),
        )


asking: ContextVar[Place] = ContextVar("asking", default=Place())  # noqa: B039
"""The place of the request that is being answered."""


def _said(headers: Mapping[str, str], name: str) -> str | None:
    value = headers.get(name.lower())
    return unquote(value) if value else None


def _introduced(context: "Context[Any, Any]") -> str | None:
    """The name by which a client introduced itself, if it can be one of an agent."""
    told = context.session.client_params
    if told is None:
        return None
    name = told.client_info.name
    short = next((known for start, known in _KNOWN.items() if name.startswith(start)), name)
    try:
        return check_field("agent", short)  # type: ignore[no-any-return]
    except InvalidInput:
        return None
