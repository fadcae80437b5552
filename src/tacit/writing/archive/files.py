"""Archive files: their formats, how they are opened, and the report of an import."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, BinaryIO, cast

from tacit.core.errors import ArchiveError, InvalidInput
from tacit.core.fields import check_field
from tacit.core.json_value import JsonValue
from tacit.runtime.files import replace_file


class Format(StrEnum):
    """The format of a file."""

    AUTO = "auto"
    LINES = "lines"
    JSONL = "jsonl"
    JSON = "json"
    MARKDOWN = "markdown"
    MEM0 = "mem0"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"


# Opening files


ArchiveFile = str | Path | BinaryIO


def file_name_of(place: ArchiveFile, named: str | None = None) -> str | None:
    """The name of a file: as given, or from its path; None if there is none."""
    path = Path(place).name if isinstance(place, str | Path) else ""
    found = path if named is None else named
    try:
        return str(check_field("origin", {"file": found}).file)
    except InvalidInput:
        if isinstance(found, str):
            return None
        raise


@contextmanager
def open_for_reading(place: ArchiveFile) -> Iterator[BinaryIO]:
    """Open a binary file to read lines from."""
    if not isinstance(place, str | Path):
        yield _binary(place)
        return
    try:
        with Path(place).open("rb") as file:
            yield file
    except OSError as error:
        raise ArchiveError(f"{place}: cannot be read ({error.strerror})") from error


@contextmanager
def open_for_writing(place: ArchiveFile) -> Iterator[BinaryIO]:
    """Open a binary file to write lines to; a path is replaced once everything is written."""
    if not isinstance(place, str | Path):
        yield _binary(place)
        return
    try:
        with replace_file(Path(place)) as file:
            yield file
    except OSError as error:
        raise ArchiveError(f"{place}: cannot be written ({error.strerror})") from error


def _binary(file: Any) -> BinaryIO:
    if isinstance(file, io.TextIOBase) or not hasattr(file, "write"):
        raise InvalidInput("file", "give a path, or a file opened in binary mode")
    return cast(BinaryIO, file)


# The report of an import


@dataclass(frozen=True, slots=True, order=True)
class Rejected(JsonValue):
    """A line that was not imported."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport(JsonValue):
    """How many lines ended how; `rejected` names lines that were left out.

    Only the first are named if there are very many; `rejected_count` counts all. `format` is what
    the file was read as.
    """

    format: Format
    counts: Mapping[str, int] = field(default_factory=dict)
    rejected: Annotated[tuple[Rejected, ...], "The first thousand lines left out."] = ()
    rejected_count: Annotated[int, "How many lines were left out."] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPreview(JsonValue):
    """What a file holds, by kind, and how its first entries begin; nothing was imported.

    `rules` are its constraints, preferences and pins that would be trusted.
    """

    format: Format
    counts: Mapping[str, int] = field(default_factory=dict)
    first: tuple[str, ...] = ()
    rules: int = 0
    rejected: tuple[Rejected, ...] = ()
    rejected_count: int = 0
