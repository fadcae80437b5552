"""`RemoteTacit`'s calls about memories and episodes: write, erase, assign, relate, review."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Unpack

from tacit.api.client.connection import RemoteWorkspaceApi, actor_argument, read_items
from tacit.api.client.endpoints import endpoint
from tacit.api.protocols.episodes import EpisodeProtocol
from tacit.api.protocols.memories import (
    AssignmentProtocol,
    ChangeProtocol,
    ErasureProtocol,
    MemoryProtocol,
    RelationProtocol,
    ReviewProtocol,
    SearchProtocol,
)
from tacit.core.errors import InvalidInput
from tacit.core.fields import check_all_fields, check_field, check_ids, nested_field
from tacit.core.json_value import to_json_value
from tacit.core.kinds import Actor, Sort
from tacit.core.memory import (
    BaseFilters,
    Filters,
    Memory,
    check_assign_filters,
    check_erase_filters,
    check_filters,
)
from tacit.writing.assignment import Assignment
from tacit.writing.draft import DRAFT_FIELDS, DraftFields, MemoryDraft, Written
from tacit.writing.erasure import Sweep


class RemoteMemoryCalls(RemoteWorkspaceApi, MemoryProtocol, SearchProtocol):
    """Write, read and search memories, one by one or many at once."""

    get = endpoint(MemoryProtocol.get, "GET /v1/memories/{id}")
    restore = endpoint(MemoryProtocol.restore, "POST /v1/memories/{id}/restore")
    forget_all = endpoint(MemoryProtocol.forget_all, "POST /v1/memories/bulk/forget")
    restore_all = endpoint(MemoryProtocol.restore_all, "POST /v1/memories/bulk/restore")
    history = endpoint(MemoryProtocol.history, "GET /v1/memories/{id}/history")
    search = endpoint(SearchProtocol.search, "POST /v1/search", is_read_only=True)

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        draft = _to_draft({"content": content, **fields})
        return self._connection.write(
            "/v1/memories", {**draft, **actor_argument(by)}, read=Written.from_dict
        )

    def remember_all(
        self, drafts: Iterable[str | Mapping[str, Any]], *, by: Actor | str = Actor.USER
    ) -> list[Written]:
        if isinstance(drafts, str | Mapping):
            raise InvalidInput("drafts", "expected a list of texts or objects, not a single one")
        wishes = [_to_numbered_draft(number, draft) for number, draft in enumerate(drafts)]
        read = read_items(Written.from_dict)
        return self._connection.write(
            "/v1/memories/bulk", {"items": wishes, **actor_argument(by)}, read=read
        )

    def get_all(self, ids: Iterable[str]) -> dict[str, Memory]:
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
        return self._connection.get(
            "/v1/memories",
            read_items(Memory.from_dict),
            **_filter_params(filters),
            sort=check_field("sort", sort),
            limit=check_field("limit", limit),
            after=None if after is None else check_field("id", after, "after"),
        )

    def count(self, **filters: Unpack[Filters]) -> int:
        return self._connection.get("/v1/memories/count", _read_count, **_filter_params(filters))

    def edit(self, id: str, *, by: Actor | str = Actor.USER, **changes: Any) -> Written:
        values = _to_json_fields(check_all_fields(changes, DRAFT_FIELDS))
        path, body = f"/v1/memories/{check_field('id', id)}", {**values, **actor_argument(by)}
        return self._connection.change("PATCH", path, Written.from_dict, body)

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        return self.forget_all([id], by=by)[0]


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
    return {name: to_json_value(value) for name, value in values.items()}


# Episodes


class RemoteEpisodeCalls(RemoteWorkspaceApi, EpisodeProtocol):
    """List, keep and forget what was said."""

    episodes = endpoint(EpisodeProtocol.episodes, "GET /v1/episodes", fields={"after": "id"})
    episode = endpoint(EpisodeProtocol.episode, "GET /v1/episodes/{id}")
    forget_episode = endpoint(EpisodeProtocol.forget_episode, "POST /v1/episodes/{id}/forget")
    restore_episode = endpoint(EpisodeProtocol.restore_episode, "POST /v1/episodes/{id}/restore")

    def promote_episode(
        self, id: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        values = _to_json_fields(check_all_fields(fields, DRAFT_FIELDS))
        path = f"/v1/episodes/{check_field('id', id)}/promote"
        return self._connection.write(
            path, {**values, **actor_argument(by)}, read=Written.from_dict
        )


# Erasure


class RemoteErasureCalls(RemoteWorkspaceApi, ErasureProtocol):
    """Erasure, with a receipt of what was removed; an interrupted call continues when repeated."""

    erase = endpoint(ErasureProtocol.erase, "POST /v1/memories/{id}/erase")
    erase_owner = endpoint(ErasureProtocol.erase_owner, "POST /v1/owners/erase")
    erase_session = endpoint(ErasureProtocol.erase_session, "POST /v1/sessions/{session}/erase")

    def erase_matching(
        self, *, dry_run: bool = False, by: Actor | str = Actor.USER, **filters: Unpack[Filters]
    ) -> Sweep:
        named = _to_json_fields(check_erase_filters(filters))
        asked = {**named, "dry_run": dry_run, **actor_argument(by)}
        return self._connection.write("/v1/memories/erase", asked, read=Sweep.from_dict)


# Assignment to users


_PAGE = 1_000
"""So many memories change hands in one request, so that none takes too long."""


class RemoteAssignmentCalls(RemoteWorkspaceApi, AssignmentProtocol):
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
        owner = check_field("user", user)
        named = None if ids is None else list(dict.fromkeys(check_field("ids", ids)))
        conditions = check_assign_filters(owner, named, from_user, filters)
        whose = {"ids": named} if named is not None else {"from_user": from_user}
        asked = {
            "user": owner,
            **whose,
            **_to_json_fields(conditions),
            "dry_run": dry_run,
            **actor_argument(by),
        }
        most = None if limit is None else check_field("limit", limit)
        place = None if after is None else check_field("id", after, "after")
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


# Relations and reviews


class RemoteRelationCalls(RemoteWorkspaceApi, RelationProtocol):
    """Links between memories, and conflicts between them."""

    link = endpoint(RelationProtocol.link, "POST /v1/links")
    unlink = endpoint(RelationProtocol.unlink, "DELETE /v1/links")
    links = endpoint(RelationProtocol.links, "GET /v1/memories/{id}/links")
    graph = endpoint(RelationProtocol.graph, "GET /v1/memories/{id}/graph")
    conflicts = endpoint(RelationProtocol.conflicts, "GET /v1/memory/conflicts")
    resolve = endpoint(RelationProtocol.resolve, "POST /v1/memory/conflicts/resolve")


class RemoteChangeCalls(RemoteWorkspaceApi, ChangeProtocol):
    """What memory did by itself: see it, and undo it."""

    changes = endpoint(ChangeProtocol.changes, "GET /v1/changes", fields={"after": "id"})
    undo_change = endpoint(ChangeProtocol.undo_change, "POST /v1/changes/{id}/undo")


class RemoteReviewCalls(RemoteWorkspaceApi, ReviewProtocol):
    """Changes that wait for a person: list, accept and reject them."""

    reviews = endpoint(ReviewProtocol.reviews, "GET /v1/reviews", fields={"after": "id"})
    review = endpoint(ReviewProtocol.review, "GET /v1/reviews/{id}")
    accept = endpoint(ReviewProtocol.accept, "POST /v1/reviews/{id}/accept")
    reject = endpoint(ReviewProtocol.reject, "POST /v1/reviews/{id}/reject")
