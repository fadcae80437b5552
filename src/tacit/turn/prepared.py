"""A turn that has begun, as its caller sees it."""

from dataclasses import dataclass

from tacit.core.receipt.receipt import Receipt
from tacit.language.history.removal import without_blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What to send, and why; `history` is what was said before, as it came."""

    history: tuple[object, ...]
    messages: tuple[object, ...]
    receipt: Receipt
    block: str | None = None
    leaves_trace: bool = True

    def standing(self, *, with_block: bool) -> list[object]:
        """The messages as they stand in the history after the turn."""
        if self.block is None or self.receipt.block is None or with_block:
            return list(self.messages)
        return without_blocks(self.messages, {self.receipt.block: self.block})
