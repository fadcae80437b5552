"""What every benchmark is given."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A folder, a way to say what is going on, how long a load lasts, and how many memories."""

    folder: Path
    say: Say
    seconds: float
    sizes: tuple[int, ...] = (1_000, 10_000)
    resident: int | None = None
    """How many memories of a workspace PostgreSQL's clients hold; None leaves it to the product."""
    spreads: tuple[bool, ...] = (False, True)
    """Whether memories are in one workspace, spread over a thousand, or one after the other."""
    data: Path | None = None
    """A folder with real texts."""
    clients: int = 16
    """How many ask a server at once."""
    memories: int = 10_000
    """How many memories a server has."""
    workers: int = 1
    """How many processes serve."""
    peers: bool = False
    """Whether others are measured beside it."""
    functions: tuple[str, ...] = ()
    """Which functions hostile texts are given to, by how their names begin; none stands for all."""
    repetitions: int = 40
    """How many hostile texts each of them is given."""
    block_tokens: tuple[int, ...] = ()
    """Further limits of the tokens that blocks in a history may take, for proxy_cache."""
    minutes: float = 0.0
    """How long streams run through the proxy while its memory is watched."""
