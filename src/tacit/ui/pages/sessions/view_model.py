"""A session as plain data: its timeline, block states, ledger, and pasted messages."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.messages import check_history
from tacit.core.receipt import Receipt, SkipReason
from tacit.core.sessions import Block, BlockState, LedgerEntry
from tacit.search.duplicates import wording_hash
from tacit.ui.turn_labels import SKIP_LABELS

_MAX_SQUARES = 120


@dataclass(frozen=True, slots=True)
class StateLabel:
    """A word with a tone, and its meaning."""

    word: str
    tone: str
    meaning: str


STATE_LABELS: Mapping[BlockState, StateLabel] = MappingProxyType(
    {
        BlockState.LIVE: StateLabel("In the history", "good", "The model still sees this block."),
        BlockState.PRUNED: StateLabel(
            "Pruned", "warn", "Taken out to make room; it may come again."
        ),
        BlockState.DROPPED: StateLabel(
            "Dropped",
            "neutral",
            "Its part of the history was compacted, cleared or cut off.",
        ),
    }
)
NO_BLOCK = StateLabel("No block", "neutral", "This turn put nothing into the history.")


RULE_LABELS: Mapping[BlockState, StateLabel] = MappingProxyType(
    {
        BlockState.LIVE: StateLabel(
            "Rules in the history",
            "good",
            "The model still sees these standing rules; other blocks do not push them out.",
        ),
        BlockState.PRUNED: StateLabel(
            "Rules pruned", "warn", "Shown for that turn alone, or again in another block."
        ),
        BlockState.DROPPED: StateLabel(
            "Rules dropped",
            "neutral",
            "Their part of the history was compacted, cleared or cut off; they may come again.",
        ),
    }
)


def describe_blocks(blocks: Sequence[Block]) -> tuple[StateLabel, ...]:
    """The states of the blocks of one turn: that of its memories, then those of its rules."""
    rules = [RULE_LABELS[block.state] for block in blocks if block.has_standing_rules]
    others = [STATE_LABELS[block.state] for block in blocks if not block.has_standing_rules]
    return (*others, *rules) or (NO_BLOCK,)


def turn_state(blocks: Sequence[Block]) -> BlockState | None:
    """The state of a turn's block of memories, or of its standing rules if it has no other."""
    others = [block for block in blocks if not block.has_standing_rules]
    return next((block.state for block in (*others, *blocks)), None)


@dataclass(frozen=True, slots=True)
class TurnSquare:
    """A turn as a coloured square."""

    turn: int
    blocks: tuple[Block, ...] = ()

    @property
    def state(self) -> BlockState | None:
        """The state that its colour shows."""
        return turn_state(self.blocks)

    @property
    def description(self) -> str:
        """The square for screen readers."""
        states = [
            f"{label.word.lower()}. {label.meaning}" for label in describe_blocks(self.blocks)
        ]
        return f"Turn {self.turn}: {' '.join(states)}"


@dataclass(frozen=True, slots=True)
class TimelineTurn:
    """A turn on the timeline; without a receipt, old blocks or those from another session.

    `is_counted` if it is the only turn with its number; system turns have none.
    """

    turn: int
    receipt: Receipt | None = None
    blocks: tuple[Block, ...] = ()
    is_counted: bool = True

    @property
    def state(self) -> BlockState | None:
        """The state that its colour shows."""
        return turn_state(self.blocks)

    @property
    def name(self) -> str:
        """The heading of the turn."""
        is_system = self.receipt is not None and self.receipt.skipped is SkipReason.SYSTEM_TURN
        return "System turn" if is_system else f"Turn {self.turn}"

    @property
    def state_labels(self) -> tuple[StateLabel, ...]:
        """The states of its blocks in words."""
        return describe_blocks(self.blocks)

    @property
    def outcome_text(self) -> str:
        """What the turn did, in one sentence."""
        if self.receipt is None:
            return _foreign_blocks_text(self.blocks)
        if self.receipt.injected:
            return ""
        return (
            SKIP_LABELS[self.receipt.skipped].sentence
            if self.receipt.skipped
            else _nothing_text(self)
        )


def number_blocks(blocks: Iterable[Block], ledger: Iterable[LedgerEntry]) -> tuple[Block, ...]:
    """The blocks with the turn numbers of the ledger."""
    turns = {entry.block: entry.turn for entry in ledger}
    return tuple(replace(block, turn=turns.get(block.id, block.turn)) for block in blocks)


def to_squares(turns: int, blocks: Iterable[Block]) -> tuple[TurnSquare, ...]:
    """The last turns of a session, oldest first."""
    own = defaultdict[int, list[Block]](list)
    for block in blocks:
        own[block.turn].append(block)
    last = max([turns, *own])
    return tuple(
        TurnSquare(turn, tuple(own[turn]))
        for turn in range(max(1, last - _MAX_SQUARES + 1), last + 1)
    )


def to_timeline(
    receipts: Sequence[Receipt], blocks: Sequence[Block], *, is_all: bool
) -> tuple[TimelineTurn, ...]:
    """The turns with a receipt, newest first, and the blocks without one.

    Unless `is_all`, there are older receipts, which older blocks may belong to.
    """
    made = {block.id: block for block in blocks}
    with_receipt = {id for receipt in receipts for id in receipt.blocks}
    oldest = 0 if is_all else min((receipt.turn for receipt in receipts), default=0)
    steps = [
        TimelineTurn(each.turn, each, tuple(made[id] for id in each.blocks if id in made))
        for each in receipts
    ]
    others: dict[int, list[Block]] = {}
    for block in blocks:
        if block.id not in with_receipt and block.turn >= oldest:
            others.setdefault(block.turn, []).append(block)
    steps += [TimelineTurn(turn, None, tuple(own)) for turn, own in others.items()]
    return _mark_counted(sorted(steps, key=_sort_key, reverse=True))


def blocks_text(blocks: Iterable[Block]) -> str:
    """How many blocks are in the history, and how many were removed; standing rules apart."""
    states = {False: Counter[BlockState](), True: Counter[BlockState]()}
    for block in blocks:
        states[block.has_standing_rules][block.state] += 1
    sentences = [
        *([_count_text(states[False], "")] if states[False] else []),
        *([_count_text(states[True], " of standing rules")] if states[True] else []),
    ]
    return " ".join(sentences) or "No block was put into the history yet."


def _count_text(counts: Counter[BlockState], of_what: str) -> str:
    live = counts[BlockState.LIVE]
    stand = f"1 block{of_what} stands" if live == 1 else f"{live or 'No'} blocks{of_what} stand"
    left = [
        f"{counts[state]:,} {STATE_LABELS[state].word.lower()}"
        for state in _LEFT_STATES
        if counts[state]
    ]
    return f"{stand} in the history" + (f"; {', '.join(left)}." if left else ".")


def latest_entries(ledger: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
    """The last entry of each memory, newest first."""
    entries = {entry.memory: entry for entry in sorted(ledger, key=lambda each: each.turn)}
    return tuple(sorted(entries.values(), key=lambda each: each.turn, reverse=True))


def reinjection_label(entry: LedgerEntry, words: str | None) -> StateLabel:
    """Whether a memory or an episode with these words may be injected again, and why."""
    if words is None:
        return StateLabel("no", "neutral", "It was forgotten or erased.")
    if entry.pruned_at is not None:
        return StateLabel("yes", "good", "since")
    if wording_hash(words) != entry.content_hash:
        return StateLabel("yes", "good", "Its words have changed.")
    return StateLabel("not yet", "neutral", "It is still in view.")


def _mark_counted(steps: Iterable[TimelineTurn]) -> tuple[TimelineTurn, ...]:
    """The same turns; of those with the same number only the first is counted."""
    seen: set[str] = set()
    found = []
    for step in steps:
        is_new = step.name == f"Turn {step.turn}" and step.name not in seen
        seen.add(step.name)
        found.append(replace(step, is_counted=is_new))
    return tuple(found)


_LEFT_STATES = (BlockState.PRUNED, BlockState.DROPPED)


def _sort_key(step: TimelineTurn) -> tuple[int, str]:
    return step.turn, step.receipt.id if step.receipt else ""


def _foreign_blocks_text(blocks: Sequence[Block]) -> str:
    if blocks and (made_in := blocks[-1].made_in):
        return f"This block was made in session {made_in}, which this one branched from."
    return "The receipt of this turn is no longer kept."


def _nothing_text(step: TimelineTurn) -> str:
    thought = len(step.receipt.candidates) if step.receipt else 0
    if not thought:
        return "Nothing was found."
    return f"Nothing was injected; {thought:,} {'was' if thought == 1 else 'were'} thought of."


# Messages that a person pasted.

HISTORY_FIELD = "history"
EXAMPLE_MESSAGES = """[
  {"role": "user", "content": "Where do invoices go out from?"},
  {"role": "assistant", "content": "From billing@shop.example."}
]"""


def parse_messages(text: str) -> Sequence[Any]:
    """Parse messages from JSON; the error says what is wrong and where."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InvalidInput(HISTORY_FIELD, f"this is not JSON ({error.msg}, {place})") from None
    except RecursionError:
        raise InvalidInput(
            HISTORY_FIELD, "this is nested too deeply; paste a list of messages"
        ) from None
    if not isinstance(found, list) or not found:
        raise InvalidInput(HISTORY_FIELD, "paste a list of messages, as in the example")
    return check_history(found)


def format_messages(messages: Sequence[Any]) -> str:
    """Messages as JSON."""
    return json.dumps(list(messages), ensure_ascii=False, indent=2)
