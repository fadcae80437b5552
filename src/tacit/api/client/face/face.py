"""What every part of the face stands on: a server, as one workspace sees it."""

from typing import Any

from tacit.api.client.connection import Connection
from tacit.api.client.transport import Transport
from tacit.core.fields import check_field


class Face:
    """One workspace of a server, and what it takes to ask there."""

    def __init__(
        self, transport: Transport, workspace: str | None, *, is_view: bool = False
    ) -> None:
        self._transport = transport
        self._workspace: str | None = (
            None if workspace is None else check_field("workspace", workspace)
        )
        self._at = Connection(transport, self._workspace)
        self._is_view = is_view
        self._said: set[str] = set()

    @property
    def workspace(self) -> str:
        """The tenant that every call reads and writes; asked for once where the key says it."""
        if self._workspace is None:
            self._workspace = self._at.get("/v1/status", _workspace)
        return self._workspace


def _workspace(status: Any) -> str:
    return str(status["workspace"])
