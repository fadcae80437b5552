"""The daemon behind the hooks: whether it could start, and whether one that runs answers."""

import os
from collections.abc import Iterator
from http import HTTPStatus
from importlib.util import find_spec

from tacit.cli.doctor.finding import Finding, doubtful, fine, wrong
from tacit.cli.doctor.installation import Installation
from tacit.core.errors import PlaceRefused, Unanswered
from tacit.integrations.hooks.daemon_client import (
    DaemonAddress,
    DaemonResponse,
    daemon_address,
    send_request,
)
from tacit.runtime.files import default_log_path

_PATIENCE = 3.0
_NEEDED = ("fastapi", "uvicorn")
_MEND = "run: tacit daemon stop; the next hook starts another"


def look(installation: Installation) -> Iterator[Finding]:
    """The daemon that hooks started here would use."""
    named = {"TACIT_DB": installation.db, "TACIT_CONFIG": installation.config}
    given = {name: str(value) for name, value in named.items() if value is not None}
    place = daemon_address({**os.environ, **given})
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        found = f"hooks work without one, and slowly: {', '.join(missing)} is missing"
        yield doubtful("daemon", found, "run: pip install 'tacit[hooks]'")
        return
    try:
        yield _found(place, send_request(place, "GET", "/daemon", seconds=_PATIENCE))
    except Unanswered as error:
        yield wrong("daemon", f"{place.sign}: {error}", f"see {default_log_path()}, then {_MEND}")
    except OSError:
        yield _absent(place)


def _found(place: DaemonAddress, answer: DaemonResponse) -> Finding:
    if answer.status != HTTPStatus.OK:
        found = f"{place.sign}: answers {answer.status}, and not as it should"
        return wrong("daemon", found, f"see {default_log_path()}, then {_MEND}")
    told = answer.document
    return fine("daemon", f"process {told.get('pid')} answers, {told.get('served')} events served")


def _absent(place: DaemonAddress) -> Finding:
    if place.folder.exists():
        try:
            place.made()
        except PlaceRefused as error:
            return wrong("daemon", str(error))
    return fine("daemon", "none runs; a hook starts one")
