"""The episodes that an erasure takes: those it names, and those that erased memories came from."""

from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import chain

from tacit.api.erase_scans import MEMORIES_PER_PAGE, Scan, scan_pages
from tacit.core.episodes import is_episode_id
from tacit.core.memory import Memory
from tacit.core.permissions import Viewer
from tacit.language.terms import WordMatcher
from tacit.store.episodes import EpisodeTable, from_row, learned_from, turn_of
from tacit.store.journal import source_turns
from tacit.store.ownership import EraseBounds
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.store.workspaces import episodes_workspace
from tacit.writing.erasure import EpisodeSelection, EraseTarget


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFinder:
    """Finds rows of episodes within the reach of a caller."""

    store: Store
    workspace: str
    reach: Viewer

    def selected(self, target: EraseTarget) -> Iterator[list[Memory]]:
        """Pages of the episodes that a target names or selects."""
        named = list(filter(is_episode_id, target.ids))
        if named:
            with self._read() as unit:
                found = unit.memories.get(named).values()
            yield self._reached(found)
        for selection in target.episodes:
            for page in scan_pages(self.store, self._beside, _scan_selected(selection)):
                yield self._reached(filter(selection.has, page))

    def sources(self, memories: Sequence[Memory], texts: Iterable[str]) -> list[Memory]:
        """What memories were learned from, and what contains any of their texts."""
        pages = scan_pages(self.store, self._beside, _scan_all)
        return self._reached(
            _find_sources(chain.from_iterable(pages), memories, WordMatcher.of(texts))
        )

    def sources_since(
        self, revision: int, memories: Sequence[Memory], texts: Iterable[str]
    ) -> list[Memory]:
        """The same, of what was written after a revision."""
        with self._read() as unit:
            ids = [id for batch in unit.changed(revision, None) for id in batch.column("id")]
            rows = unit.memories.get(ids).values()
        return self._reached(_find_sources(rows, memories, WordMatcher.of(texts)))

    def learned(self, rows: Iterable[Memory]) -> tuple[list[Memory], list[Memory]]:
        """The memories that were learned from some episodes when these were said, and others.

        The others were known before or made of the episodes, or a person wrote or confirmed them.
        """
        turns = {each.id: turn_of(row) for row in rows for each in learned_from(row)}
        with self.store.read(self.workspace) as unit:
            known = unit.memories.get(list(turns)).values()
        learned = [each for each in known if _is_learned_in(each, turns[each.id])]
        return learned, [each for each in known if each not in learned]

    def revision(self) -> int:
        """The revision of what is kept now."""
        with self._read() as unit:
            return unit.revision()

    @property
    def _beside(self) -> str:
        return episodes_workspace(self.workspace)

    def _read(self) -> AbstractContextManager[UnitOfWork]:
        return self.store.read(self._beside)

    def _reached(self, rows: Iterable[Memory]) -> list[Memory]:
        if not self.reach.is_bound:
            return list(rows)
        with self.store.read(self.workspace) as unit:
            bounds = EraseBounds(unit, self.reach)
            return [row for row in rows if bounds.has_episode(from_row(row))]


def _is_learned_in(memory: Memory, turn: str) -> bool:
    return source_turns([memory]) == [turn] and not memory.explicit


def _find_sources(
    rows: Iterable[Memory], memories: Sequence[Memory], words: WordMatcher
) -> list[Memory]:
    """What memories were learned from, and what contains the words.

    If neither is known of a turn that a memory was learned from, it is all that was said in it.
    """
    ids = {memory.id for memory in memories}
    turns = frozenset(source_turns(memories))
    found: dict[str, Memory] = {}
    beside: list[Memory] = []
    for row in rows:
        is_source = any(each.id in ids for each in learned_from(row))
        if is_source or words.match_any([row.content]):
            found[row.id] = row
        elif turn_of(row) in turns:
            beside.append(row)
    known = _turns_of(found.values())
    return [*found.values(), *(row for row in beside if turn_of(row) not in known)]


def _turns_of(rows: Iterable[Memory]) -> Set[str]:
    return {turn_of(row) for row in rows}


def _scan_selected(selection: EpisodeSelection) -> Scan[Memory]:
    return lambda unit, last: unit.memories.find(
        replace(selection.query, limit=MEMORIES_PER_PAGE, after=last.id if last else None)
    )


def _scan_all(unit: UnitOfWork, last: Memory | None) -> list[Memory]:
    return EpisodeTable(unit).scan(last.id if last else None, MEMORIES_PER_PAGE)
