"""Whether a database file is whole."""

from collections.abc import Iterator
from pathlib import Path

from tacit.cli.doctor.finding import Finding, fine, wrong
from tacit.cli.doctor.installation import Installation
from tacit.cli.doctor.place import Readiness, place_of, readiness, reading
from tacit.store.location import IN_MEMORY, is_url

MOST_BYTES = 500_000_000
"""What is larger would take too long."""

_MOST_FAULTS = 3


def look(installation: Installation) -> Iterator[Finding]:
    """What SQLite says of its pages; a server looks after its own."""
    place = place_of(installation)
    if place == IN_MEMORY or is_url(place) or readiness(place) is Readiness.ABSENT:
        return
    path = Path(place)
    if path.stat().st_size > MOST_BYTES:
        most = f"{MOST_BYTES / 1e6:,.0f} MB"
        yield fine("integrity", f"not checked: beyond {most} that takes too long")
        return
    with reading(path) as connection:
        rows = connection.execute(f"PRAGMA quick_check({_MOST_FAULTS})").fetchall()
    faults = [" ".join(str(row[0]).split()) for row in rows if row[0] != "ok"]
    if faults:
        yield wrong(
            "integrity",
            f"{path} is damaged: {'; '.join(faults)}",
            "stop what uses it, keep a copy, and restore your last export or the backup beside it"
            " (*.bak)",
        )
    else:
        yield fine("integrity", "every page is whole")
