"""The room that a database file has."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from tacit.cli.doctor.file import standing
from tacit.cli.doctor.finding import Finding, doubtful, fine, wrong
from tacit.cli.doctor.installation import Installation
from tacit.cli.doctor.place import place_of
from tacit.store.location import IN_MEMORY, is_url

_SCARCE = 1_000_000_000
_TOO_LITTLE = 100_000_000


def look(installation: Installation) -> Iterator[Finding]:
    """How much is free on its disk; a server looks after its own."""
    place = place_of(installation)
    if place == IN_MEMORY or is_url(place):
        return
    folder = standing(Path(place).parent)
    free = shutil.disk_usage(folder).free
    found = f"{_size(free)} free on the disk of {folder}"
    mend = "free some space there, or move the database to another disk"
    if free < _TOO_LITTLE:
        yield wrong("space", found, mend)
    elif free < _SCARCE:
        yield doubtful("space", found, mend)
    else:
        yield fine("space", found)


def _size(amount: int) -> str:
    return f"{amount / 1e9:,.1f} GB" if amount >= 1e9 else f"{amount / 1e6:,.0f} MB"
