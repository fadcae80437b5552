"""Corrections in passing: sentences of which nothing is learned, and that replace what is known.

"standup: 10 instead of 9:30" has the form of no statement that the rules know; but beside "Our
standup is at 9:30" it can only mean one thing, and then it is worth knowing as well. The same goes
for a statement that the model takes for a passing remark: what it replaces shows that it matters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tacit.core.kinds import PERSONS, MemoryType, Scope
from tacit.core.memory import Memory
from tacit.core.open_turn import CapturedTurn
from tacit.core.vectors import compare_vectors
from tacit.language.extraction.findings import Extraction, Finding, RefusalReason
from tacit.language.extraction.own_sentences import find_own_sentences
from tacit.language.extraction.repairs import repair_text
from tacit.statements.common_words import says_several_things
from tacit.statements.decision import ALIKE, BEYOND_DOUBT, StatementVerdict, is_own_statement
from tacit.writing.learning.dependencies import LearningDependencies
from tacit.writing.learning.echoes import has_own_numbers
from tacit.writing.learning.found_statement import FoundStatement
from tacit.writing.learning.surroundings import Surroundings

_RULE = "later_words"
_CONFIDENCE = 0.8
_LONGEST = 200
"""A longer sentence says more than a correction."""

_SURE = 0.92
"""So sure the model must be: most sentences of which nothing is learned change nothing. Of those
that give another number more do."""

_NEAREST = 4
"""A sentence is compared with so many memories."""

_REDACTED = "[redacted:"
_ENDS = " .!,;"


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """A turn, and its messages as they were read, each with what was found in it."""

    turn: CapturedTurn
    messages: tuple[tuple[str, Extraction], ...]


@dataclass(frozen=True, slots=True)
class CorrectionFinder:
    """Finds what corrects the memories of one workspace."""

    dependencies: LearningDependencies
    surroundings: Surroundings

    def find(
        self, turns: Sequence[ReadTurn], stated: Sequence[FoundStatement]
    ) -> list[FoundStatement]:
        """The sentences that replace a memory, and in which nothing else was found or refused.

        What earlier turns state is known as well, although nothing of it is written yet.
        """
        if not self.dependencies.judge().has_model:
            return []
        places = {read.turn.id: place for place, read in enumerate(turns)}
        open_sentences = [
            FoundStatement(heard=read.turn, finding=finding)
            for read in turns
            if read.turn.by in PERSONS
            for finding in _find_open_sentences(read)
        ]
        found: list[FoundStatement] = []
        for said in self.surroundings.place(open_sentences):
            place = places[said.heard.id]
            earlier = [each for each in (*stated, *found) if places[each.heard.id] < place]
            corrected = self._read_correction(said, earlier)
            found += [] if corrected is None else [corrected]
        return found

    def _read_correction(
        self, said: FoundStatement, earlier: Sequence[FoundStatement]
    ) -> FoundStatement | None:
        """A sentence as a statement of the kind of the memory that it replaces."""
        known = [*self._load_near(said), *self._find_near_stated(said, earlier)]
        known.sort(key=lambda each: -each[1])
        near = [memory for memory, _ in known if _may_correct(said, memory)][:_NEAREST]
        words = said.finding.content
        compared = self.dependencies.judge().compare([(each.content, words) for each in near])
        for memory, verdict in zip(near, compared, strict=True):
            if _is_corrected(memory, words, verdict):
                finding = replace(said.finding, type=memory.type, scope=memory.scope)
                return replace(said, finding=finding)
        return None

    def _load_near(self, said: FoundStatement) -> list[tuple[Memory, float]]:
        near = [(id, likeness) for id, likeness in said.near if likeness >= ALIKE]
        with self.dependencies.store.read(self.dependencies.workspace) as unit:
            known = unit.memories.get([id for id, _ in near])
        return [(known[id], likeness) for id, likeness in near if id in known]

    def _find_near_stated(
        self, said: FoundStatement, earlier: Sequence[FoundStatement]
    ) -> list[tuple[Memory, float]]:
        """The memories that alike statements become."""
        workspace, now = self.dependencies.workspace, self.dependencies.clock()
        return [
            (each.memory(each.heard.id, workspace, now), alike)
            for each in earlier
            if each.owner in said.owners
            and (alike := compare_vectors(each.vectors, said.vectors)) >= ALIKE
        ]


def _may_correct(said: FoundStatement, memory: Memory) -> bool:
    """Whether a sentence may be about a memory: said in a project, about what is the project's."""
    is_there = memory.scope is Scope.PROJECT if said.heard.project else True
    return is_there and is_own_statement(memory)


def _is_corrected(memory: Memory, said: str, verdict: StatementVerdict) -> bool:
    least = BEYOND_DOUBT if has_own_numbers(said, memory.content) else _SURE
    is_sure = verdict.by_model and verdict.likelihood >= least
    return is_sure and not says_several_things(memory.content)


def _find_open_sentences(read: ReadTurn) -> Iterator[Finding]:
    """The sentences of a turn of which nothing was taken, or refused for more than passing."""
    settled: set[str] = set()
    for _, found in read.messages:
        settled |= {each.sentence or each.content for each in found.findings}
        settled |= {each.sentence for each in found.refused if each.reason != RefusalReason.PASSING}
    for said, found in read.messages:
        for sentence in () if found.has_quotes else find_own_sentences(said):
            words, told = sentence.text.strip(_ENDS), sentence.told.strip(_ENDS)
            is_settled = any(words in each or each in words for each in settled)
            is_unfit = not told or len(told) > _LONGEST or _REDACTED in told
            if sentence.only_asks or is_settled or is_unfit:
                continue
            repaired = repair_text(told)
            if repaired is not None:
                yield Finding(
                    content=repaired,
                    type=MemoryType.FACT,
                    confidence=_CONFIDENCE,
                    rule=_RULE,
                    sentence=words,
                )
