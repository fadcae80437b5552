"""The steps that lead from one schema to the next, read from the SQL files of a backend."""

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: the statements that lead to a version."""

    version: int
    sql: str


def bundled(package: str) -> list[Migration]:
    """The steps that come with this version of Tacit for a backend, in order."""
    folder = files(package) / "migrations"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [
        Migration(int(name.partition("_")[0]), (folder / name).read_text("utf-8")) for name in names
    ]
