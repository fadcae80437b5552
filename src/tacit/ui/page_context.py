"""The context of a page: the API client, the workspace, and what the viewer may do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tacit.api.client.remote import RemoteTacit
from tacit.api.client.server import RemoteServer, ServerStatus
from tacit.core.keys import Role
from tacit.core.marks import MarkAuthor
from tacit.core.permissions import Viewer

DEFAULT_WORKSPACE = "default"
WORKSPACE_PARAM = "workspace"
_LONG_TIMEOUT_SECONDS = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """A page that is looked at: the memory behind it, and the status as the visitor sees it."""

    tacit: RemoteTacit
    status: ServerStatus
    workspaces: tuple[str, ...]
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    theme: str = "auto"

    @property
    def long_timeout_tacit(self) -> RemoteTacit:
        """The same memory for work that takes its time."""
        return self.tacit.within(_LONG_TIMEOUT_SECONDS)

    @property
    def server_url(self) -> str:
        """Where programs ask this server."""
        return self.server.address

    @property
    def server(self) -> RemoteServer:
        """The server itself."""
        return self.tacit.server

    @property
    def workspace(self) -> str:
        """The workspace that is looked at."""
        return self.status.workspace

    def may(self, role: Role, *, server_wide: bool = False, for_every_user: bool = False) -> bool:
        """Whether the visitor may do what needs a role, here or at the server itself.

        What concerns every user is not for a key that is bound to one.
        """
        if for_every_user and self.status.user is not None:
            return False
        return self.status.role.allows(role) and (self.status.server_wide or not server_wide)

    @property
    def may_write(self) -> bool:
        """Whether the visitor may change memories."""
        return self.may(Role.WRITE)

    @property
    def may_decide(self) -> bool:
        """Whether the visitor may decide what waits for a person; an agent's key never may."""
        return self.may_write and self.status.agent is None

    def may_unmark(self, author: MarkAuthor) -> bool:
        """Whether the visitor may take a mark back; a bound key only one of its own."""
        viewer = Viewer(agent=self.status.agent, user=self.status.user)
        return self.may_write and author.is_of(viewer)

    @property
    def may_export(self) -> bool:
        """Whether the visitor may have everything; what is others' own is in an export too."""
        return self.status.agent is None and self.status.user is None

    def link(self, path: str, **query: Any) -> str:
        """The address of a page of the same workspace."""
        named = {} if self.workspace == DEFAULT_WORKSPACE else {WORKSPACE_PARAM: self.workspace}
        wanted = named | {name: value for name, value in query.items() if value is not None}
        return f"{path}?{urlencode(wanted)}" if wanted else path
