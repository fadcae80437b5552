"""What turns inject into stores like a user's: false injection, recall and line precision.

Each store is written twice, without keys and with them, and asked in a fresh session and after each
of its openers. Standing rules count for recall only; how many there are is counted apart.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

from tacit.api.tacit import Tacit
from tacit.core.errors import ArchiveError
from tacit.core.receipt import Receipt
from tacit.embedding.embedder import Embedder
from tacit.evals.corpus import (
    DEADLINE_MS,
    Progress,
    SetHalf,
    caching_embedder,
    check_receipt,
    mean,
    ratio,
    read_benchmark,
    split_injected,
)

PROMPT_GROUPS = ("talk", "general", "other")
"""Prompts that need no memory."""

QUESTION_GROUPS = ("near", "far")
"""Questions that share words with their memory, and those that do not."""

FOLLOWUP, STANDALONE = "followup", "standalone"
"""Messages right after an exchange: those that need it, and those that stand by themselves."""


class Keys(StrEnum):
    """Whether the memories of a store are written with their keys."""

    PLAIN = "plain"
    KEYED = "keyed"


class Situation(StrEnum):
    """Where a message is said."""

    FRESH = "fresh"
    CONVERSATION = "conversation"


@dataclass(slots=True)
class _SetClock:
    """The time, set by hand."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now


@dataclass(frozen=True, slots=True)
class Conversation:
    """A session as it stands: its history, and the memories that its blocks show."""

    session: str
    history: Sequence[Any] = ()
    shown: frozenset[str] = frozenset()

    def ask(self, tacit: Tacit, text: str, **settings: Any) -> tuple[list[str], list[str]]:
        """The memories that a message gets here: lines of its own, and standing rules."""
        return split_injected(self.preview(tacit, text, **settings))

    def preview(self, tacit: Tacit, text: str, **settings: Any) -> Receipt:
        """The receipt of a turn with this message here."""
        prepared = tacit.preview(
            session=self.session,
            text=text,
            history=self.history,
            deadline_ms=DEADLINE_MS,
            **settings,
        )
        return check_receipt(prepared.receipt)


@dataclass(frozen=True, slots=True)
class StoreMessage:
    """What is said, the numbers of the memories that answer it, and of those that are of use."""

    group: str
    text: str
    right: frozenset[int] = frozenset()
    useful: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Result:
    """What one message got: numbers of memories, injected for it or shown before."""

    store: str
    keys: Keys
    situation: Situation
    message: StoreMessage
    lines: tuple[int, ...]
    standing: tuple[int, ...]
    shown: frozenset[int]

    @property
    def is_answered(self) -> bool:
        return bool(self.message.right & {*self.lines, *self.standing, *self.shown})

    @property
    def useful_lines(self) -> int:
        return sum(number in self.message.useful for number in self.lines)

    @property
    def is_failure(self) -> bool:
        return not self.is_answered if self.message.right else bool(self.lines)


def evaluate_injection(
    path: Path | None, progress: Progress, half: SetHalf = SetHalf.HELD, **settings: Any
) -> dict[str, Any]:
    """What turns inject with and without keys, in a fresh session and in conversation.

    The file is one store or several; without one it is a half of our own set.
    """
    stores = load_stores(half) if path is None else _parse_stores(path)
    embedder = caching_embedder(is_repeatable=True)
    total = sum(len(Keys) * _count_messages(store) for store in stores)
    results: list[_Result] = []
    for store in stores:
        for keys in Keys:
            for result in _ask_store(store, keys, embedder, settings):
                results.append(result)
                progress(len(results), total)
    return {
        "situations": _by_situation(results),
        "by_store": _by_store(results),
        "stores": len(stores),
        "messages": total,
        "misses": [_describe(result) for result in results if result.is_failure],
    }


# The stores


def load_stores(half: SetHalf) -> list[Mapping[str, Any]]:
    """The stores of a half of our own set."""
    written = (files("tacit.evals") / "sets" / f"injection_{half}.json").read_text("utf-8")
    return list(json.loads(written)["stores"])


def _parse_stores(path: Path) -> list[Mapping[str, Any]]:
    try:
        data = json.loads(read_benchmark(path))
        stores = data.get("stores", [data])
        for store in stores:
            store["id"], datetime.fromisoformat(store["asked"]), store["openers"]
            store["memories"][0]["n"], store["questions"][0]["right"]
            for group in PROMPT_GROUPS:
                store["prompts"][group]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise ArchiveError(f"{path}: is not a file of stores to inject from ({error!r})") from None
    return list(stores)


def to_draft(memory: Mapping[str, Any], keys: Keys) -> dict[str, Any]:
    """A memory of a store as it is remembered, with its number."""
    return {
        "content": memory["content"],
        "type": memory["type"],
        "metadata": {"n": memory["n"]},
        **({"key": memory["key"]} if keys is Keys.KEYED and memory.get("key") else {}),
    }


def open_store(store: Mapping[str, Any], keys: Keys, embedder: Embedder | str) -> Tacit:
    """A store in memory; what has a day was written on that day, the rest when it is asked."""
    asked = datetime.fromisoformat(store["asked"])
    clock = _SetClock(asked)
    tacit = Tacit.open(":memory:", embedder=embedder, clock=clock)
    for memory in sorted(store["memories"], key=lambda memory: memory.get("said", "9999")):
        clock.now = _noon(memory["said"]) if "said" in memory else asked
        draft = to_draft(memory, keys)
        tacit.remember(draft.pop("content"), **draft)
    clock.now = asked
    if embedder != "none":
        tacit.archive.embed_missing()
    return tacit


def _noon(day: str) -> datetime:
    return datetime.combine(date.fromisoformat(day), time(12), UTC)


# Asking


def play(tacit: Tacit, session: str, exchanges: Sequence[Mapping[str, str]]) -> Conversation:
    """Play exchanges as turns that are committed and not learned from."""
    history: list[Any] = []
    shown: set[str] = set()
    for exchange in exchanges:
        user, reply = exchange["user"], exchange["assistant"]
        with tacit.turn(
            session=session, history=history, text=user, deadline_ms=DEADLINE_MS
        ) as turn:
            shown.update(each.memory for each in check_receipt(turn.receipt).injected)
            tacit.commit_turn(turn.receipt.id, reply, learn=False)
        history = [*turn.messages, {"role": "assistant", "content": reply}]
    return Conversation(session, history, frozenset(shown))


def _ask_store(
    store: Mapping[str, Any], keys: Keys, embedder: Embedder | str, settings: Mapping[str, Any]
) -> Iterator[_Result]:
    with open_store(store, keys, embedder) as tacit:
        numbers = {
            memory.id: memory.metadata["n"] for memory in tacit.list(limit=len(store["memories"]))
        }
        for situation, conversation, messages in find_occasions(tacit, store):
            for message in messages:
                lines, standing = conversation.ask(tacit, message.text, **settings)
                yield _Result(
                    store["id"],
                    keys,
                    situation,
                    message,
                    tuple(numbers[id] for id in lines),
                    tuple(numbers[id] for id in standing),
                    frozenset(numbers[id] for id in conversation.shown),
                )


def find_occasions(
    tacit: Tacit, store: Mapping[str, Any]
) -> Iterator[tuple[Situation, Conversation, Sequence[StoreMessage]]]:
    """What is said where: everything anew and after each opener, the rest in its own context."""
    messages = _messages(store)
    opened = [
        play(tacit, f"opener-{number}", [opener]) for number, opener in enumerate(store["openers"])
    ]
    yield Situation.FRESH, Conversation("fresh"), messages
    for conversation in opened:
        yield Situation.CONVERSATION, conversation, messages
    for number, (context, message) in enumerate(_messages_in_context(store)):
        yield Situation.CONVERSATION, play(tacit, f"context-{number}", context), [message]


def _messages(store: Mapping[str, Any]) -> list[StoreMessage]:
    prompts = [
        StoreMessage(group, text) for group in PROMPT_GROUPS for text in store["prompts"][group]
    ]
    return prompts + [_to_message(question["kind"], question) for question in store["questions"]]


def _messages_in_context(store: Mapping[str, Any]) -> list[tuple[Any, StoreMessage]]:
    entries = [(FOLLOWUP, entry) for entry in store.get("followups", ())]
    entries += [(STANDALONE, entry) for entry in store.get("standalone", ())]
    return [(entry["context"], _to_message(group, entry)) for group, entry in entries]


def _to_message(group: str, entry: Mapping[str, Any]) -> StoreMessage:
    right = frozenset(entry["right"])
    return StoreMessage(group, entry["text"], right, right | frozenset(entry.get("also", ())))


def _count_messages(store: Mapping[str, Any]) -> int:
    everywhere = len(_messages(store)) * (1 + len(store["openers"]))
    return everywhere + len(_messages_in_context(store))


# Figures


def _by_situation(results: Sequence[_Result]) -> dict[str, dict[str, float]]:
    return {
        f"{keys}, {situation}": _summarize(
            [each for each in results if each.keys is keys and each.situation is situation]
        )
        for keys in Keys
        for situation in Situation
    }


def _by_store(results: Sequence[_Result]) -> dict[str, dict[str, float]]:
    stores = dict.fromkeys(result.store for result in results)
    return {
        store: _summarize([each for each in results if each.store == store]) for store in stores
    }


def _summarize(results: Sequence[_Result]) -> dict[str, float]:
    groups: dict[str, list[_Result]] = defaultdict(list)
    for result in results:
        groups[result.message.group].append(result)
    prompts = [each for group in PROMPT_GROUPS for each in groups[group]]
    questions = [each for group in QUESTION_GROUPS for each in groups[group]]
    figures = {
        **{f"false_injection_{group}": _spoken(groups[group]) for group in PROMPT_GROUPS},
        "false_injection": _spoken(prompts),
        "recall": _answered(questions),
        **{f"recall_{group}": _answered(groups[group]) for group in QUESTION_GROUPS},
        "line_precision": _precision(questions),
        "lines": mean([len(each.lines) for each in questions]),
        "standing_lines": _standing(questions),
        **{f"standing_lines_{group}": _standing(groups[group]) for group in PROMPT_GROUPS},
    }
    if followups := groups[FOLLOWUP]:
        figures |= {
            "followup_recall": _answered(followups),
            "followup_line_precision": _precision(followups),
            "followup_lines": mean([len(each.lines) for each in followups]),
        }
    if standalone := groups[STANDALONE]:
        figures["standalone_silent"] = round(1 - _spoken(standalone), 4)
    return figures


def _spoken(results: Sequence[_Result]) -> float:
    return mean([float(bool(each.lines)) for each in results])


def _answered(results: Sequence[_Result]) -> float:
    return mean([float(each.is_answered) for each in results])


def _precision(results: Sequence[_Result]) -> float:
    lines = sum(len(each.lines) for each in results)
    return ratio(sum(each.useful_lines for each in results), lines)


def _standing(results: Sequence[_Result]) -> float:
    return mean([len(each.standing) for each in results])


def _describe(result: _Result) -> dict[str, Any]:
    """A message that got what it does not need, or not what it does."""
    message = {name: _sorted(value) for name, value in asdict(result.message).items()}
    return {
        "store": result.store,
        "keys": result.keys,
        "situation": result.situation,
        **message,
        "lines": list(result.lines),
        "standing": list(result.standing),
        "shown": sorted(result.shown),
    }


def _sorted(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else value
