"""What a turn works with."""

from dataclasses import dataclass

from tacit.runtime.clock import Clock
from tacit.runtime.ids import NewId
from tacit.runtime.worker import Worker
from tacit.search import Searcher
from tacit.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """The store and the searcher of one workspace, who does what may wait, and times and ids."""

    store: Store
    workspace: str
    searcher: Searcher
    worker: Worker
    clock: Clock
    new_id: NewId
