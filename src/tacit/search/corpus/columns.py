"""What filters and ranks a memory besides its text and vector, in arrays."""

from collections.abc import Sequence

import numpy as np

from tacit.core.kinds import Owner, Scope
from tacit.core.times import to_micros
from tacit.search.corpus.growing import Growing
from tacit.search.corpus.names import ANYONE, Names
from tacit.search.filter import Filter
from tacit.search.ranking.arrays import Flags, Integers
from tacit.store.indexed import IndexedBatch

_ALWAYS = np.iinfo(np.int64)


class Columns:
    """One row per memory, in the order they came."""

    def __init__(self) -> None:
        self.names = {
            name: Names() for name in ("type", "scope", "owner", "agent", "trust", "speaker")
        }
        self.sessions = Names()
        self.alive = Growing(bool)
        self.type = Growing(np.int16)
        self.scope = Growing(np.int16)
        self.owner = Growing(np.int32)
        self.agent = Growing(np.int32)
        self.trust = Growing(np.int16)
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

    def put(self, first: int, batch: IndexedBatch) -> None:
        """Set rows from `first` on."""
        span = slice(first, first + len(batch))
        for column, field, names in (
            (self.type, "type", self.names["type"]),
            (self.scope, "scope", self.names["scope"]),
            (self.owner, "scope_id", self.names["owner"]),
            (self.agent, "agent", self.names["agent"]),
            (self.trust, "trust", self.names["trust"]),
            (self.speaker, "speaker", self.names["speaker"]),
            (self.session, "session", self.sessions),
        ):
            column.data[span] = names.numbers(batch.column(field))
        for column, field in (
            (self.confidence, "confidence"),
            (self.importance, "importance"),
            (self.updated, "updated_at"),
        ):
            column.data[span] = batch.column(field)
        self.ordinal.data[span] = _filled(batch.column("ordinal"), ANYONE)
        self.starts.data[span] = _filled(batch.column("valid_from"), _ALWAYS.min)
        self.ends.data[span] = np.minimum(
            _filled(batch.column("valid_to"), _ALWAYS.max),
            _filled(batch.column("expires_at"), _ALWAYS.max),
        )
        gone = np.array(batch.column("superseded"), bool) | np.array(
            batch.column("forgotten"), bool
        )
        self.alive.data[span] = ~gone
        self.length.data[span] = [len(terms) // 8 for terms in batch.column("terms")]

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
        if filter.owners is not None:
            seen &= self._owned(filter.owners)
        if filter.agent is not None:
            agent = self.names["agent"].known(filter.agent)
            seen &= (self.agent.data == ANYONE) | (self.agent.data == agent)
        if filter.user is not None:
            seen &= self._shown_to(filter.user)
        if filter.owners is None and (filter.agent is not None or filter.user is not None):
            seen &= self._outside_sessions(filter)
        if filter.trust is not None:
            seen &= self.trust.data == self.names["trust"].known(filter.trust)
        if filter.min_confidence > 0:
            seen &= self.confidence.data >= filter.min_confidence
        return np.asarray(seen)

    def _shown_to(self, user: str) -> Flags:
        """Which rows a user may see: nobody's and their own of those that are users'."""
        own = self._owned([(Scope.USER, ""), (Scope.USER, user)])
        return np.asarray(own | (self.scope.data != self.names["scope"].known(Scope.USER)))

    def _outside_sessions(self, filter: Filter) -> Flags:
        """Which rows belong to no session, or to the one that is named as the owner."""
        outside = self.scope.data != self.names["scope"].known(Scope.SESSION)
        if filter.scope is Scope.SESSION and filter.scope_id is not None:
            return np.asarray(outside | self._owned([(Scope.SESSION, filter.scope_id)]))
        return np.asarray(outside)

    def _owned(self, owners: Sequence[Owner]) -> Flags:
        """Which rows belong to one of these."""
        owned = np.zeros(len(self.owner.data), bool)
        for scope, id in owners:
            scoped = self.scope.data == self.names["scope"].known(scope)
            owned |= scoped & (self.owner.data == self.names["owner"].known(id))
        return np.asarray(owned)


def _filled(values: Sequence[int | None], default: int) -> Integers:
    """Numbers, with a default where there is none."""
    return np.array([default if value is None else value for value in values], np.int64)
