"""Coding CLIs: which have our hooks, and whether what these run is there."""

import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from tacit.cli.doctor.finding import Finding, doubtful, fine, wrong
from tacit.cli.doctor.installation import Installation
from tacit.integrations.installer.program import find_program
from tacit.integrations.installer.targets import (
    InstalledHooks,
    InstallFolders,
    InstallScope,
    find_installed_hooks,
)


def look(_: Installation) -> Iterator[Finding]:
    """Clients of this user and of the project here; those without our hooks are not mentioned."""
    around = InstallFolders(home=Path.home(), project=Path.cwd(), environment=os.environ)
    for presence in find_installed_hooks(find_program(), around):
        yield _finding(presence)


def _finding(presence: InstalledHooks) -> Finding:
    place = f"{presence.client.label}, {presence.path}"
    option = " --project" if presence.scope is InstallScope.PROJECT else ""
    mend = f"run: tacit install {presence.client}{option}"
    if presence.problem is not None:
        return doubtful("clients", f"{place}: cannot be read ({presence.problem})")
    for words in presence.commands:
        if shutil.which(words[0]) is None:
            return wrong("clients", f"{place}: its hooks run {words[0]}, which is not there", mend)
    if presence.is_off:
        mend = "turn them on there, if you want memory in it"
        return doubtful("clients", f"{place}: has hooks, and turns all hooks off", mend)
    if presence.missing:
        events = ", ".join(presence.missing)
        return doubtful("clients", f"{place}: has hooks, but none for {events}", mend)
    told = " and ".join(shlex.join(words) for words in presence.commands)
    return fine("clients", f"{place}: its hooks run {told}")
