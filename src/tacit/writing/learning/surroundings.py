"""What surrounds a found statement: its vector, what is near it, and what its session was shown."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from tacit.core.vectors import TextVectors, compare_vectors
from tacit.language.query import SearchQuery
from tacit.search.filter import Filter
from tacit.settings.search import SearchSettings
from tacit.statements.judge import PreparedJudge
from tacit.writing.learning.dependencies import LearningDependencies
from tacit.writing.learning.echoes import InjectedMemory
from tacit.writing.learning.found_statement import FoundStatement
from tacit.writing.learning.statements import LEAST_LIKENESS, NEAREST

_SHOWN = 2_000
_MOST_REPEATED = 8


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Finds what surrounds the statements of one workspace."""

    dependencies: LearningDependencies

    def place(self, found: Sequence[FoundStatement]) -> list[FoundStatement]:
        """Findings with their vectors, what is near them, and what their sessions were shown."""
        if not found:
            return []
        embedded = self.dependencies.embed(
            list(dict.fromkeys(each.finding.content for each in found))
        )
        whole = [replace(each, vectors=embedded.get(each.finding.content)) for each in found]
        shown = self._load_shown({each.heard.session for each in whole})
        return [
            replace(
                each,
                near=self._find_near(each),
                shown=_add_similarities(each, shown[each.heard.session]),
            )
            for each in whole
        ]

    def compare(self, found: Sequence[FoundStatement]) -> PreparedJudge:
        """Compare statements with what they may replace, so that no transaction waits for it.

        That is what is near them, also among themselves, and what they may repeat of what was
        shown.
        """
        ids = {id for each in found for id, _ in each.near}
        with self.dependencies.store.read(self.dependencies.workspace) as unit:
            near = unit.memories.get(sorted(ids)) if ids else {}
        pairs = [
            (old, each.finding.content)
            for place, each in enumerate(found)
            for old in (
                *(near[id].content for id, _ in each.near if id in near),
                *_find_near_statements(each, found[:place]),
                *_find_repeated(each),
            )
        ]
        return self.dependencies.judge().prepare(pairs)

    def _find_near(self, found: FoundStatement) -> tuple[tuple[str, float], ...]:
        """Memories that its speaker sees and that are alike; by words, without a vector."""
        searcher, workspace = self.dependencies.searcher, self.dependencies.workspace
        filter = Filter(now=self.dependencies.clock(), owners=found.owners)
        if found.vectors is not None:
            (near,) = searcher.nearest(
                workspace,
                [found.vectors.vector],
                found.vectors.model,
                NEAREST,
                LEAST_LIKENESS,
                filter,
            )
            return tuple(near)
        asked, most = SearchQuery.of(found.finding.content), SearchSettings(max_results=NEAREST)
        hits = searcher.search(workspace, asked, filter, most).hits
        return tuple((hit.memory.id, LEAST_LIKENESS) for hit in hits)

    def _load_shown(
        self, sessions: set[str]
    ) -> dict[str, list[tuple[InjectedMemory, TextVectors | None]]]:
        """What sessions were shown, in the words of today, with the vectors there are."""
        shown: dict[str, list[tuple[InjectedMemory, TextVectors | None]]] = defaultdict(list)
        with self.dependencies.store.read(self.dependencies.workspace) as unit:
            for session in sessions:
                entries = unit.ledger.of(session)[-_SHOWN:]
                ids = list(dict.fromkeys(entry.memory for entry in entries))
                model = self.dependencies.searcher.serving_model(unit)
                held = self.dependencies.searcher.vectors(unit, ids) if model else {}
                vectors = {id: TextVectors(model, each) for id, each in held.items() if model}
                for id, memory in unit.memories.get(ids).items():
                    shown[session].append((InjectedMemory(id, memory.content), vectors.get(id)))
        return shown


def _add_similarities(
    found: FoundStatement, shown: Sequence[tuple[InjectedMemory, TextVectors | None]]
) -> tuple[InjectedMemory, ...]:
    if found.vectors is None:
        return tuple(each for each, _ in shown)
    return tuple(
        each if vectors is None else replace(each, likeness=compare_vectors(found.vectors, vectors))
        for each, vectors in shown
    )


def _find_near_statements(found: FoundStatement, earlier: Sequence[FoundStatement]) -> list[str]:
    """The statements that are written before another one and that it may replace."""
    cosines = {
        each.finding.content: compare_vectors(each.vectors, found.vectors)
        for each in earlier
        if each.owner == found.owner
    }
    near = [content for content, alike in cosines.items() if alike >= LEAST_LIKENESS]
    return sorted(near, key=cosines.__getitem__, reverse=True)[:NEAREST]


def _find_repeated(found: FoundStatement) -> list[str]:
    """The shown memories that a statement may repeat."""
    repeated = (each.content for each in found.shown if found.find_repeated([each]) is not None)
    return list(islice(repeated, _MOST_REPEATED))
