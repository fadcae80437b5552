"""What workflows noted about sessions, in SQL."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from tacit.core.sessions import SessionVariable
from tacit.core.times import from_micros, to_micros
from tacit.language.terms import WordMatcher
from tacit.store.sql.table import SqlTable

_PAGE = 1_000


class SqlVariables(SqlTable):
    """The variables of one workspace's sessions."""

    topic = "variables"

    def of(self, session: str) -> list[SessionVariable]:
        """What is noted about a session, by name."""
        return [_variable(row) for row in self._rows("of", session=session)]

    def put(self, variable: SessionVariable) -> None:
        """Note something, instead of what the name stood for."""
        self._send(
            "put",
            session=variable.session,
            name=variable.name,
            value=variable.written,
            at=to_micros(variable.at),
        )

    def remove(self, session: str, name: str) -> bool:
        """Note it no longer; tells whether it was."""
        return self._run("remove", session=session, name=name) > 0

    def drop_holding(self, words: WordMatcher, is_meant: Callable[[SessionVariable], bool]) -> int:
        """Drop what is meant and these words stand in, whatever their case; returns how many."""
        dropped, after = 0, None
        while page := self.scan(after, _PAGE):
            after = page[-1]
            held = [each for each in page if words.stand_in(each.texts) and is_meant(each)]
            dropped += sum(self.remove(each.session, each.name) for each in held)
        return dropped

    def prune(self, before: datetime) -> int:
        """Drop what was noted before a moment; returns how many."""
        return self._run("prune", before=to_micros(before))

    def scan(self, after: SessionVariable | None, limit: int) -> list[SessionVariable]:
        """A page of all, by session and name."""
        session, name = (after.session, after.name) if after else ("", "")
        rows = self._rows("scan", session=session, name=name, limit=limit)
        return [_variable(row) for row in rows]


def _variable(row: Sequence[Any]) -> SessionVariable:
    session, name, value, at = row
    return SessionVariable(session=session, name=name, value=json.loads(value), at=from_micros(at))
