"""Corrections in passing: sentences that no rule reads, and that clearly replace what is known.

"standup's at 10 now btw" has the form of no statement that the rules know; but beside "Our standup
is at 9:30" it can only mean one thing, and then it is worth knowing as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tacit.core.kinds import PERSONS, MemoryType, Scope
from tacit.core.memory import Memory
from tacit.core.open_turn import CapturedTurn
from tacit.language.extraction.extract import extract_findings
from tacit.language.extraction.findings import Finding
from tacit.language.extraction.own_sentences import find_own_sentences
from tacit.search.agreement import Agreement
from tacit.search.later_words import ALIKE, BEYOND_DOUBT, is_own_statement, says_several_things
from tacit.writing.learning.dependencies import LearningDependencies
from tacit.writing.learning.echoes import remove_pasted_blocks
from tacit.writing.learning.statements import FoundStatement
from tacit.writing.learning.surroundings import Surroundings

_RULE = "later_words"
_CONFIDENCE = 0.8
_LONGEST = 200
"""A longer sentence says more than a correction."""

_NEAREST = 4
"""A sentence is compared with so many memories."""

_REDACTED = "[redacted:"
_ENDS = " .!,;"


@dataclass(frozen=True, slots=True)
class CorrectionFinder:
    """Finds what corrects the memories of one workspace."""

    dependencies: LearningDependencies
    surroundings: Surroundings

    def find(
        self, turns: Sequence[CapturedTurn], found: Sequence[FoundStatement]
    ) -> list[FoundStatement]:
        """The sentences of some turns that replace a memory and are no finding of the rules."""
        if not self.dependencies.judge().has_model:
            return []
        taken = [each.finding.sentence or each.finding.content for each in found]
        open_sentences = [
            FoundStatement(heard=turn, finding=finding)
            for turn in turns
            if turn.by in PERSONS
            for finding in _unread_sentences(turn, taken)
        ]
        return [
            corrected
            for each in self.surroundings.place(open_sentences)
            if (corrected := self._read_correction(each)) is not None
        ]

    def _read_correction(self, said: FoundStatement) -> FoundStatement | None:
        """A sentence as a statement of the kind of the memory that it replaces."""
        ids = [id for id, likeness in said.near if likeness >= ALIKE]
        with self.dependencies.store.read(self.dependencies.workspace) as unit:
            known = unit.memories.get(ids)
        near = [known[id] for id in ids if id in known and _may_correct(said, known[id])][:_NEAREST]
        pairs = [(memory.content, said.finding.content) for memory in near]
        compared = self.dependencies.judge().compare(pairs)
        for memory, agreement in zip(near, compared, strict=True):
            if _is_corrected(memory, agreement):
                finding = replace(said.finding, type=memory.type, scope=memory.scope)
                return replace(said, finding=finding)
        return None


def _may_correct(said: FoundStatement, memory: Memory) -> bool:
    """Whether a sentence may be about a memory: said in a project, about what is the project's."""
    is_there = memory.scope is Scope.PROJECT if said.heard.project else True
    return is_there and is_own_statement(memory)


def _is_corrected(memory: Memory, agreement: Agreement) -> bool:
    is_sure = agreement.by_model and agreement.score >= BEYOND_DOUBT
    return is_sure and not says_several_things(memory.content)


def _unread_sentences(turn: CapturedTurn, taken: Sequence[str]) -> Iterator[Finding]:
    """What a turn says in sentences of which the rules took and refused nothing."""
    for text in turn.said:
        said = remove_pasted_blocks(text)
        read = extract_findings(said, turn.at)
        if read.has_quotes:
            continue
        known = [*taken, *(refused.sentence for refused in read.refused)]
        for sentence in find_own_sentences(said):
            words, told = sentence.text.strip(_ENDS), sentence.told.strip(_ENDS)
            is_known = any(words in each or each in words for each in known)
            if not (sentence.only_asks or is_known or _is_unfit(told)):
                yield _to_finding(told, words)


def _is_unfit(words: str) -> bool:
    return not words or len(words) > _LONGEST or _REDACTED in words


def _to_finding(told: str, words: str) -> Finding:
    return Finding(
        content=told,
        type=MemoryType.FACT,
        confidence=_CONFIDENCE,
        rule=_RULE,
        sentence=words,
    )
