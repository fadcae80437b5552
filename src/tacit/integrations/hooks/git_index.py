"""Git's index: which files a working tree had when git last looked, as the file system knows them.

Only git writes it, into the repository's own folder, so it tells a working tree from another folder
at the same path.
"""

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tacit.runtime.files import read_start

_LONGEST = 512 * 1024
_SIGNATURE = b"DIRC"
_HEADER = struct.Struct(">4sII")
_STAT = struct.Struct(">IIIIII")
"""The first numbers of an entry: both times in seconds and nanoseconds, device and inode."""

_BEFORE_ID = 40
_HAS_MORE_FLAGS = 0x4000
_WITHOUT_COMPRESSION, _COMPRESSED = (2, 3), 4
_ALIGNED = 8


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A file of a working tree: its path, when its metadata changed, and its inode."""

    path: bytes
    changed: int
    nanoseconds: int
    inode: int

    def is_in(self, root: Path) -> bool:
        """Whether this very file is still in a folder."""
        try:
            found = os.lstat(os.path.join(os.fsencode(root), self.path))  # noqa: PTH118
        except OSError:
            return False
        seconds, nanoseconds = divmod(found.st_ctime_ns, 10**9)
        is_same = (found.st_ino & 0xFFFFFFFF, seconds & 0xFFFFFFFF) == (self.inode, self.changed)
        return is_same and self.nanoseconds in (0, nanoseconds)


def read_index(path: Path, id_length: int) -> Iterator[IndexEntry]:
    """Read the first entries of an index; none if there is no index or it cannot be read.

    `id_length` is the number of bytes of the repository's object ids.
    """
    try:
        data = read_start(path, _LONGEST)
        signature, version, count = _HEADER.unpack_from(data)
    except (OSError, struct.error):
        return
    if signature != _SIGNATURE or version not in (*_WITHOUT_COMPRESSION, _COMPRESSED):
        return
    at, name = _HEADER.size, b""
    for _ in range(count):
        flags_at = at + _BEFORE_ID + id_length
        if flags_at + 4 > len(data):
            return
        changed, nanoseconds, _, _, _, inode = _STAT.unpack_from(data, at)
        has_more = int.from_bytes(data[flags_at : flags_at + 2]) & _HAS_MORE_FLAGS
        start = flags_at + (4 if has_more else 2)
        if version == _COMPRESSED:
            removed, start = _read_length(data, start)
            name = name[: len(name) - removed]
        else:
            name = b""
        end = data.find(b"\0", start)
        if end < 0:
            return
        name += data[start:end]
        at = end + 1 if version == _COMPRESSED else at + _padded(end - at)
        yield IndexEntry(name, changed, nanoseconds, inode)


def _padded(length: int) -> int:
    """The length of an entry with the zeros that end it, one at least."""
    return (length + _ALIGNED) // _ALIGNED * _ALIGNED


def _read_length(data: bytes, at: int) -> tuple[int, int]:
    """Read how much of the last path the next one leaves out, and where its own part begins."""
    value = data[at] & 0x7F
    while data[at] & 0x80 and at + 1 < len(data):
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1
