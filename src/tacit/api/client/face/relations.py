"""Relations: how memories stand to each other."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from tacit.api.client.answers import items, nothing
from tacit.api.client.arguments import memory_path, said_by
from tacit.api.client.face.face import Face
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, Relation
from tacit.core.memory import Association, Graph
from tacit.core.permissions import Viewer
from tacit.search.conflicts import Conflict
from tacit.writing.draft import Written


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
        asked = {**edge.to_dict(), **said_by(by)}
        return self._at.write("/v1/links", asked, read=Association.from_dict)

    def unlink(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        by: Actor | str = Actor.USER,
    ) -> None:
        """Remove an association."""
        self._at.change(
            "DELETE",
            "/v1/links",
            nothing,
            source=check_field("id", source),
            target=check_field("id", target),
            relation=check_field("relation", relation),
            **said_by(by),
        )

    def links(
        self, id: str, *, agent: str | None = None, user: str | None = None
    ) -> Sequence[Association]:
        """The associations at a memory, in both directions.

        `agent` and `user` leave out those to memories that they may not see.
        """
        who = asdict(Viewer.of(agent, user))
        return self._at.get(memory_path(id, "links"), items(Association.from_dict), **who)

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
        path, size = memory_path(id, "graph"), check_field("limit", limit)
        return self._at.get(
            path, Graph.from_dict, depth=depth, limit=size, **asdict(Viewer.of(agent, user))
        )

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
        path, size, who = (
            "/v1/memory/conflicts",
            check_field("limit", limit),
            Viewer.of(agent, user),
        )
        read = items(Conflict.from_dict)
        return self._at.get(path, read, limit=size, after=after, **asdict(who))

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
        asked = {
            "keep": None if keep is None else check_field("id", keep),
            "supersede": check_field("ids", supersede),
            "keep_both": check_field("ids", keep_both),
            "reason": check_field("reason", reason),
            **said_by(by),
        }
        path = "/v1/memory/conflicts/resolve"
        return self._at.write(path, asked, read=items(Written.from_dict))
