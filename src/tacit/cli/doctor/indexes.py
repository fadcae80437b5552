"""Large workspaces of a server that wait for their index."""

from collections.abc import Iterator

from tacit.cli.doctor.configuration import postgres_settings
from tacit.cli.doctor.finding import Finding, doubtful
from tacit.cli.doctor.installation import Installation
from tacit.cli.doctor.place import Readiness, place_of, readiness
from tacit.cli.doctor.tenants import MOST_WORKSPACES, counted, listed
from tacit.store.location import is_url


def look(installation: Installation) -> Iterator[Finding]:
    """Those that are searched in memory though they have outgrown it."""
    place = place_of(installation)
    if not is_url(place) or readiness(place) is not Readiness.READY:
        return
    from tacit.cli.doctor.postgres import waiting

    resident = postgres_settings(installation).resident_memories
    if names := waiting(place, resident, MOST_WORKSPACES):
        yield doubtful(
            "indexes",
            f"{counted(len(names), 'workspace')} beyond {resident:,} memories without an index,"
            f" or with one that is out of date: {listed(names)}",
            "search in them, and it is made beside that; if it stays so, see the log",
        )
