"""The files of the workspaces: chat logs, summaries, directives and documents."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from tacit.api.configuration import load_configuration
from tacit.api.workspace_files import FilesLocation, files_beside, files_of_server, read_files_owner
from tacit.cli.doctor.finding import Finding, doubtful, fine
from tacit.cli.doctor.installation import Installation
from tacit.cli.doctor.place import opened, place_of
from tacit.store.location import is_url


def look(installation: Installation) -> Iterator[Finding]:
    """Where they are, and whether a former folder of them belongs to a database that is gone."""
    if load_configuration(installation.config).grounding.workspaces_folder:
        return
    place = _files_place(installation)
    if place is None or not place.former.is_dir():
        return
    owner = read_files_owner(place.former)
    if owner is None or owner == place.name:
        return
    found = f"{place.former} has the files of {owner}; those of this database are in {place.own}"
    if _is_there(place.parent, owner):
        yield fine("files", found)
        return
    move = f"mv {_quoted(place.former)} {_quoted(place.own)}"
    mend = f"if this database was called {owner} before, run: {move}"
    yield doubtful("files", f"{found}, and {owner} is not there", mend)


def _files_place(installation: Installation) -> FilesLocation | None:
    place = place_of(installation)
    if not is_url(place):
        return files_beside(Path(place)) if Path(place).is_file() else None
    with opened(installation) as store:
        return None if store is None else files_of_server(str(store.describe()["identity"]))


def _is_there(folder: Path, owner: str) -> bool:
    """Whether the database is there; one on a server may be."""
    return owner.startswith("postgresql-") or (folder / owner).exists()


def _quoted(path: Path) -> str:
    return quote(str(path))
