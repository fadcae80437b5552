"""The context of a page: the API client, the workspace, and what the viewer may do."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from tacit.api.client.administration import RemoteServer
from tacit.api.client.remote import RemoteTacit
from tacit.api.server_status import ServerStatus
from tacit.core.keys import Role
from tacit.core.marks import MarkAuthor
from tacit.core.permissions import Viewer

DEFAULT_WORKSPACE = "default"
WORKSPACE_PARAM = "workspace"
_LONG_TIMEOUT_SECONDS = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContext:
    """What a page is built from: the client, the server's status, and the request."""

    tacit: RemoteTacit
    status: ServerStatus
    workspaces: tuple[str, ...]
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    theme: str = "auto"

    @property
    def long_timeout_tacit(self) -> RemoteTacit:
        """The same client with a longer timeout, for slow calls."""
        return self.tacit.within(_LONG_TIMEOUT_SECONDS)

    @property
    def server_url(self) -> str:
        """The URL at which programs reach this server."""
        return self.server.address

    @property
    def server(self) -> RemoteServer:
        """The client for the server itself."""
        return self.tacit.server

    @property
    def workspace(self) -> str:
        """The current workspace."""
        return self.status.workspace

    def may(self, role: Role, *, server_wide: bool = False, for_every_user: bool = False) -> bool:
        """Whether the viewer has a role, in this workspace or for the whole server.

        A key that is bound to a user may not do what concerns every user.
        """
        if for_every_user and self.status.user is not None:
            return False
        return self.status.role.allows(role) and (self.status.server_wide or not server_wide)

    @property
    def may_write(self) -> bool:
        """Whether the viewer may change memories."""
        return self.may(Role.WRITE)

    @property
    def may_decide(self) -> bool:
        """Whether the viewer may decide reviews; an agent's key never may."""
        return self.may_write and self.status.agent is None

    def may_unmark(self, author: MarkAuthor) -> bool:
        """Whether the viewer may remove a mark; a bound key may remove only its own marks."""
        viewer = Viewer(agent=self.status.agent, user=self.status.user)
        return self.may_write and author.is_removable_by(viewer)

    @property
    def may_export(self) -> bool:
        """Whether the viewer may export; an export contains the memories of all users."""
        return self.status.agent is None and self.status.user is None

    def link(self, path: str, **query: Any) -> str:
        """The address of a page in the current workspace."""
        named = {} if self.workspace == DEFAULT_WORKSPACE else {WORKSPACE_PARAM: self.workspace}
        wanted = named | {name: value for name, value in query.items() if value is not None}
        return f"{path}?{urlencode(wanted)}" if wanted else path
