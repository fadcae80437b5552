"""Calls about memories: remember, read, search, list, edit, forget, restore, erase and link."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from tacit.api.calls.drafts import read_drafts, write_drafts
from tacit.api.calls.episodes import Episodes
from tacit.api.calls.erasure import Erasures
from tacit.api.calls.projects import Assignments
from tacit.api.calls.relations import Links
from tacit.api.calls.turns import Turns
from tacit.api.protocols.memories import MemoriesProtocol
from tacit.api.shortcuts import shortcut
from tacit.api.visibility import hidden_from
from tacit.api.workspace import Part, WorkspaceContext, memory_not_found
from tacit.core.changes import AuditEntry
from tacit.core.episodes import is_episode_id
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import check_field, check_ids
from tacit.core.kinds import Actor, MemoryType, Scope, Sort, check_choice
from tacit.core.memory import Filters, Memory, check_filters
from tacit.core.owners import name_owner
from tacit.core.permissions import Viewer
from tacit.language.query import SearchQuery
from tacit.search.filter import Filter
from tacit.search.modes import Mode, list_by_mode
from tacit.search.results import SearchResult
from tacit.settings.config import override_settings
from tacit.store.generations import put_vectors
from tacit.store.ownership import EraseBounds
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.store.workspaces import episodes_workspace
from tacit.writing.author import Author
from tacit.writing.draft import DraftFields, MemoryDraft, Status, Written
from tacit.writing.remember import edit_memory, forget_memory, restore_memory

SHORTEST_ENDING = 4


class Memories(Part, MemoriesProtocol):
    """Write, read, search, erase, assign and link memories, one by one or many at once."""

    def __init__(self, context: WorkspaceContext, turns: Turns, episodes: Episodes) -> None:
        super().__init__(context)
        self._turns = turns
        self._episodes = episodes
        self._erasures = Erasures(context)
        self._assignments = Assignments(context)
        self._links = Links(context)

    erase = shortcut("_erasures", MemoriesProtocol.erase, is_brief=False)
    erase_owner = shortcut("_erasures", MemoriesProtocol.erase_owner, is_brief=False)
    erase_session = shortcut("_erasures", MemoriesProtocol.erase_session, is_brief=False)
    erase_matching = shortcut("_erasures", MemoriesProtocol.erase_matching, is_brief=False)
    assign = shortcut("_assignments", MemoriesProtocol.assign, is_brief=False)
    link = shortcut("_links", MemoriesProtocol.link, is_brief=False)
    unlink = shortcut("_links", MemoriesProtocol.unlink, is_brief=False)
    links = shortcut("_links", MemoriesProtocol.links, is_brief=False)
    graph = shortcut("_links", MemoriesProtocol.graph, is_brief=False)
    erasures_of = shortcut("_erasures", Erasures.erasures_of, is_brief=False)

    def remember(
        self, content: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        return write_drafts(self._context, [MemoryDraft.of({"content": content, **fields})], by)[0]

    def remember_all(
        self, drafts: Iterable[str | Mapping[str, Any]], *, by: Actor | str = Actor.USER
    ) -> list[Written]:
        if isinstance(drafts, str | Mapping):
            raise InvalidInput("drafts", "expected a list of texts or objects, not a single one")
        return write_drafts(self._context, read_drafts(list(drafts)), by)

    def get(self, id: str) -> Memory:
        return self._context.load_memory(id)

    def get_all(self, ids: Iterable[str]) -> dict[str, Memory]:
        wanted = check_ids(ids)
        found = self._context.read(lambda unit: unit.memories.get(wanted))
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
            now=self._context.clock(),
            sort=check_field("sort", sort),
            limit=check_field("limit", limit),
            after=None if after is None else check_field("id", after, "after"),
        )
        return self._context.read(lambda unit: _find_page(unit, query))

    def count(self, **filters: Unpack[Filters]) -> int:
        query = Query(**check_filters(filters), now=self._context.clock())
        return self._context.read(lambda unit: unit.memories.total(query))

    def edit(self, id: str, *, by: Actor | str = Actor.USER, **changes: Any) -> Written:
        checked, changes = check_field("id", id), name_owner(changes)
        embedded = self._context.memory_embedder.embed_change(checked, changes)

        def work(author: Author) -> Written:
            written = edit_memory(author, checked, changes)
            fresh = embedded.get(written.memory.search_text)
            if fresh is not None and written.status is Status.UPDATED:
                put_vectors(author.unit, written.id, fresh)
            return written

        return self._context.write(by, work)

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        checked = check_field("id", id)
        return self._context.write(by, lambda author: forget_memory(author, checked))

    def restore(self, id: str, *, by: Actor | str = Actor.USER) -> Written:
        checked = check_field("id", id)
        return self._context.write(by, lambda author: restore_memory(author, checked))

    def forget_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        checked = check_field("ids", ids)
        return self._context.write(by, lambda author: [forget_memory(author, id) for id in checked])

    def restore_all(self, ids: Iterable[str], *, by: Actor | str = Actor.USER) -> Sequence[Written]:
        checked = check_field("ids", ids)

        def work(author: Author) -> Sequence[Written]:
            done = {id: restore_memory(author, id) for id in sorted(checked)}
            return [done[id] for id in checked]

        return self._context.write(by, work)

    def search(
        self,
        text: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        types: Iterable[MemoryType | str] | None = None,
        scope: Scope | str | None = None,
        scope_id: str | None = None,
        agent: str | None = None,
        user: str | None = None,
        session: str | None = None,
        min_confidence: float = 0.0,
        episodes: bool = False,
        project: str | None = None,
        limit: int | None = None,
        **settings: Any,
    ) -> SearchResult:
        context = self._context
        filter = Filter(
            now=context.clock(),
            types=None if types is None else check_field("types", types),
            scope=None if scope is None else check_field("scope", scope),
            scope_id=None if scope_id is None else check_field("scope_id", scope_id),
            agent=None if agent is None else check_field("agent", agent),
            user=None if user is None else check_field("user", user),
            inside=None if session is None else check_field("session", session),
            project=None if project is None else check_field("project", project),
            min_confidence=check_field("confidence", min_confidence, "min_confidence"),
        )
        config = context.current_config()
        most = {} if limit is None else {"max_results": check_field("limit", limit)}
        chosen = override_settings(config.search, {**settings, **most})
        way = check_choice("mode", Mode, mode)
        if episodes and way is not Mode.HYBRID:
            raise InvalidInput("episodes", f"are searched in the mode hybrid, not {way}")
        if way is not Mode.HYBRID:
            return context.read(lambda unit: list_by_mode(unit, way, filter, chosen.max_results))
        asked = check_field("text", text)
        late = self._turns.await_warm_up(config.injection(agent))
        found = context.searcher.search(context.name, SearchQuery.of(asked), filter, chosen)
        found = replace(found, degraded=(*late, *found.degraded))
        if not episodes:
            return found
        owners = self._episodes.owners(user, filter.query().viewer.session)
        said = self._episodes.search(asked, owners, filter.project, chosen)
        degraded = tuple(dict.fromkeys((*found.degraded, *said.degraded)))
        return replace(found, episodes=said.episodes, degraded=degraded)

    def check_visible(self, ids: Iterable[str], viewer: Viewer, *, is_owner: bool = False) -> None:
        """Raise NotFound for memories and episodes that a viewer may not see.

        An owner is refused what is not their own too.
        """
        named = check_field("ids", ids)
        wanted = [id for id in named if not is_episode_id(id)]
        for id in self._context.read(lambda unit: sorted(hidden_from(viewer, unit, wanted))):
            raise memory_not_found(id, self._context.name)
        if is_owner:
            self._context.read(lambda unit: _check_owned(unit, wanted, viewer))
        self._episodes.check_visible([id for id in named if is_episode_id(id)], viewer)

    def find_id(self, ending: str) -> str:
        """The id of a memory or an episode with this ending, so that nobody types whole ids."""
        if len(ending) < SHORTEST_ENDING:
            problem = f"{ending!r} is too short; give at least {SHORTEST_ENDING} last characters"
            raise InvalidInput("id", problem)
        name = self._context.name
        found: Sequence[str] = ()
        for workspace in (episodes_workspace(name), name):
            with self._context.store.read(workspace) as unit:
                found = (*found, *unit.memories.ending(ending.lower(), 2))
        if not found:
            raise NotFound(
                f"no memory in workspace {name!r} has an id ending {ending!r};"
                " tacit list --all shows them"
            )
        if len(found) > 1:
            raise InvalidInput("id", f"several ids end in {ending!r}; give more of the id")
        return found[0]

    def history(self, id: str, *, limit: int = 100) -> Sequence[AuditEntry]:
        checked, most = check_field("id", id), check_field("limit", limit)
        entries = self._context.read(lambda unit: unit.audit.of(checked))
        if not entries:
            raise memory_not_found(checked, self._context.name)
        return entries[-most:]


def _find_page(unit: UnitOfWork, query: Query) -> list[Memory]:
    last = None if query.after is None else unit.memories.get([query.after]).get(query.after)
    if query.after is not None and (last is None or not query.viewer.sees(last)):
        raise NotFound(f"there is no memory {query.after} to go on after; start from the top")
    return unit.memories.find(query)


def _check_owned(unit: UnitOfWork, ids: Sequence[str], viewer: Viewer) -> None:
    """Refuse memories that are not the caller's own."""
    bounds = EraseBounds(unit, viewer)
    for id, memory in unit.memories.get(ids).items():
        is_users = viewer.user is None or viewer.owns(memory)
        if not (is_users and bounds.has_memory(memory)):
            raise NotFound(f"memory {id} does not belong to who asks, who cannot erase it")
