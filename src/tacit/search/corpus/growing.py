"""Arrays that grow."""

from typing import Any

import numpy as np
import numpy.typing as npt

_SMALLEST = 64


class Growing:
    """An array with room at its end; `data` is the part in use."""

    def __init__(self, dtype: npt.DTypeLike, width: int | None = None) -> None:
        self._shape = () if width is None else (width,)
        self._room: npt.NDArray[Any] = np.zeros((0, *self._shape), dtype)
        self._size = 0

    @property
    def data(self) -> npt.NDArray[Any]:
        """What is in use; a view, valid until the array grows."""
        return self._room[: self._size]

    @property
    def nbytes(self) -> int:
        """Memory that is taken."""
        return self._room.nbytes

    def resize(self, size: int) -> None:
        """Make room for so many rows; new ones are zero."""
        if size > len(self._room):
            grown = np.zeros(
                (max(size, _SMALLEST, len(self._room) * 3 // 2), *self._shape), self._room.dtype
            )
            grown[: self._size] = self.data
            self._room = grown
        self._size = size
