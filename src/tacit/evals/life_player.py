"""Plays lives through the public interface: what is said is learned, and asked for later.

The clock stands on the dates of the conversations. Questions are previews, so that none of them
changes what the next one finds.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from tacit.api.configuration import find_config_files
from tacit.api.tacit import Tacit
from tacit.core.errors import InvalidInput, ModelUnavailable
from tacit.core.kinds import Scope
from tacit.embedding.embedder import Embedder
from tacit.evals.corpus import DEADLINE_MS, check_receipt
from tacit.evals.life_scores import BlockLines, ShownMemories, read_block
from tacit.evals.lives import Exchange, Life, LifeQuestion, LifeSession
from tacit.settings.live_config import LiveConfig
from tacit.store.location import IN_MEMORY
from tacit.turn.commit import Prepared
from tacit.writing.learning.lesson import Learned

_BETWEEN_MESSAGES = timedelta(seconds=90)
_BETWEEN_EXCHANGES = timedelta(seconds=60)
_PATIENT = {"TACIT_SEARCH_EMBEDDING_TIMEOUT_MS": str(DEADLINE_MS)}
_WITHOUT_MODEL = {"TACIT_WRITING_LLM_MODEL": ""}
_PAGE = 1_000

Watch = Callable[[], None]
"""Called after each message, and after each question."""


@dataclass(slots=True)
class LifeClock:
    """The time in a life, set by hand; it never goes back."""

    now: datetime

    def __call__(self) -> datetime:
        """What time it is."""
        return self.now

    def move_to(self, moment: datetime) -> None:
        """Go on to a moment, if it is still to come."""
        self.now = max(self.now, moment)

    def advance(self, time: timedelta) -> None:
        """Let some time pass."""
        self.now += time


@dataclass(frozen=True, slots=True)
class PlayedLife:
    """What became of a life that was played.

    `statements` were found in it, `tokens` a language model took, and `unread` are the messages
    that it did not read.
    """

    messages: int
    statements: int
    tokens: int
    unread: int


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question as it was put: its preview, and the lines that its context had been shown."""

    question: LifeQuestion
    prepared: Prepared
    earlier: tuple[str, ...]

    @property
    def lines(self) -> BlockLines:
        """The lines that its own turn shows."""
        return read_block(self.prepared.block)


@contextmanager
def open_life(
    life: Life, *, embedder: Embedder | str | None = None, with_model: bool = False
) -> Iterator[tuple[Tacit, LifeClock]]:
    """An empty store in memory at the time when a life begins, and its clock.

    Settings are those that are found for every program. The language model that they name reads
    along only `with_model`.
    """
    config = _open_settings(with_model=with_model)
    clock = LifeClock(life.sessions[0].begins)
    with Tacit.open(IN_MEMORY, embedder=embedder, config=config, clock=clock) as tacit:
        tacit.warm()
        yield tacit, clock


def _open_settings(*, with_model: bool) -> LiveConfig:
    environment = _PATIENT | dict(os.environ) | ({} if with_model else _WITHOUT_MODEL)
    config = LiveConfig.open(partial(find_config_files, IN_MEMORY), environment)
    if with_model and not config.current().writing.llm_model:
        problem = "no language model is set; set one up: tacit settings llm openai"
        raise InvalidInput("with_model", problem)
    return config


# Playing


def play_life(
    tacit: Tacit,
    life: Life,
    clock: LifeClock,
    watch: Watch | None = None,
    *,
    with_model: bool = False,
) -> PlayedLife:
    """Say everything in its session and on its day, and learn from it as time goes by.

    `with_model` the settings of the store name a language model, which reads each session at its
    end. One that cannot read even the first session is an error.
    """
    learned: list[Learned] = []
    tacit.workspace.watch_learning(learned.append)
    said = unread = 0
    for session in life.sessions:
        clock.move_to(session.begins)
        _play_session(tacit, life, session, clock, watch or _watch_nothing)
        said += len(session.exchanges)
        if with_model:  # the rules read every message, and so should the model
            unread = 2 * said - sum(each.turns for each in learned)
        if unread >= said:
            problem = f"the language model could not read session {session.id}; the log says why"
            raise ModelUnavailable(f"{problem}, and tacit settings llm checks the model")
    clock.move_to(life.asked)
    together = Learned.together(learned)
    return PlayedLife(said, len(together.lessons), together.tokens, unread)


def _play_session(
    tacit: Tacit, life: Life, session: LifeSession, clock: LifeClock, watch: Watch
) -> None:
    history: list[Any] = []
    for exchange in session.exchanges:
        with tacit.turn(
            session=session.id,
            history=history,
            text=exchange.said,
            user=life.id,
            project=session.project,
            deadline_ms=DEADLINE_MS,
        ) as turn:
            check_receipt(turn.receipt)
            turn.commit(exchange.reply)
        history = turn.history
        _learn_all(tacit)
        clock.advance(_BETWEEN_MESSAGES)
        watch()
    tacit.end_session(session.id)
    _learn_all(tacit)


def _learn_all(tacit: Tacit) -> None:
    """Read everything that waits to be learned and can be read now."""
    while tacit.learn().turns:
        pass


def _watch_nothing() -> None:
    """Stands for nobody who watches."""


# Asking


def ask_questions(
    tacit: Tacit, life: Life, clock: LifeClock, *, deadline_ms: int | None = None, **settings: Any
) -> Iterator[AskedQuestion]:
    """Put each question to a store in which its life was played, where and after what it says.

    Turns wait for their memories; with a deadline those of questions may be late. Settings are
    those of the questions.
    """
    clock.move_to(life.asked)
    for question in life.questions:
        place: dict[str, Any] = {
            "session": f"ask-{question.id}",
            "user": life.id,
            "project": question.project,
        }
        history, earlier = _play_context(tacit, question.context, clock, place)
        prepared = tacit.preview(
            history=history,
            text=question.text,
            deadline_ms=deadline_ms or DEADLINE_MS,
            **place,
            **settings,
        )
        check_receipt(prepared.receipt, may_be_late=deadline_ms is not None)
        yield AskedQuestion(question, prepared, earlier)


def _play_context(
    tacit: Tacit, exchanges: Iterable[Exchange], clock: LifeClock, place: Mapping[str, Any]
) -> tuple[list[Any], tuple[str, ...]]:
    """Play what comes before a question, learning nothing; the history, and the lines in it."""
    history: list[Any] = []
    shown: list[str] = []
    for exchange in exchanges:
        with tacit.turn(
            history=history, text=exchange.said, deadline_ms=DEADLINE_MS, **place
        ) as turn:
            check_receipt(turn.receipt)
            tacit.commit_turn(turn.receipt.id, exchange.reply, learn=False)
        shown += read_block(turn.block).all
        history = [*turn.messages, {"role": "assistant", "content": exchange.reply}]
        clock.advance(_BETWEEN_EXCHANGES)
    return history, tuple(shown)


def find_shown(tacit: Tacit, life: Life, asked: AskedQuestion) -> ShownMemories:
    """What a question was shown, and the memories that it could have been shown."""
    receipt = asked.prepared.receipt
    visible = _list_contents(tacit, Scope.USER, life.id)
    if asked.question.project is not None:
        visible += _list_contents(tacit, Scope.PROJECT, asked.question.project)
    return ShownMemories(
        asked.lines, asked.earlier, tuple(visible), receipt.tokens, bool(receipt.degraded)
    )


def _list_contents(tacit: Tacit, scope: Scope, id: str) -> list[str]:
    contents: list[str] = []
    after: str | None = None
    while page := tacit.list(scope=scope, scope_id=id, limit=_PAGE, after=after):
        contents += [memory.content for memory in page]
        after = page[-1].id
    return contents
