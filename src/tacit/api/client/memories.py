"""`RemoteTacit`'s calls about memories: write, erase, assign, relate and review them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Unpack

from tacit.api.client.connection import (
    RemoteWorkspaceApi,
    actor_argument,
    memory_path,
    read_items,
    read_nothing,
    session_path,
)
from tacit.core.changes import AuditEntry, Review, ReviewReport
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_all_fields, check_field, check_ids, nested_field
from tacit.core.kinds import Actor, Relation, Scope, Sort
from tacit.core.memory import (
    Association,
    BaseFilters,
    Filters,
    Graph,
    Memory,
    check_assign_filters,
    check_erase_filters,
    check_filters,
    to_json_value,
)
from tacit.core.memory import to_json_value as in_json
from tacit.core.permissions import Viewer
from tacit.search.conflicts import Conflict
from tacit.writing.assignment import Assignment
from tacit.writing.draft import DRAFT_FIELDS, DraftFields, MemoryDraft, Written
from tacit.writing.erasure import Erasure, Sweep


class RemoteMemoryCalls(RemoteWorkspaceApi):
    """Write and read memories, one by one or many at once."""

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        """Store a statement; a repeated statement is recognised."""
        draft = _to_draft({"content": content, **fields})
        return self._connection.write(
            "/v1/memories", {**draft, **actor_argument(by)}, read=Written.from_dict
        )

    def remember_all(
        self, drafts: Iterable[str | Mapping[str, Any]], *, by: Actor | str = Actor.USER
    ) -> list[Written]:
        """Store many statements in one transaction: all or none."""
        if isinstance(drafts, str | Mapping):
            raise InvalidInput("drafts", "expected a list of texts or objects, not a single one")
        wishes = [_to_numbered_draft(number, draft) for number, draft in enumerate(drafts)]
        read = read_items(Written.from_dict)
        return self._connection.write(
            "/v1/memories/bulk", {"items": wishes, **actor_argument(by)}, read=read
        )

    def get(self, id: str) -> Memory:
        """One memory; forgotten memories are not found."""
        return self._connection.get(memory_path(id), Memory.from_dict)

    def get_all(self, ids: Iterable[str]) -> dict[str, Memory]:
        """Memories by their ids, in that order; unknown ids are left out."""
        asked = {"ids": check_ids(ids)}
        found = self._connection.read_with_body(
            "/v1/memories/bulk/get", asked, read_items(Memory.from_dict)
        )
        return {memory.id: memory for memory in found}

    def list(
        self,
        *,
        sort: Sort | str = Sort.RECENT,
        limit: int = 50,
        after: str | None = None,
        **filters: Unpack[Filters],
    ) -> list[Memory]:
        """A page of memories; `after` is the id of the last memory of the previous page.

        `state=None` lists every state; `agent` and `user` list what those may see.
        """
        return self._connection.get(
            "/v1/memories",
            read_items(Memory.from_dict),
            **_filter_params(filters),
            sort=check_field("sort", sort),
            limit=check_field("limit", limit),
            after=None if after is None else check_field("id", after),
        )

    def count(self, **filters: Unpack[Filters]) -> int:
        """The number of memories that `list` returns with these filters, on all pages."""
        return self._connection.get("/v1/memories/count", _read_count, **_filter_params(filters))

    def edit(self, id: str, *, by: Actor | str = Actor.USER, **changes: Any) -> Written:
        """Change the named fields; None clears an optional field."""
        values = _to_json_fields(check_all_fields(changes, DRAFT_FIELDS))
        return self._connection.change(
            "PATCH", memory_path(id), Written.from_dict, {**values, **actor_argument(by)}
        )

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Hide a memory from all reads; `restore` brings it back."""
        return self.forget_all([id], by=by)[0]

    def restore(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        """Restore a forgotten memory."""
        return self._connection.write(
            memory_path(id, "restore"), actor_argument(by), read=Written.from_dict
        )

    def forget_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Forget many memories in one transaction: all or none."""
        asked = {"ids": check_field("ids", ids), **actor_argument(by)}
        return self._connection.write(
            "/v1/memories/bulk/forget", asked, read=read_items(Written.from_dict)
        )

    def restore_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        """Restore many memories in one transaction: all or none."""
        asked = {"ids": check_field("ids", ids), **actor_argument(by)}
        return self._connection.write(
            "/v1/memories/bulk/restore", asked, read=read_items(Written.from_dict)
        )

    def history(self, id: str) -> Sequence[AuditEntry]:
        """All changes of a memory, oldest first, also of forgotten and erased ones."""
        return self._connection.get(memory_path(id, "history"), read_items(AuditEntry.from_dict))


def _filter_params(filters: Filters) -> dict[str, Any]:
    """Checked filters as query parameters."""
    checked = _to_json_fields(check_filters(filters))
    return {**checked, "any_state": True} if checked.get("state", "") is None else checked


def _read_count(answer: Any) -> int:
    return int(answer["count"])


def _to_numbered_draft(number: int, draft: str | Mapping[str, Any]) -> dict[str, Any]:
    given = _to_mapping(number, draft)
    with nested_field(f"drafts[{number}]"):
        return _to_draft(given)


def _to_mapping(number: int, draft: str | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(draft, str):
        return {"content": draft}
    if not isinstance(draft, Mapping):
        raise InvalidInput(f"drafts[{number}]", "expected text or an object with a content")
    return draft


def _to_draft(values: Mapping[str, Any]) -> dict[str, Any]:
    """A checked draft, with the fields that were given."""
    draft = MemoryDraft.of(values)
    return _to_json_fields({name: getattr(draft, name) for name in draft.given})


def _to_json_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Checked fields of a memory, ready for JSON."""
    return {name: in_json(value) for name, value in values.items()}


# Erasure


class RemoteErasureCalls(RemoteWorkspaceApi):
    """Erasure, with a receipt of what was removed; an interrupted call continues when repeated."""

    def erase(self, id: str, *, by: Actor | str = Actor.USER) -> Erasure:
        """Erase a memory and all traces of its words; reports what was removed and what is left.

        A call that was interrupted is finished by calling it again.
        """
        return self._connection.write(
            memory_path(id, "erase"), actor_argument(by), read=Erasure.from_dict
        )

    def erase_owner(
        self,
        scope: Scope | str,
        scope_id: str,
        *,
        dry_run: bool = False,
        by: Actor | str = Actor.USER,
    ) -> Sweep:
        """Erase all memories of an owner, in every state, and the turns asked in their name.

        For a user this includes the sessions in which no other named user spoke, for a session the
        session itself. An empty `scope_id` is the owner without a name, as in a personal store.
        """
        owner = {
            "scope": check_field("scope", scope),
            "scope_id": check_field("scope_id", scope_id),
        }
        asked = {**owner, "dry_run": dry_run, **actor_argument(by)}
        return self._connection.write("/v1/owners/erase", asked, read=Sweep.from_dict)

    def erase_session(
        self, session: str, *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        """Erase a session with everything said in it: memories, turns, blocks, chat logs."""
        asked = {"dry_run": dry_run, **actor_argument(by)}
        return self._connection.write(session_path(session, "erase"), asked, read=Sweep.from_dict)

    def erase_matching(
        self, *, dry_run: bool = False, by: Actor | str = Actor.USER, **filters: Unpack[Filters]
    ) -> Sweep:
        """Erase the memories that `list` returns with these filters, in every state.

        `state` limits that to one state; at least one filter is needed, and `agent` is not allowed.
        """
        named = {name: to_json_value(value) for name, value in check_erase_filters(filters).items()}
        asked = {**named, "dry_run": dry_run, **actor_argument(by)}
        return self._connection.write("/v1/memories/erase", asked, read=Sweep.from_dict)


# Assignment to users


_PAGE = 1_000
"""So many memories change hands in one request, so that none takes too long."""


class RemoteAssignmentCalls(RemoteWorkspaceApi):
    """Assign memories to users."""

    def assign(
        self,
        user: str,
        *,
        ids: Iterable[str] | None = None,
        from_user: str = "",
        limit: int | None = None,
        after: str | None = None,
        dry_run: bool = False,
        by: Actor | str = Actor.USER,
        progress: Callable[[int, int], None] = lambda *_: None,
        **filters: Unpack[BaseFilters],
    ) -> Assignment:
        """Assign memories of the scope `user` to a user: those named, or all without a user.

        `from_user` selects the memories of another user instead, and the filters of `list` narrow
        that; all states are included unless one is named. An interrupted call can be repeated.
        `limit` stops after that many memories, and `after` continues from there. `progress`
        receives how many are done, and the total, or 0 if that is unknown.
        """
        owner = check_field("user", user)
        named = None if ids is None else list(dict.fromkeys(check_field("ids", ids)))
        conditions = check_assign_filters(owner, named, from_user, filters)
        whose = {"ids": named} if named is not None else {"from_user": from_user}
        asked = {
            "user": owner,
            **whose,
            **{name: to_json_value(value) for name, value in conditions.items()},
            "dry_run": dry_run,
            **actor_argument(by),
        }
        most = None if limit is None else check_field("limit", limit)
        place = None if after is None else check_field("id", after)
        return self._assign_pages(asked, most, place, progress)

    def _assign_pages(
        self,
        asked: dict[str, Any],
        limit: int | None,
        after: str | None,
        progress: Callable[[int, int], None],
    ) -> Assignment:
        done = Assignment(user=asked["user"], dry_run=asked["dry_run"], next=after)
        while True:
            size = _PAGE if limit is None else min(_PAGE, limit - done.total)
            page = {**asked, "limit": size, "after": done.next}
            done += self._connection.write("/v1/memories/assign", page, read=Assignment.from_dict)
            progress(done.total, 0)
            if done.next is None or (limit is not None and done.total >= limit):
                return done


# Relations


class RemoteRelationCalls(RemoteWorkspaceApi):
    """Links between memories, and conflicts between them."""

    def link(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        weight: float = 0.5,
        by: Actor | str = Actor.USER,
    ) -> Association:
        """Link two memories; a repeated call changes the weight."""
        values = {"source": source, "target": target, "relation": relation, "weight": weight}
        edge = Association.from_dict(values)
        asked = {**edge.to_dict(), **actor_argument(by)}
        return self._connection.write("/v1/links", asked, read=Association.from_dict)

    def unlink(
        self,
        source: str,
        target: str,
        relation: Relation | str = Relation.RELATED_TO,
        *,
        by: Actor | str = Actor.USER,
    ) -> None:
        """Remove a link."""
        self._connection.change(
            "DELETE",
            "/v1/links",
            read_nothing,
            source=check_field("id", source),
            target=check_field("id", target),
            relation=check_field("relation", relation),
            **actor_argument(by),
        )

    def links(
        self, id: str, *, agent: str | None = None, user: str | None = None
    ) -> Sequence[Association]:
        """The links of a memory, in both directions.

        `agent` and `user` leave out those to memories that they may not see.
        """
        who = asdict(Viewer.of(agent, user))
        return self._connection.get(
            memory_path(id, "links"), read_items(Association.from_dict), **who
        )

    def graph(
        self,
        id: str,
        *,
        depth: int = 1,
        limit: int = 100,
        agent: str | None = None,
        user: str | None = None,
    ) -> Graph:
        """The memories at most `depth` links away from one, nearest first.

        `agent` and `user` leave out what those may not see.
        """
        path, size = memory_path(id, "graph"), check_field("limit", limit)
        return self._connection.get(
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
        """Live memories that contradict each other and can be seen together.

        `after` is the id of the last conflict of the page before; `agent` and `user` leave out what
        those may not see.
        """
        path, size, who = (
            "/v1/memory/conflicts",
            check_field("limit", limit),
            Viewer.of(agent, user),
        )
        read = read_items(Conflict.from_dict)
        return self._connection.get(path, read, limit=size, after=after, **asdict(who))

    def resolve(
        self,
        *,
        keep: str | None = None,
        supersede: Iterable[str] = (),
        keep_both: Iterable[str] = (),
        reason: str = "",
        by: Actor | str = Actor.USER,
    ) -> Sequence[Written]:
        """Resolve a conflict: `keep` supersedes the others, or all of `keep_both` are right.

        What became of each memory but `keep`; what only a person may decide becomes a review.
        """
        asked = {
            "keep": None if keep is None else check_field("id", keep),
            "supersede": check_field("ids", supersede),
            "keep_both": check_field("ids", keep_both),
            "reason": check_field("reason", reason),
            **actor_argument(by),
        }
        path = "/v1/memory/conflicts/resolve"
        return self._connection.write(path, asked, read=read_items(Written.from_dict))


# Reviews


class RemoteReviewCalls(RemoteWorkspaceApi):
    """Changes that wait for a person: list, accept and reject them."""

    def reviews(
        self,
        *,
        limit: int = 50,
        after: str | None = None,
        agent: str | None = None,
        user: str | None = None,
    ) -> Sequence[Review]:
        """Changes that wait for a person, oldest first.

        `agent` and `user` leave out what is about memories that they may not see.
        """
        size, who = check_field("limit", limit), Viewer.of(agent, user)
        last = None if after is None else check_field("id", after)
        read = read_items(Review.from_dict)
        return self._connection.get("/v1/reviews", read, limit=size, after=last, **asdict(who))

    def review(self, id: str, *, agent: str | None = None, user: str | None = None) -> ReviewReport:
        """One pending change, with the memory as it is and as it would become.

        For an `agent` and a `user`, what is about memories that they may not see is not there.
        """
        path, who = _review_path(id), Viewer.of(agent, user)
        return self._connection.get(path, ReviewReport.from_dict, **asdict(who))

    def accept(self, id: str, *, reason: str = "", by: Actor | str = Actor.USER) -> Written:
        """Carry out a pending change in the name of the person who accepts it."""
        asked = {"reason": check_field("reason", reason), **actor_argument(by)}
        return self._connection.write(_review_path(id, "/accept"), asked, read=Written.from_dict)

    def reject(self, id: str, *, reason: str = "", by: Actor | str = Actor.USER) -> Review:
        """Reject a pending change; no memory changes."""
        asked = {"reason": check_field("reason", reason), **actor_argument(by)}
        return self._connection.write(_review_path(id, "/reject"), asked, read=Review.from_dict)


def _review_path(id: str, what: str = "") -> str:
    """The path of a review, or of an action on it."""
    return f"/v1/reviews/{check_field('id', id)}{what}"
