"""The folders that projects are at, and those that could join one."""

from collections.abc import Iterator
from shlex import quote

from tacit.api.calls.projects import match_checkout
from tacit.cli.doctor.finding import Finding, doubtful, fine
from tacit.cli.doctor.installation import Installation
from tacit.cli.doctor.place import opened
from tacit.cli.doctor.tenants import counted, examined
from tacit.core.projects import ProjectPlace
from tacit.integrations.hooks.project import project_notice
from tacit.runtime.clock import system_clock
from tacit.store.protocols.store import UnitOfWork

_MOST = 1_000
"""So many checkouts of a workspace are examined."""


def look(installation: Installation) -> Iterator[Finding]:
    """How many places there are, and which of them wait for a person to decide."""
    with opened(installation) as store:
        if store is None:
            return
        waiting: list[Finding] = []
        count = 0
        for name in examined(store)[0]:
            with store.read(name) as unit:
                places = unit.places.scan(None, _MOST)
                waiting += [
                    finding
                    for place in places
                    if place.project is None
                    for finding in _waiting(unit, place)
                ]
            count += len(places)
    if count:
        yield fine("projects", f"{counted(count, 'checkout')} known")
    yield from waiting


def _waiting(unit: UnitOfWork, place: ProjectPlace) -> Iterator[Finding]:
    match, _ = match_checkout(unit, place.checkout, system_clock())
    if match.offered is not None:
        found, _, _ = project_notice(match, place.label).partition(" It has")
        option = "" if unit.workspace == "default" else f" --workspace {quote(unit.workspace)}"
        mend = (
            f"in that folder run: tacit project join{option} (or tacit project leave, to keep it"
            " apart)"
        )
        yield doubtful("projects", found.removesuffix("."), mend)
