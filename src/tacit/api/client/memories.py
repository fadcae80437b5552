"""`RemoteTacit`'s calls about memories and episodes: write, erase, assign, relate, review."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Unpack

from tacit.api.client.connection import RemotePart, actor_argument, read_items
from tacit.api.client.endpoints import endpoint
from tacit.api.protocols.episodes import EpisodesProtocol
from tacit.api.protocols.memories import (
    ChangesProtocol,
    ConflictsProtocol,
    MemoriesProtocol,
    ProfileProtocol,
    ReviewsProtocol,
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
from tacit.core.owners import name_owner, parse_owner
from tacit.writing.assignment import Assignment
from tacit.writing.draft import DRAFT_FIELDS, DraftFields, MemoryDraft, Written
from tacit.writing.erasure import Sweep

_PAGE = 1_000
"""So many memories are assigned in one request, so that none takes too long."""


class RemoteMemories(RemotePart, MemoriesProtocol):
    """Write, read, search, erase, assign and link memories, one by one or many at once."""

    get = endpoint(MemoriesProtocol.get, "GET /v1/memories/{id}")
    restore = endpoint(MemoriesProtocol.restore, "POST /v1/memories/{id}/restore")
    forget_all = endpoint(MemoriesProtocol.forget_all, "POST /v1/memories/bulk/forget")
    restore_all = endpoint(MemoriesProtocol.restore_all, "POST /v1/memories/bulk/restore")
    history = endpoint(MemoriesProtocol.history, "GET /v1/memories/{id}/history")
    search = endpoint(MemoriesProtocol.search, "POST /v1/search", is_read_only=True)

    erase = endpoint(MemoriesProtocol.erase, "POST /v1/memories/{id}/erase")
    erase_session = endpoint(MemoriesProtocol.erase_session, "POST /v1/sessions/{session}/erase")
    link = endpoint(MemoriesProtocol.link, "POST /v1/links")
    unlink = endpoint(MemoriesProtocol.unlink, "DELETE /v1/links")
    links = endpoint(MemoriesProtocol.links, "GET /v1/memories/{id}/links")
    graph = endpoint(MemoriesProtocol.graph, "GET /v1/memories/{id}/graph")

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
        values = _to_json_fields(check_all_fields(name_owner(changes), DRAFT_FIELDS))
        path, body = f"/v1/memories/{check_field('id', id)}", {**values, **actor_argument(by)}
        return self._connection.change("PATCH", path, Written.from_dict, body)

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        return self.forget_all([id], by=by)[0]

    def erase_owner(
        self, owner: str, *, dry_run: bool = False, by: Actor | str = Actor.USER
    ) -> Sweep:
        scope, id = parse_owner(owner)
        asked = {"scope": scope, "scope_id": id, "dry_run": dry_run, **actor_argument(by)}
        return self._connection.write("/v1/owners/erase", asked, read=Sweep.from_dict)

    def erase_matching(
        self, *, dry_run: bool = False, by: Actor | str = Actor.USER, **filters: Unpack[Filters]
    ) -> Sweep:
        named = _to_json_fields(check_erase_filters(filters))
        asked = {**named, "dry_run": dry_run, **actor_argument(by)}
        return self._connection.write("/v1/memories/erase", asked, read=Sweep.from_dict)

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


class RemoteEpisodes(RemotePart, EpisodesProtocol):
    """List, keep and forget what was said."""

    list = endpoint(EpisodesProtocol.list, "GET /v1/episodes", fields={"after": "id"})
    get = endpoint(EpisodesProtocol.get, "GET /v1/episodes/{id}")
    forget = endpoint(EpisodesProtocol.forget, "POST /v1/episodes/{id}/forget")
    restore = endpoint(EpisodesProtocol.restore, "POST /v1/episodes/{id}/restore")

    def promote(
        self, id: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        values = _to_json_fields(check_all_fields(name_owner(fields), DRAFT_FIELDS))
        path = f"/v1/episodes/{check_field('id', id)}/promote"
        return self._connection.write(
            path, {**values, **actor_argument(by)}, read=Written.from_dict
        )


class RemoteProfiles(RemotePart, ProfileProtocol):
    """What is known of a person."""

    profile = endpoint(ProfileProtocol.profile, "GET /v1/profile")


# Conflicts, changes and reviews


class RemoteConflicts(RemotePart, ConflictsProtocol):
    """Memories that contradict each other: list and resolve them."""

    list = endpoint(ConflictsProtocol.list, "GET /v1/memory/conflicts")
    resolve = endpoint(ConflictsProtocol.resolve, "POST /v1/memory/conflicts/resolve")


class RemoteChanges(RemotePart, ChangesProtocol):
    """What memory did by itself: see it, and undo it."""

    list = endpoint(ChangesProtocol.list, "GET /v1/changes", fields={"after": "id"})
    undo = endpoint(ChangesProtocol.undo, "POST /v1/changes/{id}/undo")


class RemoteReviews(RemotePart, ReviewsProtocol):
    """Changes that wait for a person: list, accept and reject them."""

    list = endpoint(ReviewsProtocol.list, "GET /v1/reviews", fields={"after": "id"})
    get = endpoint(ReviewsProtocol.get, "GET /v1/reviews/{id}")
    accept = endpoint(ReviewsProtocol.accept, "POST /v1/reviews/{id}/accept")
    reject = endpoint(ReviewsProtocol.reject, "POST /v1/reviews/{id}/reject")
    unread_turns = endpoint(ReviewsProtocol.unread_turns, "GET /v1/learn/unread")
    retry_unread_turn = endpoint(
        ReviewsProtocol.retry_unread_turn, "POST /v1/learn/unread/{id}/retry"
    )
    drop_unread_turn = endpoint(ReviewsProtocol.drop_unread_turn, "DELETE /v1/learn/unread/{id}")
