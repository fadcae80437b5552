"""What a turn works with."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from tacit.runtime.clock import Clock
from tacit.runtime.ids import NewId
from tacit.runtime.worker import Worker
from tacit.runtime.worker_pool import WorkerPool
from tacit.search.searcher import Searcher
from tacit.store.protocols.store import Store


class Listener(Protocol):
    """Who learns from turns."""

    def is_listening(self) -> bool:
        """Whether what is said is to be kept for it."""

    def heard(self) -> None:
        """Something new was kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """The store and the searcher of one workspace, who does what may wait, and times and ids.

    `worker` does what may wait, and `pool` what is given up when it is late. `tidy` hears of every
    turn that ended, and for how many days its receipt is kept; `listener` learns from what was said
    in it. `has_files` tells whether a conversation of this name has a chat log or a summary.
    """

    store: Store
    workspace: str
    searcher: Searcher
    worker: Worker
    pool: WorkerPool
    tidy: Callable[[int], None]
    listener: Listener
    clock: Clock
    new_id: NewId
    has_files: Callable[[str], bool]
