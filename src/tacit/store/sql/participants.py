"""Who takes part in sessions and contexts, in SQL."""

from collections.abc import Sequence
from typing import Any

from tacit.core.sessions import Participant
from tacit.store.sql.table import SqlTable


class SqlParticipants(SqlTable):
    """The participants of one workspace's sessions."""

    topic = "participants"

    def of(self, session: str) -> list[Participant]:
        """Those that used the name of a session, by agent and user."""
        return [_participant(row) for row in self._rows("of", session=session)]

    def put(self, participant: Participant) -> None:
        """Note that they used it; that they took a turn stays so."""
        self._send("put", **_key(participant), took_turn=participant.took_turn)

    def release(self, participant: Participant) -> bool:
        """Forget a claim, if no turn was taken, none is open, and nothing is noted; tells so."""
        return self._run("release", **_key(participant)) > 0

    def clear(self, session: str) -> int:
        """Forget all of a session; returns how many."""
        return self._run("clear", session=session)

    def scan(self, after: Participant | None, limit: int) -> list[Participant]:
        """A page of all, by session, agent and user."""
        rows = self._rows("scan", **_key(after or Participant(session="")), limit=limit)
        return [_participant(row) for row in rows]

    def settle(self) -> None:
        """Note that those of turns taken before they were kept are known."""
        self._send("known")


def _key(participant: Participant) -> dict[str, str]:
    """The columns that tell participants apart, besides the workspace."""
    return {
        "session": participant.session,
        "agent": participant.agent or "",
        "user": participant.user or "",
    }


def _participant(row: Sequence[Any]) -> Participant:
    session, agent, user, took_turn = row
    return Participant(
        session=session, agent=agent or None, user=user or None, took_turn=bool(took_turn)
    )
