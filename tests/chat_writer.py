"""Appends to a chat log until it is killed, saying on standard output what is written.

Each line is the text of an entry that a finished call has acknowledged.
"""

import itertools
import sys
from datetime import UTC, datetime
from pathlib import Path

from tacit.grounding.chat_log import EntryKind, append_entry

_AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def write(path: str, name: str, count: str = "") -> None:
    numbers = range(int(count)) if count else itertools.count()
    for number in numbers:
        text = f"{name} wrote {number} " + "and so on " * (number * 997 % 9_000)
        append_entry(Path(path), EntryKind.INBOUND, text.strip(), _AT)
        sys.stdout.write(f"{name} wrote {number}\n")
        sys.stdout.flush()
