"""The course of a session: its turns, what became of their blocks, and what may come again."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tacit.core.conversation.block import Block, BlockState
from tacit.core.conversation.entry import Entry
from tacit.core.memory.record import Memory
from tacit.core.receipt.receipt import Receipt, Skip
from tacit.search.selection.wording import wording_hash
from tacit.ui.fates import SKIPS

_MOST_SQUARES = 120


@dataclass(frozen=True, slots=True)
class Told:
    """A word with a colour, and what it means."""

    word: str
    tone: str
    meaning: str


STATES: Mapping[BlockState, Told] = MappingProxyType(
    {
        BlockState.LIVE: Told("In the history", "good", "The model still sees this block."),
        BlockState.PRUNED: Told("Pruned", "warn", "Taken out to make room; it may come again."),
        BlockState.DROPPED: Told(
            "Dropped",
            "neutral",
            "Its part of the history was compacted, cleared or cut off.",
        ),
    }
)
NO_BLOCK = Told("No block", "neutral", "This turn put nothing into the history.")


@dataclass(frozen=True, slots=True)
class Square:
    """A turn at a glance."""

    turn: int
    told: Told
    state: BlockState | None = None

    @property
    def words(self) -> str:
        """What the square says to who cannot see it."""
        return f"Turn {self.turn}: {self.told.word.lower()}"


@dataclass(frozen=True, slots=True)
class Step:
    """A turn of the timeline; without a receipt, a block that came from elsewhere or is older.

    `is_counted` says that it alone has its number; a turn that nobody spoke in has none.
    """

    turn: int
    receipt: Receipt | None = None
    block: Block | None = None
    is_counted: bool = True

    @property
    def name(self) -> str:
        """What it is called."""
        is_system = self.receipt is not None and self.receipt.skipped is Skip.SYSTEM_TURN
        return "System turn" if is_system else f"Turn {self.turn}"

    @property
    def told(self) -> Told:
        """What became of its block."""
        return NO_BLOCK if self.block is None else STATES[self.block.state]

    @property
    def outcome(self) -> str:
        """What the turn did, in a line."""
        if self.receipt is None:
            return _from_elsewhere(self.block)
        if self.receipt.injected:
            return ""
        return SKIPS[self.receipt.skipped].sentence if self.receipt.skipped else _nothing(self)


def numbered(blocks: Iterable[Block], ledger: Iterable[Entry]) -> tuple[Block, ...]:
    """The blocks under the numbers that their turns got when they ended."""
    turns = {entry.block: entry.turn for entry in ledger}
    return tuple(replace(block, turn=turns.get(block.id, block.turn)) for block in blocks)


def squares_of(turns: int, blocks: Iterable[Block]) -> tuple[Square, ...]:
    """The last turns of a session, oldest first."""
    states = {block.turn: block.state for block in blocks}
    last = max([turns, *states])
    return tuple(
        Square(turn, STATES[states[turn]] if turn in states else NO_BLOCK, states.get(turn))
        for turn in range(max(1, last - _MOST_SQUARES + 1), last + 1)
    )


def steps_of(
    receipts: Sequence[Receipt], blocks: Sequence[Block], *, is_all: bool
) -> tuple[Step, ...]:
    """The turns that are accounted for, newest first, and blocks that no receipt tells of.

    Unless `is_all`, there are older receipts, which older blocks may belong to.
    """
    made = {block.id: block for block in blocks}
    told = {receipt.block for receipt in receipts}
    oldest = 0 if is_all else min((receipt.turn for receipt in receipts), default=0)
    steps = [Step(each.turn, each, made.get(each.block or "")) for each in receipts]
    others = [block for block in blocks if block.id not in told and block.turn >= oldest]
    steps += [Step(block.turn, None, block) for block in others]
    return _counted(sorted(steps, key=_age, reverse=True))


def standing(blocks: Iterable[Block]) -> str:
    """How many blocks stand in the history and how many left it, in words."""
    counts = Counter(block.state for block in blocks)
    if not counts:
        return "No block was put into the history yet."
    live = counts[BlockState.LIVE]
    stand = "1 block stands" if live == 1 else f"{live or 'No'} blocks stand"
    left = [f"{counts[state]:,} {STATES[state].word.lower()}" for state in _LEFT if counts[state]]
    return f"{stand} in the history" + (f"; {', '.join(left)}." if left else ".")


def latest(ledger: Iterable[Entry]) -> tuple[Entry, ...]:
    """The last time that each memory was shown, newest first."""
    entries = {entry.memory: entry for entry in sorted(ledger, key=lambda each: each.turn)}
    return tuple(sorted(entries.values(), key=lambda each: each.turn, reverse=True))


def again(entry: Entry, memory: Memory | None) -> Told:
    """Whether a memory may be shown again, and why."""
    if memory is None:
        return Told("no", "neutral", "It was forgotten or erased.")
    if entry.pruned_at is not None:
        return Told("yes", "good", "since")
    if wording_hash(memory.content) != entry.content_hash:
        return Told("yes", "good", "Its words have changed.")
    return Told("not yet", "neutral", "It is still in view.")


def _counted(steps: Iterable[Step]) -> tuple[Step, ...]:
    """The same steps; of those with one number only the first counts."""
    seen: set[str] = set()
    found = []
    for step in steps:
        is_new = step.name == f"Turn {step.turn}" and step.name not in seen
        seen.add(step.name)
        found.append(replace(step, is_counted=is_new))
    return tuple(found)


_LEFT = (BlockState.PRUNED, BlockState.DROPPED)


def _age(step: Step) -> tuple[int, str]:
    return step.turn, step.receipt.id if step.receipt else ""


def _from_elsewhere(block: Block | None) -> str:
    if block is not None and block.made_in:
        return f"This block was made in session {block.made_in}, which this one branched from."
    return "The receipt of this turn is no longer kept."


def _nothing(step: Step) -> str:
    thought = len(step.receipt.candidates) if step.receipt else 0
    if not thought:
        return "Nothing was found."
    return f"Nothing was injected; {thought:,} {'was' if thought == 1 else 'were'} thought of."
