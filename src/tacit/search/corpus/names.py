"""Names as small numbers."""

from collections.abc import Sequence

import numpy as np

from tacit.search.ranking.arrays import Integers

ANYONE = -1
_NOBODY = -2


class Names:
    """Gives every name a number; no name is ANYONE."""

    def __init__(self) -> None:
        self._numbers: dict[str | None, int] = {None: ANYONE}

    def numbers(self, names: Sequence[str | None]) -> Integers:
        """The numbers of names, made where there are none."""
        for name in dict.fromkeys(names):
            self._numbers.setdefault(name, len(self._numbers) - 1)
        return np.fromiter(map(self._numbers.__getitem__, names), np.int64, len(names))

    def known(self, name: str) -> int:
        """The number of a name; one that nothing has for a name that was never seen."""
        return self._numbers.get(name, _NOBODY)

    def items(self) -> list[tuple[str, int]]:
        """Every name with its number."""
        return [(name, number) for name, number in self._numbers.items() if name is not None]

    def __len__(self) -> int:
        return len(self._numbers) - 1
