"""Which databases this version opens, and the migrations that bring them up to date."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from tacit.core.errors import StoreTooNew, StoreTooOld
from tacit.language.terms import ANALYSIS_VERSION
from tacit.statements.parser import STATEMENTS_VERSION

ANALYSIS_VERSIONS = f"{ANALYSIS_VERSION}.{STATEMENTS_VERSION}"
"""The version that is stored with terms and claims."""


def is_newer_analysis(made_by: str) -> bool:
    """Whether a later version made the terms or claims; a missing number means older."""
    numbers = made_by.split(".")
    if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
        return False
    terms, claims = map(int, numbers)
    return terms > ANALYSIS_VERSION or claims > STATEMENTS_VERSION


def reject_newer_analysis(place: object, made_by: str, package: str) -> None:
    """Refuse a database that a newer version analysed, and say how to open it."""
    if is_newer_analysis(made_by):
        raise StoreTooNew(
            f"{place}: analysed by a newer Tacit (analysis {made_by}, this one knows"
            f" {ANALYSIS_VERSIONS});"
            f" upgrade with: pip install --upgrade {package}"
        )


@dataclass(frozen=True, slots=True)
class Migration:
    """The statements that lead to a version; the first of all makes the whole schema."""

    version: int
    sql: str


def load_migrations(package: str) -> list[Migration]:
    """The migrations of a backend that come with this version, in order."""
    folder = files(package) / "migrations"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [
        Migration(int(name.partition("_")[0]), (folder / name).read_text("utf-8")) for name in names
    ]


def needs_migration(version: int, migrations: Sequence[Migration]) -> bool:
    """Whether opening a schema of this version migrates it; 0 is no schema yet."""
    return version == 0 or migrations[0].version <= version < migrations[-1].version


def reject_other_schema(
    place: object, version: int, migrations: Sequence[Migration], package: str
) -> None:
    """Refuse a schema that is newer than the migrations, or older than the first of them."""
    oldest, newest = migrations[0].version, migrations[-1].version
    if version > newest:
        raise StoreTooNew(
            f"{place}: written by a newer Tacit (schema {version}, this one knows {newest});"
            f" upgrade with: pip install --upgrade {package}"
        )
    if 0 < version < oldest:
        raise StoreTooOld(
            f"{place}: written by a Tacit from before the first release (schema {version}, this one"
            f" opens {oldest} and newer); with that one run tacit export, then with this one"
            " tacit import into a new database"
        )
