"""Work that overlaps: what was begun last counts, whatever ends last."""

from collections.abc import Awaitable
from typing import TypeVar

Value = TypeVar("Value")


class Latest:
    """Lets only the last of several pieces of work have its say."""

    def __init__(self) -> None:
        self._begun = 0

    def drop(self) -> None:
        """Let nothing that is under way have its say."""
        self._begun += 1

    async def of(self, work: Awaitable[Value]) -> Value | None:
        """What the work gives; None, whether it failed or not, if another was begun meanwhile."""
        self.drop()
        mine = self._begun
        try:
            value = await work
        except Exception:
            if mine != self._begun:
                return None
            raise
        return value if mine == self._begun else None
