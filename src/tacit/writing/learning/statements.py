"""How a found statement becomes a memory or is recognised in one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tacit.core.kinds import (
    DEFAULT_IMPORTANCE,
    STANDS,
    TURN,
    Action,
    Relation,
    State,
    Trust,
)
from tacit.core.memory import Association, Memory
from tacit.core.permissions import may_revive, outranks
from tacit.core.vectors import TextVectors, compare_vectors
from tacit.language.extraction.findings import Finding
from tacit.language.terms import extract_terms
from tacit.settings.writing import WritePolicy, WritingSettings
from tacit.statements.comparison import Comparison, compare_texts, may_be_near_duplicates
from tacit.statements.decision import (
    Outcome,
    StatementVerdict,
    decide,
    is_own_statement,
    may_follow,
)
from tacit.statements.judge import PreparedJudge
from tacit.statements.self_statements import stands_against
from tacit.store.generations import put_vectors
from tacit.writing.author import Author
from tacit.writing.comparisons import to_conflict_link
from tacit.writing.draft import Status
from tacit.writing.key_values import replace_older_values
from tacit.writing.learning.echoes import (
    InjectedMemory,
    has_own_numbers,
    is_stated_as_known,
    says_more,
)
from tacit.writing.learning.found_statement import FoundStatement
from tacit.writing.learning.lesson import Lesson, Verdict
from tacit.writing.remember import find_forgetter, find_new_day, identity_of
from tacit.writing.reviews import propose_memory

NEAREST = 20
"""A statement is compared with this many similar memories."""

LEAST_LIKENESS = 0.35
"""Memories below this similarity are about something else."""

_SURE_NEWS = 0.95
"""From this likelihood on what is told as known replaces a memory: mostly it repeats it."""

_NOTED = 0.65
"""From this likelihood on it is noted at once that a statement conflicts with a memory."""

_HARDLY_SAME = 0.02
"""Up to this likelihood a statement that is like a memory does not say the same."""

_HARDLY_SAME_AS_REPLACED = 0.05
"""The same of a memory that it replaces."""

_SAME_COSINE = 0.95
_RELATED_COSINE = 0.85
_FULLER = "the later statement says the same and more"
_OTHERWISE = "the later statement says otherwise"
_MOST_LINKS = 5
_RIVALS = 50


@dataclass(slots=True)
class StatementWriter:
    """Writes statements one after the other, in one transaction."""

    author: Author
    settings: WritingSettings
    judge: PreparedJudge
    _taken: list[tuple[str, TextVectors]] = field(default_factory=list)
    """What this transaction has written, which no search finds yet."""

    def write(self, found: FoundStatement) -> Lesson:
        """Decide what becomes of a statement, and do it in the name of its speaker."""
        if found.actor is not self.author.by:
            named = replace(self.author, by=found.actor)
            return replace(self, author=named).write(found)
        if found.finding.confidence < self.settings.min_confidence:
            return _to_lesson(found, Verdict.UNSURE)
        shown = self._trusted_memories(found)
        repeated = found.find_repeated(shown)
        if repeated is not None and not self._is_news_beside(repeated, shown, found.finding):
            self._note_again(found, repeated)
            return _to_lesson(found, Verdict.RESTATED, repeated)
        return self._match_known(found) or self._match_similar(found) or self._write_new(found)

    def _note_again(self, found: FoundStatement, id: str) -> None:
        """Note that a person said a learned statement again: a rule stands then."""
        known = self.author.unit.memories.get([id]).get(id)
        if known is None or known.explicit or found.beside_quotes:
            return
        if known.owner == found.owner and (again := _find_second_occasion(found, known)):
            self.author.journal.update(known, **again)

    def _trusted_memories(self, found: FoundStatement) -> list[InjectedMemory]:
        """The shown memories that the speaker can only repeat.

        Memories of less trusted authors are left out: a person who says the same is not quoting.
        Neither is a person who says the same words with "tomorrow" on another day.
        """
        known = self.author.unit.memories.get([each.memory for each in found.shown])
        return [
            each
            for each in found.shown
            if each.memory not in known or _may_be_quoted(known[each.memory], found)
        ]

    def _is_news_beside(self, id: str, shown: Iterable[InjectedMemory], finding: Finding) -> bool:
        """Whether a statement that is like a memory says something else: "I'm allergic to cats".

        It must say so with a word or a number of its own: a model takes "keep to X, no Y" for a
        change of "we dropped Y for X", whose words it has.
        """
        told = [each.content for each in shown if each.memory == id]
        pairs = [(old, finding.content) for old in told if says_more(finding.content, old)]
        compared = self.judge.compare(pairs)
        if is_stated_as_known(finding.sentence or finding.content):
            return any(each.is_replaced and each.likelihood >= _SURE_NEWS for each in compared)
        return any(
            (each.is_replaced and has_own_numbers(finding.content, old)) or _says_otherwise(each)
            for (old, _), each in zip(pairs, compared, strict=True)
        )

    def _match_known(self, found: FoundStatement) -> Lesson | None:
        """Match a memory with the same words; it is confirmed or restored."""
        author, known = self.author, self.author.unit.memories.same(identity_of(found.draft))
        if known is None:
            return None
        if known.state(author.now) is State.LIVE:
            return self._confirm(found, known)
        may_return = may_revive(known, find_forgetter(author, known), author.by)
        if may_return and not found.beside_quotes:
            times = {"valid_to": None, "expires_at": found.finding.expires_at}
            times |= _find_trust_gain(found, known) | find_new_day(known, found.heard.at)
            if known.state(author.now) is State.FUTURE:
                times["valid_from"] = None  # said now, it is true now
            back = author.journal.restore(known, **times)
            superseded = replace_older_values(author, back, Status.RESTORED).superseded
            return _to_lesson(found, Verdict.KNOWN, known.id, superseded)
        return _to_lesson(found, Verdict.KNOWN, known.id)

    def _confirm(self, found: FoundStatement, known: Memory) -> Lesson:
        """Confirm a memory; an agent's words that a person repeats become the person's.

        What depends on the day it is said is said of another day now.
        """
        changes = _find_trust_gain(found, known)
        if not (known.explicit or found.beside_quotes):
            changes |= find_new_day(known, found.heard.at)
            changes |= _find_second_occasion(found, known)
        if changes:
            known = self.author.journal.update(known, **changes)
            superseded = replace_older_values(self.author, known, Status.UPDATED).superseded
            return _to_lesson(found, Verdict.KNOWN, known.id, superseded)
        self.author.unit.memories.count_access([known.id], self.author.now)
        return _to_lesson(found, Verdict.KNOWN, known.id)

    def _match_similar(self, found: FoundStatement) -> Lesson | None:
        """Match a memory that says the same in other words, and add what the new words add."""
        for old, likeness in self._load_neighbours(found):
            if not _says_the_same(old, found, likeness):
                continue
            is_said = _holds_all(old.content, found.finding.content)
            is_said = is_said and not _find_trust_gain(found, old)
            is_weaker = found.trust.rank < old.trust.rank or found.beside_quotes
            if old.explicit or old.owner != found.owner or is_weaker or is_said:
                self.author.unit.memories.count_access([old.id], self.author.now)
                self._note_again(found, old.id)
                return _to_lesson(found, Verdict.KNOWN, old.id)
            if self.settings.write_policy is WritePolicy.AUTO:
                return self._add_to(found, old)
        return None

    def _add_to(self, found: FoundStatement, old: Memory) -> Lesson:
        """Write a fuller statement, which replaces the older one or stands beside it."""
        memory, by_key = self._insert(found)
        edge = Association(source=memory.id, target=old.id, relation=Relation.UPDATES)
        self.author.journal.link(edge)
        is_whole = self._takes_all_of(memory, old) and self.author.may_replace(old)
        if old.id in by_key or not is_whole:
            return _to_lesson(found, Verdict.MERGED, memory.id, by_key)
        self.author.journal.supersede(old, memory, _FULLER, is_merge=True)
        self._inherit_compatible(old, memory)
        return _to_lesson(found, Verdict.MERGED, memory.id, [*by_key, old.id])

    def _inherit_compatible(self, old: Memory, memory: Memory) -> None:
        """What was declared right beside a memory is right beside the fuller one too."""
        for edge in self.author.unit.associations.of(old.id):
            if edge.relation is Relation.COMPATIBLE_WITH:
                other = edge.target if edge.source == old.id else edge.source
                first, second = sorted((memory.id, other))
                self.author.journal.link(replace(edge, source=first, target=second))

    def _takes_all_of(self, memory: Memory, old: Memory) -> bool:
        """Whether the new memory loses nothing of the old one: words, key or validity."""
        return (
            memory.state(self.author.now) is State.LIVE
            and old.key in (None, memory.key)
            and memory.trust.rank >= old.trust.rank
            and _holds_all(memory.content, old.content)
        )

    def _write_new(self, found: FoundStatement) -> Lesson:
        if self.settings.write_policy is WritePolicy.REVIEW:
            wish = propose_memory(self.author, self._build_memory(found))
            return _to_lesson(found, Verdict.PROPOSED, wish.id)
        neighbours = self._load_neighbours(found)
        memory, by_key = self._insert(found)
        rivals = self._load_rivals(found, memory, [old for old, _ in neighbours], by_key)
        replaced = self._replace(found, memory, rivals)
        self._link(memory, neighbours, {*by_key, *replaced})
        return _to_lesson(found, Verdict.LEARNED, memory.id, [*by_key, *replaced])

    def _build_memory(self, found: FoundStatement) -> Memory:
        return found.memory(self.author.new_id(), self.author.unit.workspace, self.author.now)

    def _insert(self, found: FoundStatement) -> tuple[Memory, Sequence[str]]:
        """Insert the memory; returns it and what it replaced as the value of its key."""
        memory = self._build_memory(found)
        self.author.journal.insert(memory)
        if found.vectors is not None:
            put_vectors(self.author.unit, memory.id, found.vectors)
            self._taken.append((memory.id, found.vectors))
        if found.beside_quotes:
            if found.is_adopted:
                confirmed = {"trust": Trust.TRUSTED, "metadata": {**memory.metadata, STANDS: True}}
                self.author.journal.queue(Action.UPDATE, memory, confirmed)
            return memory, ()
        written = replace_older_values(self.author, memory, Status.CREATED)
        return written.memory, written.superseded

    def _load_rivals(
        self,
        found: FoundStatement,
        memory: Memory,
        neighbours: Iterable[Memory],
        done: Sequence[str],
    ) -> list[Memory]:
        """The memories that a new one may replace, if it says otherwise."""
        rivals = self.author.unit.claims.rivals([memory.id], _RIVALS)
        by_claim = self.author.unit.memories.get([other for _, other in rivals])
        near = {each.id: each for each in (*by_claim.values(), *neighbours)}
        return [
            old
            for old in near.values()
            if old.id not in (*done, memory.id) and self._may_replace(found, old, memory)
        ]

    def _replace(
        self, found: FoundStatement, memory: Memory, rivals: Sequence[Memory]
    ) -> list[str]:
        """Replace what the memory clearly says otherwise; returns what is replaced.

        A person's own words wait for a person, and so does what a person brought back or what was
        said beside quoted words.
        """
        author = self.author
        replaced = []
        compared = self.judge.compare([(old.content, memory.content) for old in rivals])
        for old, each in zip(rivals, compared, strict=True):
            outcome = decide(old, memory, each.likelihood).outcome if each.is_replaced else None
            is_free = author.may_replace(old) and not found.beside_quotes
            if outcome is Outcome.REPLACED and is_free:
                likelihood = each.likelihood if each.by_model else None
                author.journal.supersede(old, memory, _OTHERWISE, likelihood=likelihood)
                replaced.append(old.id)
                continue
            if outcome in (Outcome.REPLACED, Outcome.REVIEW):
                author.journal.queue(Action.SUPERSEDE, old, {"superseded_by": memory.id})
            self._note_conflict(old, memory, each.likelihood)
        return replaced

    def _note_conflict(self, old: Memory, new: Memory, likelihood: float) -> None:
        """Note what the memory stands against, however unlike their words are.

        Only what is alike is compared again later.
        """
        if likelihood >= _NOTED and is_own_statement(old) and may_follow(old, new):
            edge = to_conflict_link(old, new, likelihood)
            if edge is not None:
                self.author.journal.link(edge)

    def _may_replace(self, found: FoundStatement, old: Memory, new: Memory) -> bool:
        """Whether the new memory replaces the old one if it says otherwise."""
        return (
            old.state(self.author.now) is State.LIVE
            and new.state(self.author.now) is State.LIVE
            and (old.owner, old.agent) == (new.owner, new.agent)
            and (found.beside_quotes or not outranks(old, new))
            and not stands_against(old, new)
        )

    def _link(
        self, memory: Memory, neighbours: Sequence[tuple[Memory, float]], gone: set[str]
    ) -> None:
        """Link the memory to very similar ones."""
        relatives = [
            (old, likeness)
            for old, likeness in neighbours
            if likeness >= _RELATED_COSINE and old.id not in gone and old.owner == memory.owner
        ]
        for old, likeness in relatives[:_MOST_LINKS]:
            weight = min(1.0, likeness)
            edge = Association(
                source=memory.id, target=old.id, relation=Relation.RELATED_TO, weight=weight
            )
            self.author.journal.link(edge)

    def _load_neighbours(self, found: FoundStatement) -> list[tuple[Memory, float]]:
        """Live, similar memories that the speaker sees, best first."""
        written = {id: compare_vectors(vectors, found.vectors) for id, vectors in self._taken}
        near = dict(found.near) | {
            id: cosine for id, cosine in written.items() if cosine >= LEAST_LIKENESS
        }
        memories = self.author.unit.memories.get(list(near))
        seen = [
            (memory, near[id])
            for id, memory in memories.items()
            if memory.state(self.author.now) is State.LIVE
            and memory.superseded_by is None
            and memory.agent in (None, found.heard.agent)
            and memory.owner in found.owners
        ]
        return sorted(seen, key=lambda each: (-each[1], each[0].id))


def _find_second_occasion(found: FoundStatement, known: Memory) -> dict[str, Any]:
    """What changes when a learned statement is said again in another turn: a rule stands then."""
    is_again = known.metadata.get(TURN) not in (None, found.heard.id)
    if not is_again or STANDS in known.metadata or known.trust is not Trust.TRUSTED:
        return {}
    return {"metadata": {**known.metadata, STANDS: True}}


def _says_otherwise(verdict: StatementVerdict) -> bool:
    most = _HARDLY_SAME_AS_REPLACED if verdict.is_replaced else _HARDLY_SAME
    return verdict.sameness is not None and verdict.sameness <= most


def _says_the_same(old: Memory, found: FoundStatement, likeness: float) -> bool:
    content = found.finding.content
    if compare_texts(old.content, content) is Comparison.REPEATS:
        return True
    return likeness >= _SAME_COSINE and may_be_near_duplicates(old.content, content)


def _may_be_quoted(known: Memory, found: FoundStatement) -> bool:
    """Whether somebody who says what a memory says may only repeat it."""
    is_same = known.content_hash == identity_of(found.draft)
    means_another_day = is_same and bool(find_new_day(known, found.heard.at))
    return known.trust.rank >= found.trust.rank and not means_another_day


def _find_trust_gain(found: FoundStatement, known: Memory) -> dict[str, Any]:
    """What changes in a memory if somebody more trusted says the same.

    It ends when they say, not when the first author said.
    """
    if found.trust.rank <= known.trust.rank:
        return {}
    return {
        "trust": found.trust,
        "source": found.heard.by,
        "confidence": max(known.confidence, found.finding.confidence),
        "importance": max(known.importance, DEFAULT_IMPORTANCE[known.type]),
        "valid_to": None,
        "expires_at": found.finding.expires_at,
    }


def _holds_all(whole: str, part: str) -> bool:
    return frozenset(extract_terms(part)) <= frozenset(extract_terms(whole))


def _to_lesson(
    found: FoundStatement,
    verdict: Verdict,
    memory: str | None = None,
    superseded: Sequence[str] = (),
) -> Lesson:
    finding = found.finding
    return Lesson(
        content=finding.content,
        type=finding.type,
        rule=finding.rule,
        verdict=verdict,
        session=found.heard.session,
        memory=memory,
        superseded=tuple(superseded),
    )
