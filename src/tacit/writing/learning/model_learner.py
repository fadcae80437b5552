"""Learning by a model: it reads the sessions that are due, as far as its daily budget goes."""

import logging
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import NamedTuple

from tacit.core.errors import ModelLate, ModelRefused, TacitError
from tacit.core.kinds import Actor
from tacit.core.open_turn import CapturedTurn, QueuedTurn
from tacit.core.permissions import UNBOUND, Viewer
from tacit.embedding.llm import ChatModel
from tacit.settings.writing import WritingSettings
from tacit.writing.author import Author
from tacit.writing.learning.authorship import TurnAuthorship
from tacit.writing.learning.dependencies import LearningDependencies
from tacit.writing.learning.found_statement import FoundStatement
from tacit.writing.learning.lesson import Learned, Lesson
from tacit.writing.learning.model_reader import (
    ModelNote,
    ModelReading,
    estimate_cost,
    read_turns,
    take_portion,
)
from tacit.writing.learning.surroundings import Surroundings
from tacit.writing.learning.token_budget import (
    drop_lease,
    find_leases,
    record_spending,
    take_lease,
    tokens_left,
)
from tacit.writing.learning.tries import (
    MAX_TRIES,
    NOT_THE_TURNS_FAULT,
    count_failure,
    describe_error,
    split_portions,
)
from tacit.writing.learning.written import (
    WrittenStatements,
    log_outcome,
    write_statements,
)

_log = logging.getLogger("tacit.learning")

_SESSIONS_AT_ONCE = 16
_SESSIONS_LOOKED_AT = 10_000
_TURNS_AT_ONCE = 500
_KEPT = timedelta(days=7)
"""So long what was heard waits for a model that cannot be asked."""


class ModelLearner:
    """Lets a model read the queued turns of one workspace."""

    def __init__(self, dependencies: LearningDependencies) -> None:
        self._dependencies = dependencies
        self._surroundings = Surroundings(dependencies)
        self._model: ChatModel | None = None
        self._failed: set[str] = set()
        """Sessions that could not be read the last time; others come first."""

    def learn(self, reach: Viewer = UNBOUND) -> Learned:
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
        authorship = TurnAuthorship.of(
            self._dependencies.store,
            self._dependencies.workspace,
            turns,
            self._dependencies.judge().reader,
        )
        found = self._surroundings.place(
            [_to_statement(note, authorship) for note in reading.notes]
        )
        judge = self._surroundings.compare(found)

        def work(author: Author) -> WrittenStatements:
            record_spending(author.unit, author.now.date(), reading.tokens - estimate_cost(turns))
            drop_lease(author.unit, session)
            there = author.unit.heard.drop([turn.id for turn in turns])
            return write_statements(
                author, settings, judge, [each for each in found if each.heard.id in there]
            )

        written = self._dependencies.write(Actor.SYSTEM, work)
        if written.learned:
            self._dependencies.episodes.note_learned(written.learned)
        lessons = (*written.lessons, *_refused_lessons(reading, session))
        return log_outcome(Learned(turns=len(turns), lessons=lessons, tokens=reading.tokens))

    def _note_unusable(
        self, session: str, turns: Sequence[QueuedTurn], problem: str, tokens: int
    ) -> None:
        """Count an answer that could not be used, and what it cost."""
        _log.warning("nothing was learned by the model: %s", problem)
        cost = estimate_cost([each.turn for each in turns])
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            record_spending(unit, self._dependencies.clock().date(), tokens - cost)
            drop_lease(unit, session)
            count_failure(unit, turns, f"the model's answer could not be used: {problem}")

    def _claim_turns(self, session: str, settings: WritingSettings) -> Sequence[QueuedTurn]:
        """The turns to read now, which nobody else will meanwhile, and their cost set aside."""
        now = self._dependencies.clock()
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            waiting = unit.heard.waiting(session, _TURNS_AT_ONCE)
            portion = next(split_portions(waiting), ())
            claimed = portion[: len(take_portion([each.turn for each in portion]))]
            turns = [each.turn for each in claimed]
            budget = tokens_left(unit, now.date(), settings.llm_tokens_per_day)
            if not turns or session in find_leases(unit, now):
                return ()
            if estimate_cost(turns) > budget:
                _log.info("session %s waits: the model has had its tokens of today", session)
                return ()
            record_spending(unit, now.date(), estimate_cost(turns))
            take_lease(unit, session, now)
        return claimed

    def _release(self, session: str, tokens: int) -> None:
        """Give back what was set aside for a reading that did not happen."""
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            record_spending(unit, self._dependencies.clock().date(), -tokens)
            drop_lease(unit, session)

    def _chat(self, settings: WritingSettings) -> ChatModel:
        model = self._model
        if model is None or _address_of(model) != _model_address(settings):
            model_name, base_url, key_env = _model_address(settings)
            self._model = model = ChatModel(model_name, base_url, key_env=key_env)
        return model


class _SessionReading(NamedTuple):
    """What a model's reading of a session gave, and whether its answer could not be used."""

    learned: Learned
    is_failed: bool = False


def _to_statement(note: ModelNote, authorship: TurnAuthorship) -> FoundStatement:
    return FoundStatement(
        heard=note.heard,
        finding=note.finding,
        quote=note.quote,
        beside_quotes=authorship.has_quotes(note.heard),
    )


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


def _model_address(settings: WritingSettings) -> tuple[str, str | None, str]:
    return settings.llm_model, settings.llm_base_url or None, settings.llm_key_env


def _address_of(model: ChatModel) -> tuple[str, str | None, str]:
    return model.model, model.base_url, model.key_env
