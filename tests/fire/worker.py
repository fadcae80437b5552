"""A process of a host: it serves turns of shared conversations until it is killed.

The folder holds the conversations, and a journal and a log for each worker. The manner says whether
a conversation has one turn at a time or turns that overlap. Beside its turns a worker writes,
changes and forgets memories of its own.
"""

import itertools
import logging
import os
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from tacit import FakeEmbedder, Tacit
from tacit.turn.commit import Turn
from tests.fire.context import shown_in, shown_twice
from tests.fire.conversations import NAMES, Conversation, Conversations
from tests.fire.journal import Journal

SETTINGS = {
    "contextual_min_score": 0.05,
    "search_limit": 6,
    "max_total": 4,
    "deadline_ms": 10_000,
}
"""Small blocks, and no hurry: how fast turns are is measured elsewhere."""

THINGS = ("zinc", "walnuts", "lanterns", "gherkins", "copper", "saddles", "violins", "marble")
OVERLAPPING, IN_ORDER = "overlapping", "in order"
Messages: TypeAlias = list[Any]
_REPLY = {"role": "assistant", "content": "So it is."}
_LONGEST_HISTORY = 40
_LONGEST_SESSION = 150
_PAUSE_SECONDS = 0.05


class Worker:
    """One process: its Tacit, its journal, the memories that it wrote, and its dice."""

    def __init__(self, database: str, folder: Path, number: str, manner: str) -> None:
        self._overlaps = manner == OVERLAPPING
        self._number = number
        self._database = database
        self._journal = Journal(folder / f"{number}.journal")
        self._conversations = Conversations(folder)
        self._dice = random.Random(number)
        self._counts = itertools.count()
        self._own: dict[str, str] = {}
        self._heard = _Heard()
        logging.getLogger("tacit.turn").addHandler(self._heard)
        logging.getLogger("psycopg.pool").setLevel(logging.ERROR)

    def work(self) -> None:
        """Serve turns for ever."""
        while not (tacit := self._opened()):
            time.sleep(_PAUSE_SECONDS)
        self._tacit: Tacit = tacit
        serve = self._serve_beside_others if self._overlaps else self._serve_alone
        while True:
            name = self._dice.choice(NAMES)
            serve(name)
            with self._conversations.held(name) as conversation:
                self._look_after(conversation)

    def _serve_alone(self, name: str) -> None:
        """A turn that nobody else has in this conversation meanwhile."""
        with self._conversations.held(name) as conversation:
            self._turn(conversation, lambda history, _: conversation.keep(history))

    def _serve_beside_others(self, name: str) -> None:
        """A turn in which others may begin and end theirs: what it said is added to theirs."""
        with self._conversations.held(name) as seen:
            pass

        def keep(_: Messages, exchange: Messages) -> None:
            with self._conversations.held(name) as conversation:
                if conversation.session == seen.session:
                    conversation.keep([*conversation.history, *exchange])

        self._turn(seen, keep)

    def _opened(self) -> Tacit | None:
        with self._journal.attempt("open"):
            return Tacit.open(self._database, embedder=FakeEmbedder())
        return None

    def _look_after(self, conversation: Conversation) -> None:
        """What becomes of a conversation now and then."""
        if conversation.turns >= _LONGEST_SESSION:
            conversation.go_on_in(self._name(conversation), [])
        elif len(conversation.history) > _LONGEST_HISTORY:
            self._compact(conversation)
        elif self._happens(0.01):
            self._branch(conversation)
        elif self._happens(0.01):
            with self._journal.attempt("reset", session=conversation.session):
                self._tacit.sessions.reset_memory_injection_tracking(conversation.session)

    def _turn(self, conversation: Conversation, keep: Callable[[Messages, Messages], None]) -> None:
        """A turn; `keep` is told the history after it, and what was said in it."""
        session, history = conversation.session, conversation.history
        said = {"role": "user", "content": f"Which parcels hold {self._dice.choice(THINGS)}?"}
        with self._journal.attempt("begin", session=session) as outcome:
            turn = self._tacit.turn(session=session, text=said, history=history, **SETTINGS)
            outcome.result = {"receipt": turn.receipt.id, "twice": shown_twice(turn.messages)}
            outcome.error = "; ".join(turn.receipt.degraded) or None
        if self._happens(0.4):
            self._write(shown_in(turn.messages))
        if self._happens(0.15):
            self._end("roll back", turn, turn.roll_back)
        elif self._happens(0.2):  # a host that saves what was said before it commits
            keep([*turn.messages, _REPLY], [said, _REPLY])
            self._end("commit", turn, lambda: turn.commit(_REPLY))
        else:
            self._end("commit", turn, lambda: turn.commit(_REPLY))
            keep(turn.history, [said, _REPLY])

    def _end(self, what: str, turn: Turn, end: Callable[[], None]) -> None:
        """End a turn; it never raises, so a failure is what it says in the log."""
        receipt = turn.receipt
        given = {"session": receipt.session, "receipt": receipt.id, "block": receipt.block}
        given["memories"] = [each.memory for each in receipt.injected]
        with self._journal.attempt(what, **given) as outcome:
            self._heard.lines.clear()
            end()
            outcome.error = "; ".join(self._heard.lines) or None

    def _compact(self, conversation: Conversation) -> None:
        session, history = conversation.session, conversation.history
        level = self._dice.choice(["aggressive", "emergency"])
        with self._journal.attempt("compact", session=session) as outcome:
            compacted = self._tacit.compact(session=session, history=history, level=level)
            outcome.error = "; ".join(compacted.degraded) or None
        conversation.replace(list(compacted.messages))

    def _branch(self, conversation: Conversation) -> None:
        branch = self._name(conversation)
        with self._journal.attempt("fork", session=conversation.session, into=branch) as outcome:
            self._tacit.sessions.fork(conversation.session, branch)
        if outcome.error is None:
            conversation.go_on_in(branch, conversation.history)

    def _write(self, shown: Sequence[str]) -> None:
        """Remember something new, or change or forget something of one's own, preferably shown."""
        way = self._dice.choice([self._remember, self._remember, self._edit, self._forget])
        own = [id for id, content in self._own.items() if content in shown] or list(self._own)
        if way == self._remember or not own:
            self._remember()
        else:
            way(self._dice.choice(own))

    def _remember(self) -> None:
        content = self._content()
        with self._journal.attempt("remember", content=content) as outcome:
            outcome.result["id"] = self._tacit.remember(content, scope="org").id
            self._own[outcome.result["id"]] = content

    def _edit(self, id: str) -> None:
        self._own[id] = content = self._content()
        with self._journal.attempt("edit", id=id, content=content):
            self._tacit.edit(id, content=content)

    def _forget(self, id: str) -> None:
        del self._own[id]
        with self._journal.attempt("forget", id=id):
            self._tacit.forget(id)

    def _content(self) -> str:
        """What no other memory says, of any worker."""
        parcel = f"{self._number}x{next(self._counts)}"
        return f"Parcel {parcel} holds {self._dice.choice(THINGS)}"

    def _name(self, conversation: Conversation) -> str:
        return f"{conversation.name}-{self._number}-{next(self._counts)}"

    def _happens(self, share: float) -> bool:
        return self._dice.random() < share


class _Heard(logging.Handler):
    """What the log warned of."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def work(database: str, folder: str, number: str, manner: str) -> None:
    """Be a worker until killed; nobody reads what it writes, so that goes to a file."""
    with (Path(folder) / f"{number}.log").open("wb") as log:
        for output in (1, 2):
            os.dup2(log.fileno(), output)
    Worker(database, Path(folder), number, manner).work()
