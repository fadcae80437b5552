"""What every benchmark is given."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A folder of its own, a way to say what it is doing, and how long a load lasts."""

    folder: Path
    say: Say
    seconds: float
