"""Sets of our own, each in two halves: one to work with, one to measure with at the end."""

import json
from collections.abc import Mapping
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

from tacit.core.errors import ArchiveError
from tacit.evals.corpus import read_bytes


class Half(StrEnum):
    """Which half of a set: `held` was looked at by nobody who worked on what it measures."""

    DEV = "dev"
    HELD = "held"


def entries_of(name: str, half: Half) -> list[Mapping[str, Any]]:
    """The entries of a set of JSON lines."""
    return [json.loads(line) for line in lines_of(f"{name}_{half}.jsonl")]


def entries_in(path: Path) -> list[Mapping[str, Any]]:
    """The entries of a set in a file of somebody's own."""
    try:
        return [json.loads(line) for line in read_bytes(path).splitlines() if line.strip()]
    except ValueError as error:
        raise ArchiveError(f"{path}: is no file of JSON lines ({error})") from None


def lines_of(file: str) -> list[str]:
    """The lines of a file among the sets that say something."""
    written = (files("tacit.evals") / "sets" / file).read_text("utf-8")
    return [line for line in written.splitlines() if line.strip()]
