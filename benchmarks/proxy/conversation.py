"""A long coding session: what its tools return, what is asked, and what memory knows of it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp, log
from random import Random
from typing import Any

from benchmarks.load.statements import questions
from benchmarks.proxy.provider import say, text_part
from benchmarks.texts import make_texts
from tacit.language.tokens import estimate_tokens

Json = dict[str, Any]

TURNS = 60
CALLS = 4
_SEED = 7
_DISTINCT = 40
_RESULT_TOKENS = (500, 3_000)
_ANSWER_TOKENS = 200
_SYSTEM_TOKENS = 8_000
_TEXT = make_texts(4_000, _SEED)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks in a turn, and the statement that answers it."""

    question: str
    statement: str


def choose_questions(count: int) -> list[Asked]:
    """A question for each turn; a third of them are about what was asked before.

    `count` is how many statements memory has; the questions are about some of them.
    """
    random = Random(_SEED)
    known = [Asked(question, statement) for statement, question in questions(1, count)]
    chosen = random.sample(known, _DISTINCT)
    later = random.choices(chosen, k=TURNS - _DISTINCT)
    mixed = [*chosen[_DISTINCT // 4 :], *later]
    random.shuffle(mixed)
    return [*chosen[: _DISTINCT // 4], *mixed]


@dataclass(frozen=True, slots=True)
class Script:
    """What the model says and what the tools return; the same in every run."""

    system: str
    replies: tuple[Json, ...]
    """The model's messages, call by call."""
    results: tuple[str, ...]

    @property
    def fixed(self) -> Json:
        """What every request has beside its messages."""
        tool = {"name": "read", "description": "Read a file", "input_schema": {"type": "object"}}
        return {"model": "fake", "max_tokens": 4_096, "system": self.system, "tools": [tool]}


def write_script() -> Script:
    """Three calls of a tool and an answer for each turn."""
    random = Random(_SEED)
    replies, results = [], []
    for turn in range(TURNS):
        for call in range(CALLS - 1):
            use = {"type": "tool_use", "id": f"toolu_{turn}_{call}", "name": "read"}
            replies.append(say(text_part("I look."), {**use, "input": {"page": call}}))
            low, high = map(log, _RESULT_TOKENS)
            results.append(_filler(random, round(exp(random.uniform(low, high)))))
        replies.append(say(text_part(_filler(random, _ANSWER_TOKENS))))
    return Script(_filler(random, _SYSTEM_TOKENS), tuple(replies), tuple(results))


def _filler(random: Random, tokens: int) -> str:
    text, size = [], 0
    while size < tokens:
        text.append(random.choice(_TEXT))
        size += estimate_tokens(text[-1])
    return "\n".join(text)


def steps(script: Script, turn: int) -> Iterator[tuple[Json, Json | None]]:
    """What the model says in a turn, and what the client sends back; nothing after its answer."""
    replies = script.replies[turn * CALLS : (turn + 1) * CALLS]
    results = script.results[turn * (CALLS - 1) : (turn + 1) * (CALLS - 1)]
    for number, reply in enumerate(replies):
        said = {"role": "assistant", "content": reply["content"]}
        if number == len(results):
            yield said, None
            return
        id = reply["content"][-1]["id"]
        part = {"type": "tool_result", "tool_use_id": id, "content": results[number]}
        yield said, {"role": "user", "content": [part]}


# What of a request a provider has read before


@dataclass(slots=True)
class Bill:
    """The tokens that were sent, and those that the request before had as its prefix."""

    sent: int = 0
    cached: int = 0

    @property
    def share(self) -> float:
        """How much of what was sent had been read before."""
        return self.cached / self.sent

    def cost(self, cached_price: float) -> float:
        """What all that was sent costs, in tokens that were not read before."""
        return self.sent - self.cached + cached_price * self.cached


class PrefixCache:
    """A provider that remembers the last request of a conversation."""

    def __init__(self) -> None:
        self.bill = Bill()
        self._last: list[str] = []
        self._counted: dict[str, int] = {}

    def read(self, fixed: Json, messages: list[Json]) -> None:
        """Read a request."""
        pieces = [json.dumps(fixed), *(piece for each in messages for piece in _pieces(each))]
        self.bill.sent += sum(map(self._count, pieces))
        same = 0
        while same < min(len(pieces), len(self._last)) and pieces[same] == self._last[same]:
            same += 1
        self.bill.cached += sum(map(self._count, pieces[:same]))
        if same < min(len(pieces), len(self._last)):
            self.bill.cached += estimate_tokens(_common(pieces[same], self._last[same]))
        self._last = pieces

    def _count(self, piece: str) -> int:
        if piece not in self._counted:
            self._counted[piece] = estimate_tokens(piece)
        return self._counted[piece]


def _pieces(message: Json) -> list[str]:
    """A message as it is read: a text is the same whether it stands alone or in a list."""
    content = message["content"]
    parts = [text_part(content)] if isinstance(content, str) else content
    return [message["role"], *(json.dumps(part) for part in parts)]


def _common(one: str, other: str) -> str:
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    return one[:same]
