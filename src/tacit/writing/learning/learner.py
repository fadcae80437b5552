"""The learner: reads queued turns by rules and the local model, and by an LLM if there is one."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial

from tacit.core.episodes import Episode
from tacit.core.errors import TacitError
from tacit.core.kinds import Actor
from tacit.core.open_turn import CapturedTurn, QueuedTurn, QueueStage
from tacit.core.permissions import UNBOUND, Viewer
from tacit.language.extraction.authorship import WeighAuthorship
from tacit.language.extraction.extract import extract_findings
from tacit.language.extraction.findings import Extraction
from tacit.language.small_talk import is_nothing_but
from tacit.statements.pair_reading import PairReader
from tacit.store.protocols.store import UnitOfWork
from tacit.writing.author import Author
from tacit.writing.learning.authorship import TurnAuthorship
from tacit.writing.learning.corrections import CorrectionFinder, ReadTurn
from tacit.writing.learning.dependencies import LearningDependencies
from tacit.writing.learning.echoes import remove_pasted_blocks
from tacit.writing.learning.found_statement import FoundStatement
from tacit.writing.learning.lesson import Learned
from tacit.writing.learning.model_learner import ModelLearner
from tacit.writing.learning.surroundings import Surroundings
from tacit.writing.learning.tries import TriedReadings
from tacit.writing.learning.withdrawal import doubt_memories, withdraw_memories
from tacit.writing.learning.written import WrittenStatements, log_outcome, write_statements

_log = logging.getLogger("tacit.learning")

_AT_ONCE = 64
_PAGE = 500


class Learner:
    """Learns from the queued turns of one workspace."""

    def __init__(self, dependencies: LearningDependencies) -> None:
        self._dependencies = dependencies
        self._surroundings = Surroundings(dependencies)
        self._corrections = CorrectionFinder(dependencies, self._surroundings)
        self._model_learner = ModelLearner(dependencies)

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
        return self._model_learner.learn(reach)

    def _load_unread(self, reach: Viewer) -> list[QueuedTurn]:
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            if not reach.is_bound:
                return unit.heard.at_stage(QueueStage.FRESH, _AT_ONCE)
            return _unread_turns(unit, reach)

    def _learn_turns_by_rules(self, turns: Sequence[CapturedTurn]) -> Learned:
        settings = self._dependencies.settings()
        keep, reader = bool(settings.llm_model), self._dependencies.judge().reader
        authorship = TurnAuthorship.of(self._dependencies.store, self.workspace, turns, reader)
        kept = self._keep_said(turns, authorship)
        disowned = self._dependencies.episodes.doubt(authorship.disowned)
        doubted = self._dependencies.episodes.doubt(authorship.doubted)
        read = [_read_turn(turn, reader, authorship) for turn in turns]
        stated = self._surroundings.place(
            [each for one in read for each in _found_statements(one, authorship)]
        )
        found = _in_order_said([*stated, *self._corrections.find(read, stated)], turns)
        judge = self._surroundings.compare(found)

        def work(author: Author) -> WrittenStatements:
            withdraw_memories(author, disowned)
            doubt_memories(author, doubted)
            settled = author.unit.heard.settle([turn.id for turn in turns], keep=keep)
            there = [each for each in found if each.heard.id in settled]
            written = write_statements(author, settings, judge, there)
            erased = [
                each
                for each in kept
                if each.turn not in settled and author.unit.receipts.get(each.turn) is None
            ]
            return replace(written, erased=tuple(erased))

        written = self._dependencies.write(Actor.SYSTEM, work)
        self._dependencies.episodes.take_back(written.erased)
        if written.learned:
            self._dependencies.episodes.note_learned(written.learned)
        return log_outcome(Learned(turns=len(turns), lessons=written.lessons))

    def _keep_said(
        self, turns: Sequence[CapturedTurn], authorship: TurnAuthorship
    ) -> list[Episode]:
        """Keep what was said; words that cannot be read do not stop the learning."""
        try:
            return self._dependencies.episodes.keep(turns, authorship.is_doubtful)
        except TacitError:  # the store: all of it is tried again
            raise
        except Exception as error:
            _log.warning("what was said is not kept: %s %s", type(error).__name__, error)
            return []


def _unread_turns(unit: UnitOfWork, reach: Viewer) -> list[QueuedTurn]:
    """The turns that the rules have not read yet, oldest first."""
    found: list[QueuedTurn] = []
    last: str | None = None
    while len(found) < _AT_ONCE and (page := unit.heard.at_stage(QueueStage.FRESH, _PAGE, last)):
        last = page[-1].id
        found += [each for each in page if reach.sees_turn(each.turn.agent, each.turn.user)]
    return found[:_AT_ONCE]


def read_message(
    text: str,
    now: datetime,
    reader: PairReader | None,
    weigh_authorship: WeighAuthorship | None = None,
    *,
    explains: bool = False,
) -> Extraction:
    """What is found in a message; by the rules alone if the model cannot be had.

    `weigh_authorship` asks the same model, and may know the message already.
    """
    if reader is not None:
        with suppress(TacitError):
            return extract_findings(
                text,
                now,
                explains=explains,
                weigh=partial(_weigh, reader),
                weigh_authorship=weigh_authorship or reader.weigh_authorship,
            )
    return extract_findings(text, now, explains=explains)


def _weigh(reader: PairReader, pairs: Sequence[tuple[str, str]]) -> list[float]:
    likelihoods: list[float] = reader.weigh_statements(pairs).tolist()
    return likelihoods


def _read_turn(
    turn: CapturedTurn, reader: PairReader | None, authorship: TurnAuthorship
) -> ReadTurn:
    is_foreign = turn.id in authorship.foreign
    read: list[tuple[str, Extraction]] = []
    for text in map(remove_pasted_blocks, turn.said):
        found = read_message(text, turn.at, reader, authorship.weigh)
        read.append((text, replace(found, has_quotes=True) if is_foreign else found))
    return ReadTurn(turn, tuple(read))


def _in_order_said(
    found: Sequence[FoundStatement], turns: Sequence[CapturedTurn]
) -> list[FoundStatement]:
    """Statements in the order of their turns, since what is written later replaces the earlier."""
    places = {turn.id: place for place, turn in enumerate(turns)}
    return sorted(found, key=lambda each: places[each.heard.id])


def _found_statements(read: ReadTurn, authorship: TurnAuthorship) -> list[FoundStatement]:
    """What is found in a turn; a quote may continue in the next message."""
    found = [each for _, each in read.messages]
    beside = any(each.has_quotes for each in found)
    beside = beside or (len(found) > 1 and authorship.has_quotes(read.turn))
    return [
        FoundStatement(
            heard=read.turn,
            finding=finding,
            beside_quotes=beside,
            is_adopted=each.adopts_text,
            is_alone=is_nothing_but(text, [one.sentence for one in each.findings]),
        )
        for text, each in read.messages
        for finding in each.findings
    ]
