"""The program itself, and what it runs on."""

import platform
from collections.abc import Iterator

from tacit.cli.doctor.finding import Finding, fine
from tacit.cli.doctor.installation import Installation
from tacit.version import __version__


def look(_: Installation) -> Iterator[Finding]:
    """The versions that a report of a fault should name."""
    system = f"{platform.system()} {platform.release()} ({platform.machine()})"
    yield fine("program", f"Tacit {__version__}, Python {platform.python_version()}, {system}")
