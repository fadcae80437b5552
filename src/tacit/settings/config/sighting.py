"""What can be seen of a file without reading it."""

import time
from dataclasses import dataclass
from os import stat_result
from pathlib import Path

_GRAIN_SECONDS = 2.0
"""Two changes this close may leave the same time on a file system."""

_WRITING_SECONDS = 0.1
"""How long an editor may take from emptying or moving a file to having it whole again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A file, or that there is none, as it was at some time."""

    path: Path | None
    stamp: tuple[int, ...] | None
    """What differs after any change; None where there is no file."""
    is_partial: bool
    """Whether it is empty, or gone from where it was before."""
    age: float
    """How many seconds ago it changed last."""

    @classmethod
    def of(cls, path: Path | None, before: Path | None) -> "Sighting":
        """Look at a file, and at where it was before."""
        found = _stat(path)
        now = time.time()
        return cls(
            path=path,
            stamp=found and (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns),
            is_partial=not (found and found.st_size) or (before is not None and path != before),
            age=min(now - _changed_at(each) for each in {path, before}),
        )

    def is_like(self, later: "Sighting") -> bool:
        """Whether what was read at this sighting is certainly what there is at a later one."""
        is_certain = abs(self.age) >= _GRAIN_SECONDS
        return is_certain and (self.path, self.stamp) == (later.path, later.stamp)

    @property
    def is_fresh(self) -> bool:
        """Whether someone may be in the middle of writing it."""
        return 0 <= self.age < _WRITING_SECONDS


def _changed_at(path: Path | None) -> float:
    """When a file changed; of one that is not there, when something in its folder did."""
    if path is None:
        return 0.0
    found = _stat(path) or _stat(path.parent)
    return found.st_mtime if found else 0.0


def _stat(path: Path | None) -> stat_result | None:
    try:
        return path.stat() if path else None
    except OSError:
        return None
