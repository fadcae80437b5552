"""Calls for programs that serve a store to others: keys, kept answers, what a caller reaches."""

from tacit.api.answers import Answers
from tacit.api.face.face import Face
from tacit.api.keys import Keyring
from tacit.api.ownership import Ownership
from tacit.core.permissions import Viewer


class AccessCalls(Face):
    """The calls that a server needs to tell its callers apart."""

    @property
    def keys(self) -> Keyring:
        """The keys of the store, for every workspace."""
        return Keyring(self._store, self._clock)

    @property
    def answers(self) -> Answers:
        """Answers to requests that may come again."""
        return Answers(self._store, self._workspace, self._clock)

    def reached_by(self, reach: Viewer) -> Ownership:
        """The sessions, turns, receipts and events that a caller reaches."""
        return Ownership(
            self._means, reach, learning=self._learning, workspaces=lambda: self._workspaces
        )
