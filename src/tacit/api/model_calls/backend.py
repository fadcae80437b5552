"""What the calls of a model need of a memory: its turns and the variables of its sessions.

`Tacit`, `AsyncTacit` and `RemoteTacit` offer it, and nothing here knows them.
"""

from typing import Any, Protocol, TypeVar

from tacit.api.protocols.conversations import SessionsProtocol, TurnsProtocol
from tacit.core.errors import InvalidInput


class CallBackend(Protocol):
    """The turns of model calls, and the variables that find their sessions again."""

    @property
    def turns(self) -> TurnsProtocol:
        """The turns that calls begin and replies end."""

    @property
    def sessions(self) -> SessionsProtocol:
        """The sessions that calls belong to."""


Backend_co = TypeVar("Backend_co", covariant=True)


class CallSource(Protocol[Backend_co]):
    """A memory that says what its model calls use: itself without async calls or long waits."""

    def _for_calls(self) -> Backend_co: ...


def find_backend(tacit: CallSource[Backend_co]) -> Backend_co:
    """What the model calls of a memory use: a server is waited for no longer than by a turn."""
    found: Any = getattr(tacit, "_for_calls", None)
    if found is None:
        problem = f"{type(tacit).__name__!r} is no memory"
        raise InvalidInput("tacit", f"{problem}; pass what Tacit.open or Tacit.connect returns")
    own: Backend_co = found()
    return own
