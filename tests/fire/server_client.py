"""A client of servers that die: it sends what was not answered again, until it is answered.

Each client is a thread with conversations of its own. Every write has an idempotency key. A request
whose server died is worked on, as far as the others know, until they take it over; so it is set
aside with its conversation, and the client goes on with another one.
"""

import itertools
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.fire.context import shown_twice
from tests.fire.conversations import Conversation, Conversations
from tests.fire.journal import Journal
from tests.fire.worker import SETTINGS, THINGS

HEADER = "Idempotency-Key"
_REPLY = {"role": "assistant", "content": "So it is."}
_IN_PROGRESS = "urn:tacit:problem:in_progress"
_CONVERSATIONS = 3
_LONGEST_HISTORY = 40
_PAUSE_SECONDS = 0.05
_LATER_SECONDS = 1.0


@dataclass(frozen=True)
class Sent:
    """A request, what the journal is told of it, and what to do once it is answered."""

    what: str
    path: str
    body: Any
    key: str
    given: dict[str, Any]
    then: Callable[[Any], None]


class Client(threading.Thread):
    """Holds conversations and writes memories until it is told to stop; then it settles."""

    def __init__(self, url: str, folder: Path, number: int, *, keeps_connections: bool) -> None:
        super().__init__(name=f"client-{number}", daemon=True)
        kept = None if keeps_connections else 0
        self._http = httpx2.Client(
            base_url=url, timeout=60, limits=httpx2.Limits(max_keepalive_connections=kept)
        )
        self._number = number
        self._journal = Journal(folder / f"{number}.journal")
        self._conversations = Conversations(folder)
        self._dice = random.Random(number)
        self._counts = itertools.count()
        self._names = [f"client{number}c{each}" for each in range(_CONVERSATIONS)]
        self._aside: list[Sent] = []
        self._looked_at = 0.0
        self._stop_asked = threading.Event()
        self.answered: list[tuple[Sent, Any]] = []
        self.begun_and_committed: list[tuple[str, str]] = []
        self.rolled_back: list[str] = []
        self.cut_off = 0
        self.taken_over = 0
        self.never_taken_over = 0
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while not self._stop_asked.is_set():
                self._turn(self._dice.choice(self._names))
                self._look_again()
            self._settle()
        except BaseException as error:
            self.failure = error
            raise
        finally:
            self._http.close()

    def stop(self) -> None:
        self._stop_asked.set()

    def _turn(self, name: str) -> None:
        with self._conversations.held(name) as conversation:
            pass
        said = {"role": "user", "content": f"Which parcels hold {self._dice.choice(THINGS)}?"}
        asked = {"session": conversation.session, "text": said, "history": conversation.history}
        begun, key = self._begun({**asked, "settings": SETTINGS}, conversation.session)
        if self._dice.random() < 0.5:
            self._remember()
        if self._dice.random() < 0.15:
            self._roll_back(begun)
        else:
            self._commit(begun, key, conversation)

    def _begun(self, body: dict[str, Any], session: str) -> tuple[Any, str]:
        """A turn; one whose answer was lost is begun anew, since nobody has seen it."""
        while True:
            sent = Sent("begin", "/v1/turns", body, self._key("begin"), {"session": session}, _no)
            answer = self._answer(sent)
            if answer is not None:
                turn = answer.json()
                result = {"receipt": turn["id"], "twice": shown_twice(turn["messages"])}
                self._note(sent, result, "; ".join(turn["receipt"]["degraded"]) or None)
                return turn, sent.key

    def _commit(self, begun: Any, begin_key: str, conversation: Conversation) -> None:
        key, receipt = self._key("commit"), begun["receipt"]
        given = {"session": begun["session"], "receipt": begun["id"]}
        given["block"] = begun["block"] and begun["block"]["id"]
        given["memories"] = [each["memory"] for each in receipt["memories"]]

        def go_on(ended: Any) -> None:
            self.begun_and_committed.append((begin_key, key))
            self._keep(conversation, begun, stays=ended["block_stays"])

        path = f"/v1/turns/{begun['id']}/commit"
        sent = Sent("commit", path, {"reply": _REPLY}, key, given, go_on)
        if not self._is_settled(sent):
            self._names.remove(conversation.name)
            self._names.append(f"client{self._number}n{next(self._counts)}")

    def _keep(self, conversation: Conversation, begun: Any, *, stays: bool) -> None:
        """The history after the turn; one that has grown long goes on in a new session."""
        block = begun["block"] and begun["block"]["text"]
        messages = [each for each in begun["messages"] if stays or each["content"] != block]
        conversation.keep([*messages, _REPLY])
        if len(conversation.history) > _LONGEST_HISTORY:
            conversation.go_on_in(f"{conversation.name}-{next(self._counts)}", [])

    def _roll_back(self, begun: Any) -> None:
        path = f"/v1/turns/{begun['id']}/rollback"
        given = {"session": begun["session"], "receipt": begun["id"]}
        key = self._key("rollback")
        self._is_settled(
            Sent(
                "roll back", path, None, key, given, lambda _: self.rolled_back.append(begun["id"])
            )
        )

    def _remember(self) -> None:
        thing = self._dice.choice(THINGS)
        content = f"Parcel {self._number}x{next(self._counts)} holds {thing}"
        body = {"content": content, "scope": "org"}
        key = self._key("remember")
        self._is_settled(Sent("remember", "/v1/memories", body, key, {"content": content}, _no))

    def _is_settled(self, sent: Sent, *, with_key: bool = True) -> bool:
        """Send it until it is answered; False where a server that died still has it."""
        answer = self._answer(sent, with_key=with_key)
        if answer is None:
            if sent not in self._aside:
                self._aside.append(sent)
            return False
        if not answer.is_success:
            self._note(sent, {}, f"{answer.status_code} {answer.text}")
            return True
        told = answer.json()
        self._note(sent, {"id": told["memory"]["id"]} if sent.what == "remember" else {}, None)
        if with_key:
            self.answered.append((sent, told))
        sent.then(told)
        return True

    def _look_again(self) -> None:
        """Ask now and then for what was set aside."""
        if time.monotonic() - self._looked_at < _LATER_SECONDS:
            return
        waiting, self._aside = self._aside, []
        self.taken_over += sum(self._is_settled(each) for each in waiting)
        self._looked_at = time.monotonic()

    def _settle(self) -> None:
        """Ask for the last time; what nobody has taken over yet is sent without its key."""
        self._looked_at = 0.0
        self._look_again()
        waiting, self._aside = self._aside, []
        self.never_taken_over = len(waiting)
        for each in waiting:
            assert self._is_settled(each, with_key=False)

    def _answer(self, sent: Sent, *, with_key: bool = True) -> httpx2.Response | None:
        """The answer, whoever gives it; None if the request is worked on elsewhere."""
        headers = {HEADER: sent.key} if with_key else {}
        while True:
            try:
                answer = self._http.post(sent.path, json=sent.body, headers=headers)
            except httpx2.TransportError as error:
                self.cut_off += not isinstance(error, httpx2.ConnectError)
                time.sleep(_PAUSE_SECONDS)
                continue
            is_elsewhere = answer.status_code == 409 and answer.json()["type"] == _IN_PROGRESS
            return None if is_elsewhere else answer

    def _note(self, sent: Sent, result: dict[str, Any], error: str | None) -> None:
        with self._journal.attempt(sent.what, **sent.given) as outcome:
            outcome.result, outcome.error = result, error

    def _key(self, what: str) -> str:
        return f"{self._number}-{next(self._counts)}-{what}"


def _no(_: Any) -> None:
    """Nothing follows."""
