"""Dropping what was erased from the chat logs and summaries of a workspace."""

import re
from collections.abc import Sequence
from pathlib import Path

from tacit.conversation.words import stand_in
from tacit.files.atomic import replacing
from tacit.grounding.chatlog import entries, locked
from tacit.grounding.entry import Entry
from tacit.grounding.gist import forget

_LOG = re.compile(r"^log: (.+)$", re.MULTILINE)


def drop_holding(folder: Path, words: str) -> int:
    """Drop the entries of a workspace's logs that hold some words, and summaries made of them.

    Summaries are made anew from what is left. Returns how many entries and summaries went.
    """
    if not words.strip():
        return 0
    forget()
    changed: set[Path] = set()
    gone = 0
    for log in sorted(folder.glob("logs/chats/*/*.md")):
        with locked(log):
            dropped = _drop_entries(log, words)
        if dropped:
            changed.add(log.resolve())
        gone += dropped
    contexts = folder / "memory" / "contexts"
    return gone + sum(_drop_summary(each, words, changed) for each in contexts.glob("*.md"))


def _drop_entries(log: Path, words: str) -> int:
    """Write a log without the entries that hold the words; how many they were.

    What stands outside of entries goes as a whole, and counts as one, if it holds them.
    """
    _drop_leftovers(log)
    raw, held = log.read_bytes(), list(entries(log))[::-1]
    kept = [each for each in held if not stand_in(words, [each.text])]
    beside = stand_in(words, _outside(raw, held))
    if beside or len(kept) < len(held):
        with replacing(log) as file:
            file.writelines(raw[each.start : each.end] for each in kept)
    return len(held) - len(kept) + beside


def _outside(raw: bytes, held: Sequence[Entry]) -> list[str]:
    """The texts before the first entry and after the last one."""
    start, end = (held[0].start, held[-1].end) if held else (0, 0)
    return [raw[:start].decode(errors="replace"), raw[end:].decode(errors="replace")]


def _drop_summary(summary: Path, words: str, changed: set[Path]) -> int:
    """Drop a summary that holds the words, or whose log held them; 1 if it did."""
    _drop_leftovers(summary)
    try:
        text = summary.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return 0
    named = _LOG.search(text)
    made_of = (summary.parent / named[1]).resolve() if named else None
    if made_of not in changed and named and not stand_in(words, [text]):
        return 0
    summary.unlink(missing_ok=True)
    return 1


def _drop_leftovers(path: Path) -> None:
    """Remove what a writer that was killed left beside a file."""
    for left in path.parent.glob(f".{path.name}.*"):
        if left.suffix != ".lock":
            left.unlink(missing_ok=True)
