"""How lengthy work says how far it is."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called with the stage, what is done and what there is to do; 0 where that is not known."""


def unwatched(stage: str, done: int, total: int) -> None:
    """Progress that nobody looks at."""
