"""What a turn works with."""

from collections.abc import Callable
from dataclasses import dataclass

from tacit.runtime.clock import Clock
from tacit.runtime.ids import NewId
from tacit.runtime.worker import Worker
from tacit.search import Searcher
from tacit.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """The store and the searcher of one workspace, who does what may wait, and times and ids.

    `tidy` hears of every turn that ended, and for how many days its receipt is kept.
    """

    store: Store
    workspace: str
    searcher: Searcher
    worker: Worker
    tidy: Callable[[int], None]
    clock: Clock
    new_id: NewId
