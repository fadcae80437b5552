"""How long searches and turns take, all sides in turns."""

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import median

from benchmarks.batches import batches
from benchmarks.figures import Figure, latency
from benchmarks.new_process import in_new_process
from benchmarks.postgres.filling import Columns
from benchmarks.postgres.material import Material
from benchmarks.postgres.sides import Opened, Side, in_turns
from benchmarks.sentences import english_queries
from benchmarks.turns import PER_SESSION, Timed, converse

_TURNS = 100
_FRESH = 5
_MEGABYTE = 1_000_000


def searches(sides: Mapping[str, Opened], material: Material) -> Columns:
    """Searches whose vectors are at hand, after one in each workspace."""
    most = max(map(len, material.queries.values()))
    for side in sides.values():
        for workspace in material.workspaces[:most]:
            side[workspace].search(material.telling[0])
    figures: Columns = {name: [] for name in sides}
    for kind, queries in material.queries.items():
        jobs = [
            partial(_search, workspace=material.workspace(number), query=query)
            for number, query in enumerate(queries)
        ]
        for name, taken in in_turns(sides, jobs).items():
            figures[name] += latency(f"search, {kind}", taken)
    return figures


def turns(sides: Mapping[str, Opened], material: Material) -> Columns:
    """Whole turns with MiniLM's time, a session in each workspace."""
    sessions = batches(english_queries(_TURNS, 10, 25), PER_SESSION)
    timed: dict[str, list[Timed]] = {name: [] for name in sides}
    for side in sides.values():
        for workspace in material.workspaces[: len(sessions)]:
            side[workspace].warm()
    order = list(sides)
    for number, said in enumerate(sessions):
        order.reverse()
        for name in order:
            tacit = sides[name][material.workspace(number)]
            timed[name] += converse(tacit, f"session-{number}", said)
    return {
        name: [
            *latency("turn", [each.beginning for each in own]),
            *latency("commit", [each.commit for each in own]),
        ]
        for name, own in timed.items()
    }


def first_searches(sides: Sequence[Side], material: Material) -> Columns:
    """A new process that opens some workspaces one after the other and searches each."""
    environment = {"TACIT_POSTGRES_RESIDENT_MEMORIES": str(material.resident)}
    figures: Columns = {}
    for side in sides:
        workspaces = material.workspaces[:_FRESH]
        query = material.telling[0]
        found = in_new_process(side.location, workspaces, query, material.embedder, environment)
        figures[side.name] = [
            Figure("open + first search", "ms", found["first"] * 1e3),
            Figure("the same, imported", "ms", median(found["each"]) * 1e3),
            Figure("memory that takes", "MB", found["bytes"] / _MEGABYTE),
        ]
    return figures


def _search(side: Opened, workspace: str, query: str) -> None:
    side[workspace].search(query)
