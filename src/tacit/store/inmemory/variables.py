"""What workflows noted about sessions, in a dictionary."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from tacit.core.sessions import SessionVariable
from tacit.language.terms import WordMatcher
from tacit.store.inmemory.tables import Tables


class InMemoryVariables:
    """The variables of one workspace's sessions; values are kept as JSON, as elsewhere."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def of(self, session: str) -> list[SessionVariable]:
        """What is noted about a session, by name."""
        return [each for each in self._all() if each.session == session]

    def put(self, variable: SessionVariable) -> None:
        """Note something, instead of what the name stood for."""
        place = variable.session, variable.name
        self._tables.variables[place] = replace(variable, value=variable.written)

    def remove(self, session: str, name: str) -> bool:
        """Note it no longer; tells whether it was."""
        return self._tables.variables.pop((session, name), None) is not None

    def drop_holding(self, words: WordMatcher, is_meant: Callable[[SessionVariable], bool]) -> int:
        """Drop what is meant and these words stand in, whatever their case; returns how many."""
        held = [each for each in self._all() if words.stand_in(each.texts) and is_meant(each)]
        return sum(self.remove(each.session, each.name) for each in held)

    def prune(self, before: datetime) -> int:
        """Drop what was noted before a moment; returns how many."""
        old = [each for each in self._all() if each.at < before]
        return sum(self.remove(each.session, each.name) for each in old)

    def scan(self, after: SessionVariable | None, limit: int) -> list[SessionVariable]:
        """A page of all, by session and name."""
        place = (after.session, after.name) if after else ("", "")
        return [each for each in self._all() if (each.session, each.name) > place][:limit]

    def _all(self) -> list[SessionVariable]:
        kept = sorted(self._tables.variables.items())
        return [replace(each, value=json.loads(each.value)) for _, each in kept]
