"""Erasure in the chat logs and summaries of a workspace."""

import re
from collections.abc import Callable, Sequence, Set
from pathlib import Path

from tacit.grounding.chat_log import LogEntry, iter_entries, lock_log
from tacit.grounding.file_layout import CLAIM_SUFFIX, find_log_context, to_file_name
from tacit.grounding.gist import clear_cache
from tacit.language.characters import unescape_line
from tacit.language.terms import WordMatcher
from tacit.runtime.files import open_regular_file, read_file, replace_file

Check = Callable[[str | None], bool]
"""Whether the files of the context with this key are meant; None where it is not known."""

_LOG = re.compile(r"^log: (.+)$", re.MULTILINE)


def erase_matching_entries(folder: Path, words: WordMatcher, is_meant: Check) -> int:
    """Erase the log entries of a workspace that contain some words, and summaries of them.

    Summaries are rebuilt from what is left. Returns how many entries and summaries were erased.
    """
    if not words:
        return 0
    clear_cache()
    changed: set[Path] = set()
    gone = 0
    for log in _list_logs(folder, is_meant):
        dropped = _erase_from_log(log, words)
        if dropped:
            changed.add(log.resolve())
        gone += dropped
    return gone + _drop_summaries(folder, words, changed, is_meant)


def erase_conversations(folder: Path, names: Set[str], is_meant: Check) -> int:
    """Erase the logs of some contexts of a workspace, and their summaries.

    A context has the name that was given to it, or that its files have. The owner of a log stays
    known, so that no other context takes it over. Returns how many entries and summaries were
    erased.
    """
    clear_cache()
    keys = {*names, *map(to_file_name, names)}
    own = [log for log in _list_logs(folder, is_meant) if find_log_context(log) in keys]
    gone = 0
    for log in own:
        with lock_log(log):
            _drop_leftovers(log)
            gone += sum(1 for _ in iter_entries(log))
            log.unlink(missing_ok=True)
    dropped = {log.resolve() for log in own}
    return gone + _drop_summaries(folder, WordMatcher.of(()), dropped, is_meant)


def _list_logs(folder: Path, is_meant: Check) -> list[Path]:
    found = sorted(each for each in folder.glob("logs/chats/*/*.md") if each.is_file())
    return [each for each in found if is_meant(find_log_context(each))]


def _drop_summaries(folder: Path, words: WordMatcher, changed: set[Path], is_meant: Check) -> int:
    contexts = folder / "memory" / "contexts"
    found = (each for each in contexts.glob("*.md") if each.is_file() and is_meant(each.stem))
    return sum(_drop_summary(each, words, changed) for each in found)


def _erase_from_log(log: Path, words: WordMatcher) -> int:
    """Erase matching entries from a log, which is not locked while it is searched."""
    with lock_log(log):
        _drop_leftovers(log)
    if not _has_match(log, words):
        return 0
    with lock_log(log):
        return _drop_entries(log, words)


def _has_match(log: Path, words: WordMatcher) -> bool:
    """Whether the words are anywhere in a log."""
    try:
        with open_regular_file(log) as file:
            text = file.read().decode(errors="replace")
    except FileNotFoundError:
        return False
    return words.match_any({text, unescape_line(text)})


def _drop_entries(log: Path, words: WordMatcher) -> int:
    """Rewrite a log without matching entries; returns how many there were.

    Text outside of entries is dropped as a whole and counts as one, if it matches.
    """
    with open_regular_file(log) as file:
        raw, held = file.read(), list(iter_entries(log))[::-1]
    kept = [each for each in held if not words.match_any([each.text])]
    beside = words.match_any(_texts_outside_entries(raw, held))
    if beside or len(kept) < len(held):
        with replace_file(log) as file:
            file.writelines(raw[each.start : each.end] for each in kept)
    return len(held) - len(kept) + beside


def _texts_outside_entries(raw: bytes, held: Sequence[LogEntry]) -> list[str]:
    """The texts before the first entry and after the last one."""
    start, end = (held[0].start, held[-1].end) if held else (0, 0)
    return [raw[:start].decode(errors="replace"), raw[end:].decode(errors="replace")]


def _drop_summary(summary: Path, words: WordMatcher, changed: set[Path]) -> int:
    """Drop a summary that matches, or whose log did; returns 1 if it did."""
    _drop_leftovers(summary)
    try:
        text = read_file(summary).decode(errors="replace")
    except FileNotFoundError:
        return 0
    named = _LOG.search(text)
    made_of = (summary.parent / named[1]).resolve() if named else None
    if made_of not in changed and named and not words.match_any([text]):
        return 0
    summary.unlink(missing_ok=True)
    return 1


def _drop_leftovers(path: Path) -> None:
    """Remove temporary files of a writer that was killed."""
    for left in path.parent.glob(f".{path.name}.*"):
        if left.suffix not in (".lock", CLAIM_SUFFIX):
            left.unlink(missing_ok=True)
