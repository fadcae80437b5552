"""`python -m benchmarks.caching [--plot FILE]`: what memory blocks cost a provider's prompt cache.

A provider reads a request from its beginning, and what it read before costs it little. A block
that comes, moves or leaves makes it read again all that follows.
"""

import argparse
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks.drawing import axes, legend, line, picture
from benchmarks.report import Report, Row
from benchmarks.texts import make_texts
from tacit import INJECTION_BLOCK_PREFIX, Tacit, Turn
from tacit.language.tokens import estimate_tokens

_TOPICS = (
    *("gherkin", "kestrel", "zither", "quokka", "yurt", "obelisk"),
    *("gazebo", "turnip", "walrus", "pagoda", "lantern", "compass"),
)
_KNOWN = (
    "The {topic} stands in hall {topic}-7",
    "Visitors may see the {topic} on the first Sunday of a month",
    "Repairs of the {topic} are paid by the friends of the museum",
)
_QUESTION = "What is there to say about the {topic}?"
_TOOL_CALLS = 3
_TEXTS_IN_SYSTEM, _TEXTS_IN_RESULT, _TEXTS_IN_ANSWER = 10, 5, 2
_SAME_FOR_ALL = {"deadline_ms": 60_000, "context_aware_query": False}

Messages = list[Any]


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to hold memory blocks in a history."""

    name: str
    colour: str
    settings: Mapping[str, Any]
    in_front: bool = False

    @property
    def shows(self) -> bool:
        """Whether there is memory at all."""
        return bool(self.settings.get("enabled", True))

    def messages(self, turn: Turn) -> Messages:
        """What the first call of a turn sends."""
        if not self.in_front:
            return turn.messages
        system, *rest = turn.messages
        blocks = [{"role": "user", "content": text} for text in turn.blocks.values()]
        return [system, *blocks, *(message for message in rest if message not in blocks)]


POLICIES = (
    Policy("no memory", "#111111", {"enabled": False}),
    Policy("cap, 3 blocks", "#4c72b0", {"max_injected_blocks_in_history": 3}),
    Policy("cap, 10 blocks", "#55a868", {"max_injected_blocks_in_history": 10}),
    Policy(
        "prefix, 3 blocks",
        "#8172b3",
        {"cache_policy": "prefix", "max_injected_blocks_in_history": 3},
    ),
    Policy("tokens, 6,000", "#937860", {"cache_policy": "tokens"}),
    Policy("tokens, 600", "#da8bc3", {"cache_policy": "tokens", "history_block_tokens": 600}),
    Policy("ephemeral", "#dd8452", {"max_injected_blocks_in_history": 0}),
    Policy("in front", "#c44e52", {"max_injected_blocks_in_history": 0}, in_front=True),
)


@dataclass(frozen=True, slots=True)
class Bill:
    """The tokens that were sent, and those of them that had been read before."""

    sent: int = 0
    cached: int = 0

    @property
    def share(self) -> float:
        """How much of what was sent had been read before."""
        return self.cached / self.sent

    def __add__(self, other: "Bill") -> "Bill":
        return Bill(self.sent + other.sent, self.cached + other.cached)


@dataclass(slots=True)
class Cache:
    """What a provider with a perfect memory for prefixes has read, in whole messages."""

    _read: list[list[str]] = field(default_factory=list)

    def read(self, messages: Messages) -> Bill:
        """Read a request, as much of it as possible from the longest prefix known."""
        request = [json.dumps(message) for message in messages]
        known = max((_common(request, earlier) for earlier in self._read), default=0)
        self._read.append(request)
        return Bill(_tokens(request), _tokens(request[:known]))


@dataclass(frozen=True, slots=True)
class Course:
    """A conversation under one policy: a bill for every turn, and the blocks in its last call."""

    policy: Policy
    bills: tuple[Bill, ...]
    blocks: int

    def row(self) -> Row:
        """The whole conversation in figures."""
        bill = sum(self.bills, Bill())
        return self.policy.name, bill.share, bill.sent, bill.sent - bill.cached, self.blocks


def main() -> None:
    """Hold one conversation under every policy, and compare."""
    parser = argparse.ArgumentParser("python -m benchmarks.caching", description=__doc__)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="an .svg file")
    arguments = parser.parse_args()
    logging.getLogger("tacit").setLevel(logging.ERROR)  # that there is no model is meant
    courses = [run(policy) for policy in POLICIES]
    Console().print(report(courses))
    if arguments.plot:
        arguments.plot.write_text(draw(courses), "utf-8")


def run(policy: Policy) -> Course:
    """Hold the conversation, and let a provider read every call of it."""
    cache = Cache()
    bills = []
    blocks = 0
    for calls in _turns(policy):
        bills.append(sum(map(cache.read, calls), Bill()))
        blocks = sum(map(_is_block, calls[-1]))
    return Course(policy, tuple(bills), blocks)


def report(courses: Sequence[Course]) -> Report:
    """The policies side by side."""
    return Report(
        title=f"Prompt cache: {len(_TOPICS)} turns of {_TOOL_CALLS + 1} calls",
        columns=("policy", "cached share", "tokens sent", "not cached", "blocks at end"),
        rows=[course.row() for course in courses],
        notes=(
            "cached: the longest prefix, in whole messages, that an earlier call had",
            "blocks at end: those in the last call",
            "in front: one block after the system message, another one every turn",
        ),
    )


def draw(courses: Sequence[Course]) -> str:
    """One line for each policy, turn by turn."""
    last = len(_TOPICS) - 1
    marks = [(place / last, f"{place + 1}") for place in range(len(_TOPICS))]
    parts = axes(marks, "turn", "share of the tokens sent that an earlier call had as its prefix")
    for row, course in enumerate(courses):
        points = ((place / last, bill.share) for place, bill in enumerate(course.bills))
        parts.append(line(points, course.policy.colour))
        parts.append(legend(row, course.policy.name, course.policy.colour))
    return picture(parts)


def _turns(policy: Policy) -> Iterator[list[Messages]]:
    """The calls of each turn; the calls of a turn begin alike, and each adds a tool's result."""
    history: Messages = [{"role": "system", "content": _filler(0, _TEXTS_IN_SYSTEM)}]
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.memories.remember_all(
            [known.format(topic=topic) for topic in _TOPICS for known in _KNOWN]
        )
        for number, topic in enumerate(_TOPICS, start=1):
            text = _QUESTION.format(topic=topic)
            exchanges, answer = _exchanges(number, topic), _filler(number, _TEXTS_IN_ANSWER)
            asked = {**_SAME_FOR_ALL, **policy.settings}
            with tacit.turn(session="caching", history=history, text=text, **asked) as turn:
                _check(turn, topic, policy)
                first = policy.messages(turn)
                turn.commit([*exchanges, {"role": "assistant", "content": answer}])
            history = turn.history
            yield [[*first, *exchanges[: 2 * made]] for made in range(_TOOL_CALLS + 1)]


def _check(turn: Turn, topic: str, policy: Policy) -> None:
    """Policies compare only if all of them show the same memories in the same turn."""
    expected = [known.format(topic=topic) for known in _KNOWN if policy.shows]
    shown = turn.block or ""
    count = turn.receipt.outcome()["count"]
    if count != len(expected) or any(known not in shown for known in expected):
        raise RuntimeError(f"{policy.name}: {count} memories about the {topic}, not {expected}")


def _exchanges(number: int, topic: str) -> Messages:
    """Tool calls, each followed by its result."""
    messages: Messages = []
    for made in range(_TOOL_CALLS):
        id = f"call_{number}_{made}"
        function = {"name": "look_up", "arguments": json.dumps({"about": topic, "page": made})}
        call = {"id": id, "type": "function", "function": function}
        result = _filler(100 * number + made, _TEXTS_IN_RESULT)
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": id, "content": result})
    return messages


def _filler(seed: int, count: int) -> str:
    return ". ".join(make_texts(count, seed))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many messages two requests begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _tokens(request: Sequence[str]) -> int:
    return sum(map(estimate_tokens, request))


def _is_block(message: Mapping[str, Any]) -> bool:
    return str(message["content"]).startswith(INJECTION_BLOCK_PREFIX)


if __name__ == "__main__":
    main()
