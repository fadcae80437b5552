"""Relations: how memories stand to each other."""

from collections.abc import Iterable, Sequence
from functools import partial

from tacit.api.conflicts import Reader, conflicts
from tacit.api.face.face import Face
from tacit.api.graph import around, links_of
from tacit.api.visibility import is_visible
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, Relation
from tacit.core.memory import Association, Graph
from tacit.core.permissions import Viewer
from tacit.search.conflicts import Conflict
from tacit.writing.draft import Written
from tacit.writing.relations import (
    link_memories,
    reconcile_memories,
    supersede_memories,
    unlink_memories,
)

_DEEPEST = 4


class Relations(Face):
    """Links between memories, and conflicts among them."""

    def link(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        weight: float = 0.5,
        by: Actor | str = Actor.USER,
    ) -> Association:
        """Relate two memories; a repeat changes the weight."""
        values = {"source": source, "target": target, "relation": relation, "weight": weight}
        edge = Association.from_dict(values)
        return self._write(by, lambda author: link_memories(author, edge))

    def unlink(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        by: Actor | str = Actor.USER,
    ) -> None:
        """Remove an association."""
        ends = check_field("id", source), check_field("id", target)
        kind = check_field("relation", relation)
        self._write(by, lambda author: unlink_memories(author, *ends, kind))

    def links(
        self, id: str, *, agent: str | None = None, user: str | None = None
    ) -> Sequence[Association]:
        """The associations at a memory, in both directions.

        `agent` and `user` leave out those to memories that they may not see.
        """
        memory, viewer = self._known(id), Viewer.of(agent, user)
        return self._read(lambda unit: links_of(unit, memory.id, viewer))

    def graph(
        self,
        id: str,
        *,
        depth: int = 1,
        limit: int = 100,
        agent: str | None = None,
        user: str | None = None,
    ) -> Graph:
        """The memories around one that are so many steps away at most, nearest first.

        `agent` and `user` leave out what those may not see.
        """
        memory, viewer = self._known(id), Viewer.of(agent, user)
        if not self._read(lambda unit: is_visible(viewer, unit, memory)):
            raise NotFound(f"there is no memory {memory.id} in workspace {self.workspace!r}")
        size = check_field("limit", limit)
        if not 1 <= depth <= _DEEPEST:
            raise InvalidInput("depth", f"expected a whole number from 1 to {_DEEPEST}")
        find = partial(around, depth=depth, limit=size, viewer=viewer, now=self._clock())
        return self._read(lambda unit: find(unit, memory.id))

    def conflicts(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[Conflict]:
        """Live memories that cannot all be current, though somebody may see them together.

        `after` is the id of the last conflict of the page before; `agent` and `user` leave out what
        those may not see.
        """
        size, now = check_field("limit", limit), self._clock()
        who = Viewer.of(agent, user)
        return self._read(
            lambda unit: conflicts(Reader(unit=unit, now=now, viewer=who), size, after)
        )

    def resolve(
        self,
        *,
        keep: str | None = None,
        supersede: Iterable[str] = (),
        keep_both: Iterable[str] = (),
        reason: str = "",
        by: Actor | str = Actor.USER,
    ) -> Sequence[Written]:
        """End a conflict: `keep` replaces those to `supersede`, or all of `keep_both` are right.

        What became of each memory but `keep`; what only a person may decide becomes a review.
        """
        losers, right = check_field("ids", supersede), check_field("ids", keep_both)
        why = check_field("reason", reason)
        if (keep is None) == (not right) or (keep is None and losers):
            raise InvalidInput("keep", "give keep and supersede, or else keep_both")
        if keep is None:
            return self._write(by, lambda author: reconcile_memories(author, right, why))
        winner = check_field("id", keep)
        return self._write(by, lambda author: supersede_memories(author, winner, losers, why))
