"""What a turn works with."""

from dataclasses import dataclass

from tacit.runtime.clock import Clock
from tacit.runtime.ids import NewId
from tacit.search import Searcher
from tacit.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """The store and the searcher of one workspace, and what makes times and ids."""

    store: Store
    workspace: str
    searcher: Searcher
    clock: Clock
    new_id: NewId
