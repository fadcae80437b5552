"""Calls about memories: remember, read, list, edit, forget and restore."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Unpack

from tacit.api.protocols.memories import MemoryProtocol
from tacit.api.visibility import hidden_from
from tacit.api.workspace import WorkspaceApi
from tacit.core.changes import AuditEntry
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import check_field, check_ids, nested_field
from tacit.core.kinds import AGENTS, Actor, Sort
from tacit.core.memory import Filters, Memory, check_filters
from tacit.core.permissions import Viewer
from tacit.language.redaction.redact import redact_pieces
from tacit.settings.writing import WritePolicy
from tacit.store.ownership import EraseBounds
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.writing.author import Author
from tacit.writing.draft import DraftFields, MemoryDraft, Status, Written
from tacit.writing.remember import edit_memory, forget_memory, remember_all, restore_memory
from tacit.writing.reviews import submit_drafts

SHORTEST_ENDING = 4


class MemoryCalls(WorkspaceApi, MemoryProtocol):
    """Write and read memories, one by one or many at once."""

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        return self._remember([MemoryDraft.of({"content": content, **fields})], by)[0]

    def remember_all(
        self, drafts: Iterable[str | Mapping[str, Any]], *, by: Actor | str = Actor.USER
    ) -> list[Written]:
        if isinstance(drafts, str | Mapping):
            raise InvalidInput("drafts", "expected a list of texts or objects, not a single one")
        given = _without_cut_secrets(list(drafts))
        return self._remember([_to_draft(each, draft) for each, draft in enumerate(given)], by)

    def get(self, id: str) -> Memory:
        return self._load_memory(id)

    def get_all(self, ids: Iterable[str]) -> dict[str, Memory]:
        wanted = check_ids(ids)
        found = self._read(lambda unit: unit.memories.get(wanted))
        return {id: found[id] for id in wanted if id in found and not found[id].forgotten}

    def list(
        self,
        *,
        sort: Sort | str = Sort.RECENT,
        limit: int = 50,
        after: str | None = None,
        **filters: Unpack[Filters],
    ) -> list[Memory]:
        query = Query(
            **check_filters(filters),
            now=self._clock(),
            sort=check_field("sort", sort),
            limit=check_field("limit", limit),
            after=None if after is None else check_field("id", after, "after"),
        )
        return self._read(lambda unit: _find_page(unit, query))

    def count(self, **filters: Unpack[Filters]) -> int:
        query = Query(**check_filters(filters), now=self._clock())
        return self._read(lambda unit: unit.memories.total(query))

    def edit(self, id: str, *, by: Actor | str = Actor.USER, **changes: Any) -> Written:
        checked = check_field("id", id)
        embedded = self._memory_embedder.embed_change(checked, changes)

        def work(author: Author) -> Written:
            written = edit_memory(author, checked, changes)
            fresh = embedded.get(written.memory.search_text)
            if fresh is not None and written.status is Status.UPDATED:
                author.unit.vectors.put(written.id, *fresh)
            return written

        return self._write(by, work)

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        checked = check_field("id", id)
        return self._write(by, lambda author: forget_memory(author, checked))

    def restore(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        checked = check_field("id", id)
        return self._write(by, lambda author: restore_memory(author, checked))

    def forget_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        checked = check_field("ids", ids)
        return self._write(by, lambda author: [forget_memory(author, id) for id in checked])

    def restore_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        checked = check_field("ids", ids)

        def work(author: Author) -> Sequence[Written]:
            done = {id: restore_memory(author, id) for id in sorted(checked)}
            return [done[id] for id in checked]

        return self._write(by, work)

    def check_visible(self, ids: Iterable[str], viewer: Viewer, *, is_owner: bool = False) -> None:
        """Raise NotFound for memories that a viewer may not see.

        An owner is refused what is not their own too.
        """
        wanted = check_field("ids", ids)
        for id in self._read(lambda unit: sorted(hidden_from(viewer, unit, wanted))):
            raise NotFound(f"there is no memory {id} in workspace {self.workspace!r}")
        if is_owner:
            self._read(lambda unit: _check_owned(unit, wanted, viewer))

    def find_id(self, ending: str) -> str:
        """The id with this ending, so that people need not type whole ids."""
        if len(ending) < SHORTEST_ENDING:
            problem = f"{ending!r} is too short; give at least {SHORTEST_ENDING} last characters"
            raise InvalidInput("id", problem)
        ids = self._read(lambda unit: unit.memories.ending(ending.lower(), 2))
        if not ids:
            raise NotFound(
                f"no memory in workspace {self.workspace!r} has an id ending {ending!r};"
                " tacit list --all shows them"
            )
        if len(ids) > 1:
            raise InvalidInput("id", f"several memories end in {ending!r}; give more of the id")
        return ids[0]

    def history(self, id: str) -> Sequence[AuditEntry]:
        checked = check_field("id", id)
        entries = self._read(lambda unit: unit.audit.of(checked))
        if not entries:
            raise NotFound(f"there is no memory {checked} in workspace {self.workspace!r}")
        return entries

    def _remember(self, drafts: Sequence[MemoryDraft], by: Actor | str) -> "builtins.list[Written]":
        embedded = self._memory_embedder.embed_new(drafts)
        is_reviewed = self._current_config().writing.write_policy is WritePolicy.REVIEW
        if check_field("by", by) not in AGENTS:
            return self._write(by, lambda author: remember_all(author, drafts, embedded))
        keep = partial(submit_drafts, drafts=drafts, embedded=embedded, all_wait=is_reviewed)
        return self._write(by, keep)


def _find_page(unit: UnitOfWork, query: Query) -> list[Memory]:
    last = None if query.after is None else unit.memories.get([query.after]).get(query.after)
    if query.after is not None and (last is None or not query.viewer.sees(last)):
        raise NotFound(f"there is no memory {query.after} to go on after; start from the top")
    return unit.memories.find(query)


def _without_cut_secrets(drafts: list[Any]) -> list[Any]:
    """The drafts, without a private key that was split over several of them."""
    contents = [each.get("content") if isinstance(each, Mapping) else each for each in drafts]
    texts = [each if isinstance(each, str) else "" for each in contents]
    pairs = zip(drafts, texts, redact_pieces(texts), strict=True)
    return [
        draft if kept == text else ({**draft, "content": kept} if draft != text else kept)
        for draft, text, kept in pairs
    ]


def _to_draft(number: int, draft: str | Mapping[str, Any]) -> MemoryDraft:
    if isinstance(draft, str):
        draft = {"content": draft}
    if not isinstance(draft, Mapping):
        raise InvalidInput(f"drafts[{number}]", "expected text or an object with a content")
    with nested_field(f"drafts[{number}]"):
        return MemoryDraft.of(draft)


def _check_owned(unit: UnitOfWork, ids: Sequence[str], viewer: Viewer) -> None:
    """Refuse memories that are not the caller's own."""
    bounds = EraseBounds(unit, viewer)
    for id, memory in unit.memories.get(ids).items():
        is_users = viewer.user is None or viewer.owns(memory)
        if not (is_users and bounds.has_memory(memory)):
            raise NotFound(f"memory {id} does not belong to who asks, who cannot erase it")
