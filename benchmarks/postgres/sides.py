"""A backend that takes part: where its memories are, and who opens them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial

from benchmarks.figures import seconds
from tacit import Embedder, Tacit
from tacit.settings.server import PostgresSettings
from tacit.store.backends import open_store
from tacit.store.protocols.store import Store

EVERYTHING = 100_000_000
"""So many memories are searched in memory that no workspace needs indexes."""

Job = Callable[["Opened"], object]


@dataclass(frozen=True, slots=True)
class Side:
    """A backend, and a file or a database of its own."""

    name: str
    location: str


class Opened:
    """One store, and a Tacit for each workspace that is asked for."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self.store = store
        self.embedder = embedder
        self._held: dict[str, Tacit] = {}

    def __getitem__(self, workspace: str) -> Tacit:
        if workspace not in self._held:
            self._held[workspace] = Tacit(self.store, workspace, embedder=self.embedder)
        return self._held[workspace]


@contextmanager
def opened(
    sides: Iterable[Side], embedder: Embedder, resident: int
) -> Iterator[Mapping[str, Opened]]:
    """All sides with one store each, by name."""
    settings = PostgresSettings(resident_memories=resident)
    with ExitStack() as stack:
        found = {}
        for side in sides:
            store = open_store(side.location, settings)
            stack.callback(store.close)
            found[side.name] = Opened(store, embedder)
        yield found


def in_turns(sides: Mapping[str, Opened], jobs: Iterable[Job]) -> dict[str, list[float]]:
    """How long each job takes everyone; who begins changes, so that all share the noise."""
    taken: dict[str, list[float]] = {name: [] for name in sides}
    order = list(sides)
    for job in jobs:
        order.reverse()
        for name in order:
            taken[name].append(seconds(partial(job, sides[name])))
    return taken
