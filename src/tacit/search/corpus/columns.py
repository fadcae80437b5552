"""What filters and ranks a memory besides its text and vector, in arrays."""

from collections.abc import Sequence

import numpy as np

from tacit.memory import to_micros
from tacit.ranking.arrays import Flags
from tacit.search.corpus.growing import Growing
from tacit.search.corpus.names import ANYONE, Names
from tacit.search.filter import Filter
from tacit.store import Indexed

_ALWAYS = np.iinfo(np.int64)


class Columns:
    """One row per memory, in the order they came."""

    def __init__(self) -> None:
        self.names = {name: Names() for name in ("type", "scope", "owner", "agent", "speaker")}
        self.sessions = Names()
        self.alive = Growing(bool)
        self.type = Growing(np.int16)
        self.scope = Growing(np.int16)
        self.owner = Growing(np.int32)
        self.agent = Growing(np.int32)
        self.speaker = Growing(np.int32)
        self.session = Growing(np.int32)
        self.ordinal = Growing(np.int64)
        self.confidence = Growing(np.float32)
        self.importance = Growing(np.float32)
        self.updated = Growing(np.int64)
        self.starts = Growing(np.int64)
        self.ends = Growing(np.int64)
        self.length = Growing(np.int32)

    def resize(self, size: int) -> None:
        """Make room for so many rows."""
        for column in vars(self).values():
            if isinstance(column, Growing):
                column.resize(size)

    def put(self, first: int, rows: Sequence[Indexed]) -> None:
        """Set rows from `first` on."""
        span = slice(first, first + len(rows))
        self.alive.data[span] = [not (row.superseded or row.forgotten) for row in rows]
        self.type.data[span] = [self.names["type"].number(row.type) for row in rows]
        self.scope.data[span] = [self.names["scope"].number(row.scope) for row in rows]
        self.owner.data[span] = [self.names["owner"].number(row.scope_id) for row in rows]
        self.agent.data[span] = [self.names["agent"].number(row.agent) for row in rows]
        self.speaker.data[span] = [self.names["speaker"].number(row.speaker) for row in rows]
        self.session.data[span] = [self.sessions.number(row.session) for row in rows]
        self.ordinal.data[span] = [ANYONE if row.ordinal is None else row.ordinal for row in rows]
        self.confidence.data[span] = [row.confidence for row in rows]
        self.importance.data[span] = [row.importance for row in rows]
        self.updated.data[span] = [row.updated_at for row in rows]
        self.starts.data[span] = [_or(row.valid_from, _ALWAYS.min) for row in rows]
        self.ends.data[span] = [
            min(_or(row.valid_to, _ALWAYS.max), _or(row.expires_at, _ALWAYS.max)) for row in rows
        ]
        self.length.data[span] = [len(row.terms) // 8 for row in rows]

    def visible(self, filter: Filter) -> Flags:
        """Which rows a search may see."""
        now = to_micros(filter.now)
        seen = self.alive.data & (self.starts.data <= now) & (self.ends.data > now)
        if filter.types is not None:
            wanted = [self.names["type"].known(type) for type in filter.types]
            seen &= np.isin(self.type.data, wanted)
        if filter.scope is not None:
            seen &= self.scope.data == self.names["scope"].known(filter.scope)
        if filter.scope_id is not None:
            seen &= self.owner.data == self.names["owner"].known(filter.scope_id)
        if filter.agent is not None:
            agent = self.names["agent"].known(filter.agent)
            seen &= (self.agent.data == ANYONE) | (self.agent.data == agent)
        if filter.min_confidence > 0:
            seen &= self.confidence.data >= filter.min_confidence
        return np.asarray(seen)


def _or(value: int | None, default: int) -> int:
    return default if value is None else value
