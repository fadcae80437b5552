"""Readers: what other programs and people keep memories in, one module for each format."""

from tacit.archive.readers.entry import Entry
from tacit.archive.readers.recognition import decided, guessed, read, seen, settled
from tacit.archive.readers.sheet import Sheet, parsed

__all__ = ["Entry", "Sheet", "decided", "guessed", "parsed", "read", "seen", "settled"]
