"""Where an archive is: a path, or a file that is open already."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from tacit.core.errors import ArchiveError, InvalidInput
from tacit.core.fields import check_field
from tacit.runtime.files.atomic import replacing

Place = str | Path | BinaryIO


def name_of(place: Place, named: str | None = None) -> str | None:
    """What a file is called: as somebody says, or by its path; None if that is no name."""
    path = Path(place).name if isinstance(place, str | Path) else ""
    found = path if named is None else named
    try:
        return str(check_field("origin", {"file": found}).file)
    except InvalidInput:
        if isinstance(found, str):
            return None
        raise


@contextmanager
def reading(place: Place) -> Iterator[BinaryIO]:
    """A binary file to read lines from."""
    if not isinstance(place, str | Path):
        yield _binary(place)
        return
    try:
        with Path(place).open("rb") as file:
            yield file
    except OSError as error:
        raise ArchiveError(f"{place}: cannot be read ({error.strerror})") from error


@contextmanager
def writing(place: Place) -> Iterator[BinaryIO]:
    """A binary file to write lines to; a path is replaced when everything is written."""
    if not isinstance(place, str | Path):
        yield _binary(place)
        return
    try:
        with replacing(Path(place)) as file:
            yield file
    except OSError as error:
        raise ArchiveError(f"{place}: cannot be written ({error.strerror})") from error


def _binary(file: Any) -> BinaryIO:
    if isinstance(file, io.TextIOBase) or not hasattr(file, "write"):
        raise InvalidInput("file", "give a path, or a file opened in binary mode")
    return cast(BinaryIO, file)
