"""What is different between two turns of one question."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tacit.core.receipt.candidate import Fate
from tacit.core.receipt.receipt import Receipt
from tacit.language.structure.templates import PREFACE
from tacit.turn.block import BlockSection, frame_of
from tacit.ui.fates import label_of
from tacit.ui.pages.inspector.outcome import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A memory whose fate is another; None where it was not thought of."""

    memory: str
    was: Fate | None
    now: Fate | None

    @property
    def is_seen(self) -> bool:
        """Whether the model sees it come or go."""
        return Fate.INJECTED in (self.was, self.now)

    def told(self) -> str:
        """The change in words."""
        return f"was: {_word(self.was)} → now: {_word(self.now)}"

    @property
    def before(self) -> str:
        """What it was, in words."""
        return _word(self.was)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Lines of the block that came and went, its size before and after, and changed fates."""

    came: tuple[str, ...]
    went: tuple[str, ...]
    tokens: tuple[int, int]
    changes: tuple[Change, ...]

    @property
    def is_none(self) -> bool:
        """Whether nothing is different."""
        return not (self.came or self.went or self.changes)


def difference(before: Outcome, after: Outcome) -> Difference:
    """What is different after something was changed; what the model sees comes first."""
    old, new = _lines(before.block), _lines(after.block)
    changes = _changes(before.receipt, after.receipt)
    return Difference(
        came=_beyond(new, old),
        went=_beyond(old, new),
        tokens=(before.receipt.tokens, after.receipt.tokens),
        changes=tuple(sorted(changes, key=lambda each: not each.is_seen)),
    )


def _changes(before: Receipt, after: Receipt) -> list[Change]:
    was, now = _fates(before), _fates(after)
    return [
        Change(memory=id, was=was.get(id), now=now.get(id))
        for id in dict.fromkeys([*now, *was])
        if was.get(id) is not now.get(id)
    ]


def _fates(receipt: Receipt) -> dict[str, Fate]:
    return {each.memory: each.fate for each in receipt.candidates}


def _lines(block: str | None) -> list[str]:
    """What a block says, without what every block says."""
    return [line for line in (block or "").split("\n")[1:] if line.strip() not in _ALWAYS]


def _beyond(lines: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Lines that the others do not have, as often as they have them more."""
    left = Counter(others)
    beyond = []
    for line in lines:
        if left[line]:
            left[line] -= 1
        else:
            beyond.append(line)
    return tuple(beyond)


def _word(fate: Fate | None) -> str:
    return "not thought of" if fate is None else label_of(fate)


_TITLES = [
    frame_of(section, read_only_marker=False).before.strip()
    for section in (BlockSection.PINNED, BlockSection.RELEVANT)
]
_ALWAYS = frozenset({"", PREFACE, *_TITLES})
