"""Sessions and what is paused, in SQL."""

from datetime import UTC, datetime

from tacit.core.kinds import Scope
from tacit.core.permissions import Viewer
from tacit.core.sessions import Session
from tacit.core.times import to_micros
from tacit.store.sql.conversation_rows import from_session, to_session
from tacit.store.sql.table import SqlTable


class SqlSessions(SqlTable):
    """The sessions of one workspace, and what is paused."""

    topic = "sessions"

    def get(self, id: str) -> Session | None:
        """One session."""
        row = self._row("get", id=id)
        return to_session(row) if row else None

    def put(self, session: Session) -> None:
        """Add a session or replace what is known of it."""
        self._send("put", **from_session(session))

    def recent(self, limit: int, after: tuple[datetime, str] | None = None) -> list[Session]:
        """The sessions that were active last, or a page of them after this moment and id."""
        at, id = after or _BEFORE_ALL
        rows = self._rows("recent", at=to_micros(at), id=id, limit=limit)
        return [to_session(row) for row in rows]

    def recent_reached(
        self, reach: Viewer, limit: int, after: tuple[datetime, str] | None = None
    ) -> list[Session]:
        """The same of those sessions that a caller reaches."""
        at, id = after or _BEFORE_ALL
        place = {"at": to_micros(at), "id": id, "limit": limit}
        rows = self._rows("recent_reached", **place, agent=reach.agent, user=reach.user)
        return [to_session(row) for row in rows]

    def scan(self, after: str | None, limit: int) -> list[Session]:
        """A page of all sessions, by id."""
        return [to_session(row) for row in self._rows("scan", after=after or "", limit=limit)]

    def remove(self, id: str) -> bool:
        """Know a session no longer; tells whether it was known."""
        return self._run("remove", id=id) > 0

    def pause(self, scope: Scope, scope_id: str) -> None:
        """Leave a session or a project alone from now on."""
        self._send("pause", scope=str(scope), scope_id=scope_id)

    def resume(self, scope: Scope, scope_id: str) -> bool:
        """Serve it again; tells whether it was paused."""
        return self._run("resume", scope=str(scope), scope_id=scope_id) > 0

    def paused(self) -> set[tuple[Scope, str]]:
        """What is left alone."""
        return {(Scope(scope), id) for scope, id in self._rows("paused")}


_BEFORE_ALL = (datetime.max.replace(tzinfo=UTC), "")
"""A place in the list, newest first, that every session comes after."""
