"""Calls about episodes: list, search, promote and forget what was said."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Unpack

from tacit.api.calls.drafts import write_drafts
from tacit.api.protocols.episodes import EpisodesProtocol
from tacit.api.workspace import Part
from tacit.core.episodes import Episode
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import Origin, check_field
from tacit.core.kinds import PERSONS, TURN, Actor, Owner, Scope
from tacit.core.memory import Memory
from tacit.core.owners import name_owner
from tacit.core.permissions import Viewer
from tacit.language.query import SearchQuery
from tacit.search.duplicates import wording_hash
from tacit.search.filter import episode_filter
from tacit.search.results import EpisodeHit, Hit, Replacement, SearchResult
from tacit.settings.search import SearchSettings
from tacit.store.episodes import NO_PROJECT, EpisodeTable, from_row, owner_of, replaced_by, says
from tacit.store.ownership import EpisodeReach
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.store.workspaces import episodes_workspace
from tacit.turn.episodes import find_replacements, may_replace_words
from tacit.writing.draft import DraftFields, MemoryDraft, Written
from tacit.writing.learning.episodes import oldest_kept


class Episodes(Part, EpisodesProtocol):
    """What was said: list it, keep it as a memory, forget it."""

    def list(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        session: str | None = None,
        contains: str | None = None,
        forgotten: bool = False,
        limit: int = 50,
        after: str | None = None,
    ) -> Sequence[Episode]:
        owners = self.owners(user, session)
        if not owners:
            return []
        place = None if project is None else check_field("project", project)
        query = Query(
            now=self._context.clock(),
            state=None,
            owners=owners,
            agent=None if place is None else place or NO_PROJECT,
            session=None if session is None else check_field("session", session),
            contains=None if contains is None else check_field("text", contains, "contains"),
            limit=check_field("limit", limit),
            after=None if after is None else check_field("id", after, "after"),
        )
        reached = self._reached()
        with self._read_episodes() as unit:
            found = _find_page(unit, query, reached, forgotten=forgotten)
            return [from_row(row) for row in found]

    def get(self, id: str) -> Episode:
        return from_row(self._load_episode(id))

    def promote(
        self, id: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        episode = from_row(self._load_episode(id))
        scope, scope_id = owner_of(episode)
        draft: dict[str, Any] = {
            "content": episode.text,
            "scope": scope,
            "scope_id": scope_id,
            "origin": Origin(session=episode.session, time=episode.at),
            "metadata": {TURN: episode.turn} if episode.turn else {},
            **name_owner(fields),
        }
        (written,) = write_drafts(self._context, [MemoryDraft.of(draft)], by)
        if written.review is None and check_field("by", by) in PERSONS:
            wording = wording_hash(written.memory.content).hex()
            with self._context.store.write(episodes_workspace(self._context.name)) as unit:
                EpisodeTable(unit).note_learned([episode.id], written.memory.id, wording)
        return written

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Episode:
        return self._set_forgotten(id, by, forgotten=True)

    def restore(self, id: str, *, by: Actor | str = Actor.USER) -> Episode:
        return self._set_forgotten(id, by, forgotten=False)

    def _set_forgotten(self, id: str, by: Actor | str, *, forgotten: bool) -> Episode:
        if check_field("by", by) not in PERSONS:
            raise InvalidInput("by", "only a person can forget what was said, or bring it back")
        checked = check_field("id", id)
        with self._context.store.write(episodes_workspace(self._context.name)) as unit:
            if not unit.memories.known([checked]):
                raise episode_not_found(checked, self._context.name)
            EpisodeTable(unit).set_forgotten(checked, forgotten=forgotten)
        self._context.episode_encoding.schedule()
        return self.get(checked)

    def check_visible(self, ids: Sequence[str], viewer: Viewer) -> None:
        """Raise NotFound for episodes that a viewer may not see."""
        if not ids:
            return
        reached = EpisodeReach(self._context.store, self._context.name, viewer)
        with self._read_episodes() as unit:
            rows = unit.memories.get(ids)
        for id in ids:
            if id not in rows or not reached.sees(rows[id]):
                raise episode_not_found(id, self._context.name)

    def search(
        self,
        text: str,
        owners: tuple[Owner, ...],
        project: str | None,
        settings: SearchSettings,
    ) -> SearchResult:
        """What some owners said about a text, in a project and in none, best first."""
        if not owners:
            return SearchResult(hits=())
        now = self._context.clock()
        oldest = oldest_kept(now, self._context.current_config().writing.episode_days)
        result = self._context.searcher.search(
            episodes_workspace(self._context.name),
            SearchQuery.of(text),
            episode_filter(owners, project, now),
            replace(settings, graph_depth=0),
        )
        reached = self._reached()
        hits = [
            hit
            for hit in result.hits
            if (oldest is None or hit.memory.created_at >= oldest) and reached.sees(hit.memory)
        ]
        said = [hit.memory for hit in hits]
        with self._read_episodes() as unit:
            later = unit.memories.get([id for row in said for id in replaced_by(row)])
        live = {
            id: row
            for id, row in later.items()
            if may_replace_words(row, now) and reached.sees(row)
        }
        hidden, replaced = self._context.read(lambda unit: find_replacements(unit, said, live))
        standing = tuple(
            _to_episode_hit(hit, replaced.get(hit.memory.id))
            for hit in hits
            if hit.memory.id not in hidden
        )
        return replace(result, hits=(), episodes=standing)

    def owners(self, user: str | None, session: str | None) -> tuple[Owner, ...]:
        """Whose episodes are meant: a user's, or those of nobody by name in a session.

        In a personal store, nobody by name is the one person who uses it.
        """
        if user is not None:
            return ((Scope.USER, check_field("user", user)),)
        person = ((Scope.USER, ""),) if self._context.is_personal else ()
        of_session = () if session is None else ((Scope.SESSION, check_field("session", session)),)
        return (*person, *of_session)

    def _load_episode(self, id: str) -> Memory:
        checked: str = check_field("id", id)
        with self._read_episodes() as unit:
            row = unit.memories.get([checked]).get(checked)
        if row is None or not EpisodeReach(
            self._context.store, self._context.name, self._context.reach
        ).sees(row):
            raise episode_not_found(checked, self._context.name)
        return row

    def _reached(self) -> EpisodeReach:
        context = self._context
        return EpisodeReach(context.store, context.name, context.reach)

    def _read_episodes(self) -> AbstractContextManager[UnitOfWork]:
        return self._context.store.read(episodes_workspace(self._context.name))


def _find_page(
    unit: UnitOfWork, query: Query, reached: EpisodeReach, *, forgotten: bool
) -> list[Memory]:
    """A page of the rows within reach, with or without forgotten ones."""
    found: list[Memory] = []
    while len(found) < query.limit:
        page = unit.memories.find(query)
        meant = [row for row in page if (forgotten or not row.forgotten) and reached.sees(row)]
        words = query.contains
        found += [row for row in meant if words is None or says(row, words)]
        if len(page) < query.limit:
            break
        query = replace(query, after=page[-1].id)
    return found[: query.limit]


def _to_episode_hit(hit: Hit, replaced: Replacement | None) -> EpisodeHit:
    return EpisodeHit(
        score=hit.score,
        relevance=hit.relevance,
        sources=hit.sources,
        parts=hit.parts,
        episode=from_row(hit.memory),
        replaced=replaced,
    )


def episode_not_found(id: str, workspace: str) -> NotFound:
    """The error for an episode that does not exist, or that the caller may not see."""
    return NotFound(f"nothing that was said has the id {id} in workspace {workspace!r}")
