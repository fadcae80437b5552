"""The learner: reads queued turns by rules, and by a model if there is one."""

import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple, Protocol, TypeVar

from tacit.core.episodes import Episode
from tacit.core.errors import ModelLate, ModelRefused, TacitError
from tacit.core.kinds import Actor
from tacit.core.open_turn import CapturedTurn, QueuedTurn, QueueStage
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.vectors import Vector, cosine
from tacit.embedding.llm import ChatModel
from tacit.language.extraction.extract import extract_findings
from tacit.language.query import SearchQuery
from tacit.runtime.clock import Clock
from tacit.search.agreement import AgreementJudge
from tacit.search.duplicates import wording_hash
from tacit.search.filter import Filter
from tacit.search.searcher import Searcher
from tacit.settings.search import SearchSettings
from tacit.settings.writing import WritingSettings
from tacit.store.protocols.store import Store, UnitOfWork
from tacit.writing.author import Author
from tacit.writing.learning.echoes import InjectedMemory, remove_pasted_blocks
from tacit.writing.learning.episodes import EpisodeWriter, LearnedStatement
from tacit.writing.learning.lesson import Learned, Lesson
from tacit.writing.learning.model_reader import (
    ModelNote,
    ModelReading,
    estimate_cost,
    read_turns,
    take_portion,
)
from tacit.writing.learning.statements import (
    LEAST_LIKENESS,
    NEAREST,
    FoundStatement,
    StatementWriter,
)
from tacit.writing.learning.tries import (
    MAX_TRIES,
    NOT_THE_TURNS_FAULT,
    TriedReadings,
    count_failure,
    describe_error,
    split_portions,
)
from tacit.writing.remember import EmbeddedTexts

# The daily token budget


_NAME = "llm_tokens"


def tokens_left(unit: UnitOfWork, today: date, budget: int) -> int:
    """How many tokens may still be used today."""
    return budget - _spent(unit.progress.get(_NAME), today)


def record_spending(unit: UnitOfWork, today: date, tokens: int) -> None:
    """Add used tokens to the account of today."""
    spent = _spent(unit.progress.get(_NAME), today)
    unit.progress.put(_NAME, {"day": today.isoformat(), "tokens": max(0, spent + tokens)})


def _spent(known: Mapping[str, Any] | None, today: date) -> int:
    if known is None or known["day"] != today.isoformat():
        return 0
    return int(known["tokens"])


# The learner


_log = logging.getLogger("tacit.learning")

_AT_ONCE = 64
_SESSIONS_AT_ONCE = 16
_SESSIONS_LOOKED_AT = 10_000
_TURNS_AT_ONCE = 500
_KEPT = timedelta(days=7)
"""So long what was heard waits for a model that cannot be asked."""

_SHOWN = 2_000
_LEASE = timedelta(minutes=5)
_LEASES = "llm_reading"

Result = TypeVar("Result")


class WriteAs(Protocol):
    """Runs work in a transaction in the name of an actor."""

    def __call__(self, by: Actor, work: Callable[[Author], Result]) -> Result:
        """Do the work, all of it or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningDependencies:
    """What learning in one workspace works with."""

    store: Store
    workspace: str
    searcher: Searcher
    embed: Callable[[Sequence[str]], EmbeddedTexts]
    write: WriteAs
    settings: Callable[[], WritingSettings]
    episodes: EpisodeWriter
    judge: Callable[[], AgreementJudge]
    clock: Clock


class Learner:
    """Learns from the queued turns of one workspace."""

    def __init__(self, dependencies: LearningDependencies) -> None:
        self._dependencies = dependencies
        self._model: ChatModel | None = None
        self._failed: set[str] = set()
        """Sessions that could not be read the last time; others come first."""

    @property
    def workspace(self) -> str:
        """The workspace whose turns it reads."""
        return self._dependencies.workspace

    def learn_by_rules(self, reach: Viewer = UNBOUND) -> Learned:
        """Read the turns that nobody has read yet."""
        parts: list[Learned] = []
        tried = TriedReadings(self._dependencies.store, self.workspace)
        while turns := self._load_unread(reach):
            parts += tried.read(turns, self._learn_turns_by_rules)
        return Learned.together(parts)

    def learn_by_model(self, reach: Viewer = UNBOUND) -> Learned:
        """Let the model read the sessions that are due, as far as the budget goes."""
        settings = self._dependencies.settings()
        parts: list[Learned] = []
        passed: set[str] = set()
        failures = 0
        while session := self._find_due_session(settings, passed, reach):
            reading = self._learn_session_by_model(session, settings)
            if reading is None:
                self._failed.add(session)
                break
            self._failed.discard(session)
            parts.append(reading.learned)
            failures += reading.is_failed
            if failures >= MAX_TRIES:  # the model may be at fault
                break
            if not (reading.learned.turns or reading.is_failed):
                passed.add(session)
        return Learned.together(parts)

    def _find_due_session(
        self, settings: WritingSettings, passed: Collection[str], reach: Viewer
    ) -> str | None:
        """The session to read next, if its time has come; nothing waits for ever."""
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            unit.heard.prune(self._dependencies.clock() - _KEPT)
            if not (settings.learn and settings.llm_model):
                return None
            most = _SESSIONS_AT_ONCE + len(passed) if not reach.is_bound else _SESSIONS_LOOKED_AT
            ripe = unit.heard.ripe(settings.persist_every, most)
            if reach.is_bound:
                ripe = [each for each in ripe if reach.sees_session(unit.participants.of(each))]
        waiting = [session for session in ripe if session not in passed]
        return min(waiting, key=self._failed.__contains__, default=None)

    def _load_unread(self, reach: Viewer) -> list[QueuedTurn]:
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            if not reach.is_bound:
                return unit.heard.at_stage(QueueStage.FRESH, _AT_ONCE)
            return _unread_turns(unit, reach)

    def _learn_turns_by_rules(self, turns: Sequence[CapturedTurn]) -> Learned:
        settings = self._dependencies.settings()
        kept = self._keep_said(turns)
        found = self._add_vectors([each for turn in turns for each in _extract_by_rules(turn)])
        keep, judge = bool(settings.llm_model), self._dependencies.judge()

        def work(author: Author) -> _Written:
            settled = author.unit.heard.settle([turn.id for turn in turns], keep=keep)
            there = [each for each in found if each.heard.id in settled]
            written = _write_statements(author, settings, judge, there)
            erased = [
                each
                for each in kept
                if each.turn not in settled and author.unit.receipts.get(each.turn) is None
            ]
            return replace(written, erased=tuple(erased))

        written = self._dependencies.write(Actor.SYSTEM, work)
        self._dependencies.episodes.take_back(written.erased)
        self._note_sources(written)
        return _log_outcome(Learned(turns=len(turns), lessons=written.lessons))

    def _keep_said(self, turns: Sequence[CapturedTurn]) -> list[Episode]:
        """Keep what was said; words that cannot be read do not stop the learning."""
        try:
            return self._dependencies.episodes.keep(turns)
        except TacitError:  # the store: all of it is tried again
            raise
        except Exception as error:
            _log.warning("what was said is not kept: %s %s", type(error).__name__, error)
            return []

    def _note_sources(self, written: "_Written") -> None:
        """Note with what was said that memories were learned from it."""
        if written.learned:
            self._dependencies.episodes.note_learned(written.learned)

    def _learn_session_by_model(
        self, session: str, settings: WritingSettings
    ) -> "_SessionReading | None":
        """What the model reads in a session that nobody else reads; None if it cannot be asked.

        What was set aside for it is then given back, unless its answer is only late.
        """
        claimed = self._claim_turns(session, settings)
        turns = [each.turn for each in claimed]
        if not turns:
            return _SessionReading(Learned())
        try:
            reading = read_turns(self._chat(settings), turns)
        except ModelRefused as error:
            reading = ModelReading(problem=str(error))
        except TacitError as error:
            _log.warning("session %s waits for the model: %s", session, error)
            self._release(session, 0 if isinstance(error, ModelLate) else estimate_cost(turns))
            return None
        problem = reading.problem
        try:
            if problem is None:
                return _SessionReading(self._write_notes(session, turns, reading, settings))
        except NOT_THE_TURNS_FAULT:
            raise
        except Exception as error:
            problem = describe_error(error)
        self._note_unusable(session, claimed, problem, reading.tokens)
        return _SessionReading(Learned(tokens=reading.tokens), is_failed=True)

    def _write_notes(
        self,
        session: str,
        turns: Sequence[CapturedTurn],
        reading: ModelReading,
        settings: WritingSettings,
    ) -> Learned:
        """Write what the model noted, and take its turns from the queue."""
        found = self._add_vectors([_to_statement(note) for note in reading.notes])
        judge = self._dependencies.judge()

        def work(author: Author) -> _Written:
            record_spending(author.unit, author.now.date(), reading.tokens - estimate_cost(turns))
            _drop_lease(author.unit, session)
            there = author.unit.heard.drop([turn.id for turn in turns])
            return _write_statements(
                author, settings, judge, [each for each in found if each.heard.id in there]
            )

        written = self._dependencies.write(Actor.SYSTEM, work)
        self._note_sources(written)
        lessons = (*written.lessons, *_refused_lessons(reading, session))
        return _log_outcome(Learned(turns=len(turns), lessons=lessons, tokens=reading.tokens))

    def _note_unusable(
        self, session: str, turns: Sequence[QueuedTurn], problem: str, tokens: int
    ) -> None:
        """Count an answer that could not be used, and what it cost."""
        _log.warning("nothing was learned by the model: %s", problem)
        cost = estimate_cost([each.turn for each in turns])
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            record_spending(unit, self._dependencies.clock().date(), tokens - cost)
            _drop_lease(unit, session)
            count_failure(unit, turns, f"the model's answer could not be used: {problem}")

    def _claim_turns(self, session: str, settings: WritingSettings) -> Sequence[QueuedTurn]:
        """The turns to read now, which nobody else will meanwhile, and their cost set aside."""
        now = self._dependencies.clock()
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            waiting = unit.heard.waiting(session, _TURNS_AT_ONCE)
            portion = next(split_portions(waiting), ())
            claimed = portion[: len(take_portion([each.turn for each in portion]))]
            turns = [each.turn for each in claimed]
            leases = _find_leases(unit, now - _LEASE)
            budget = tokens_left(unit, now.date(), settings.llm_tokens_per_day)
            if not turns or session in leases:
                return ()
            if estimate_cost(turns) > budget:
                _log.info("session %s waits: the model has had its tokens of today", session)
                return ()
            record_spending(unit, now.date(), estimate_cost(turns))
            unit.progress.put(_LEASES, {**leases, session: now.isoformat()})
        return claimed

    def _release(self, session: str, tokens: int) -> None:
        """Give back what was set aside for a reading that did not happen."""
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            record_spending(unit, self._dependencies.clock().date(), -tokens)
            _drop_lease(unit, session)

    def _chat(self, settings: WritingSettings) -> ChatModel:
        model = self._model
        if model is None or (model.model, model.base_url) != _model_address(settings):
            self._model = model = ChatModel(*_model_address(settings))
        return model

    def _add_vectors(self, found: Sequence[FoundStatement]) -> list[FoundStatement]:
        """Findings with their vectors, what is near them, and what their sessions were shown."""
        if not found:
            return []
        embedded = self._dependencies.embed(
            list(dict.fromkeys(each.finding.content for each in found))
        )
        whole = [replace(each, vector=embedded.get(each.finding.content)) for each in found]
        shown = self._load_shown({each.heard.session for each in whole})
        placed = [
            replace(
                each,
                near=self._find_near(each),
                shown=_add_similarities(each, shown[each.heard.session]),
            )
            for each in whole
        ]
        self._compare_with_near(placed)
        return placed

    def _compare_with_near(self, found: Sequence[FoundStatement]) -> None:
        """Compare statements with what is near them now, so that no transaction waits for it."""
        ids = {id for each in found for id, _ in each.near}
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            near = unit.memories.get(sorted(ids))
        pairs = [
            (near[id].content, each.finding.content)
            for each in found
            for id, _ in each.near
            if id in near
        ]
        self._dependencies.judge().compare(pairs)

    def _find_near(self, found: FoundStatement) -> tuple[tuple[str, float], ...]:
        """Memories that its speaker sees and that are alike; by words, without a vector."""
        searcher, workspace = self._dependencies.searcher, self._dependencies.workspace
        filter = Filter(now=self._dependencies.clock(), owners=found.owners)
        if found.vector is not None:
            _, vector = found.vector
            (near,) = searcher.nearest(workspace, [vector], NEAREST, LEAST_LIKENESS, filter)
            return tuple(near)
        asked, most = SearchQuery.of(found.finding.content), SearchSettings(max_results=NEAREST)
        hits = searcher.search(workspace, asked, filter, most).hits
        return tuple((hit.memory.id, LEAST_LIKENESS) for hit in hits)

    def _load_shown(
        self, sessions: set[str]
    ) -> dict[str, list[tuple[InjectedMemory, Vector | None]]]:
        """What sessions were shown, in the words of today, with the vectors there are."""
        shown: dict[str, list[tuple[InjectedMemory, Vector | None]]] = defaultdict(list)
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            for session in sessions:
                entries = unit.ledger.of(session)[-_SHOWN:]
                ids = list(dict.fromkeys(entry.memory for entry in entries))
                vectors = self._dependencies.searcher.vectors(unit, ids)
                for id, memory in unit.memories.get(ids).items():
                    shown[session].append((InjectedMemory(id, memory.content), vectors.get(id)))
        return shown


def _unread_turns(unit: UnitOfWork, reach: Viewer) -> list[QueuedTurn]:
    """The turns that the rules have not read yet, oldest first."""
    found: list[QueuedTurn] = []
    last: str | None = None
    while len(found) < _AT_ONCE and (
        page := unit.heard.at_stage(QueueStage.FRESH, _TURNS_AT_ONCE, last)
    ):
        last = page[-1].id
        found += [each for each in page if reach.sees_turn(each.turn.agent, each.turn.user)]
    return found[:_AT_ONCE]


class _SessionReading(NamedTuple):
    """What a model's reading of a session gave, and whether its answer could not be used."""

    learned: Learned
    is_failed: bool = False


@dataclass(frozen=True, slots=True)
class _Written:
    """The lessons of one transaction, what they were learned from, and what was erased before."""

    lessons: tuple[Lesson, ...]
    learned: tuple[LearnedStatement, ...] = ()
    erased: tuple[Episode, ...] = ()


def _write_statements(
    author: Author,
    settings: WritingSettings,
    judge: AgreementJudge,
    found: Sequence[FoundStatement],
) -> _Written:
    writer = StatementWriter(author, settings, judge)
    lessons = tuple(writer.write(each) for each in found)
    known = author.unit.memories.get([each.memory for each in lessons if each.memory])
    learned = (
        LearnedStatement(
            each.heard, each.quote or each.finding.sentence, memory.id, _digest(memory.content)
        )
        for each, lesson in zip(found, lessons, strict=True)
        if (memory := known.get(lesson.memory or "")) is not None
    )
    return _Written(lessons, tuple(learned))


def _digest(content: str) -> str:
    return wording_hash(content).hex()


def _add_similarities(
    found: FoundStatement, shown: Sequence[tuple[InjectedMemory, Vector | None]]
) -> tuple[InjectedMemory, ...]:
    if found.vector is None:
        return tuple(each for each, _ in shown)
    _, own = found.vector
    return tuple(
        each if vector is None else replace(each, likeness=cosine(own, vector))
        for each, vector in shown
    )


def _extract_by_rules(turn: CapturedTurn) -> list[FoundStatement]:
    """What the rules find in a turn; a quote may continue in the next message."""
    read = [extract_findings(remove_pasted_blocks(text), turn.at) for text in turn.said]
    beside = any(each.has_quotes for each in read) or (len(read) > 1 and _has_quotes(turn))
    return [
        FoundStatement(heard=turn, finding=finding, beside_quotes=beside)
        for each in read
        for finding in each.findings
    ]


def _to_statement(note: ModelNote) -> FoundStatement:
    return FoundStatement(
        heard=note.heard,
        finding=note.finding,
        quote=note.quote,
        beside_quotes=_has_quotes(note.heard),
    )


def _has_quotes(turn: CapturedTurn) -> bool:
    """Whether anything in the messages of a turn, taken together, looks quoted or pasted."""
    return extract_findings(remove_pasted_blocks("\n".join(turn.said)), turn.at).has_quotes


def _refused_lessons(reading: ModelReading, session: str) -> list[Lesson]:
    return [
        Lesson(
            content=finding.content,
            type=finding.type,
            rule=finding.rule,
            verdict=verdict,
            session=session,
        )
        for finding, verdict in reading.refused
    ]


def _find_leases(unit: UnitOfWork, since: datetime) -> dict[str, str]:
    """The sessions that somebody began to read after a moment, with that time."""
    leases = unit.progress.get(_LEASES) or {}
    return {session: begun for session, begun in leases.items() if begun > since.isoformat()}


def _drop_lease(unit: UnitOfWork, session: str) -> None:
    leases = dict(unit.progress.get(_LEASES) or {})
    leases.pop(session, None)
    unit.progress.put(_LEASES, leases)


def _model_address(settings: WritingSettings) -> tuple[str, str | None]:
    return settings.llm_model, settings.llm_base_url or None


def _log_outcome(learned: Learned) -> Learned:
    """Log the outcome, without the words."""
    if learned.lessons:
        counts = {str(verdict): count for verdict, count in learned.counts.items()}
        told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        _log.info("learned from %d turns: %s", learned.turns, told, extra=counts)
    return learned
