"""The database: where it is, whether it opens, and what stands in its way."""

from collections.abc import Iterator
from pathlib import Path

from tacit.cli.doctor import file
from tacit.cli.doctor.configuration import postgres_settings
from tacit.cli.doctor.finding import Finding, fine
from tacit.cli.doctor.installation import Installation
from tacit.cli.doctor.place import Readiness, opened, place_of, readiness
from tacit.store.backends import store_exists
from tacit.store.location import IN_MEMORY, is_url


def look(installation: Installation) -> Iterator[Finding]:
    """All that can be said without changing it; one that is not there is not made."""
    place = place_of(installation)
    if place == IN_MEMORY:
        yield fine("database", "in memory: it lasts as long as the program that opens it")
    elif is_url(place):
        yield from _on_server(installation, place)
    else:
        yield from _in_file(installation, Path(place))


def _on_server(installation: Installation, url: str) -> Iterator[Finding]:
    store_exists(url)  # says what is wrong where it cannot be reached or too little is installed
    from tacit.cli.doctor import postgres

    yield from postgres.look(url, postgres_settings(installation))
    yield from _opening(installation, postgres.shown(url), readiness(url))


def _in_file(installation: Installation, path: Path) -> Iterator[Finding]:
    state = readiness(str(path))
    if state is Readiness.ABSENT and (found := list(file.obstacles(path))):
        yield from found
        return
    if state is not Readiness.ABSENT:
        yield from file.rights(path)
    yield from _opening(installation, str(path), state)


def _opening(installation: Installation, name: str, state: Readiness) -> Iterator[Finding]:
    if state is Readiness.ABSENT:
        yield fine("database", f"{name}: nothing is there yet; the first memory makes it")
        return
    if state is Readiness.OLDER:
        yield fine(
            "database",
            f"{name}: written by an older Tacit; the next command that uses it brings it up to"
            " date. What is in it is not examined before",
        )
        return
    with opened(installation) as store:
        told = store.describe() if store else {}
    size = int(str(told.get("bytes", 0))) / 1e6
    yield fine("database", f"{name}: opens; {told.get('engine')}, {size:,.1f} MB")
