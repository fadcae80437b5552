"""The rolling summary of a conversation: rewritten when it is missing or some turns behind."""

import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from tacit.core.times import to_rfc3339
from tacit.grounding.chat_log import LogEntry, LogGrowth, find_spoken, iter_entries, measure_growth
from tacit.grounding.gist import (
    Gist,
    build_gist,
    format_gist,
    parse_gist,
    remove_said,
    to_transcript,
)
from tacit.grounding.prompt import PromptPart, body_tokens
from tacit.grounding.text_cuts import clip_text
from tacit.language.code_fences import take_last_lines
from tacit.language.redaction.redact import clip_redacted, redact
from tacit.runtime.files import make_private_folder, read_start, replace_file
from tacit.settings.grounding import GroundingSettings
from tacit.turn.summarizer import Summarizer

_LONGEST_LINE = 1_000
_CHARACTERS_PER_TOKEN = 4
_DIGITS = 16
_LARGEST = 1_000_000
_HEADER = re.compile(
    r"---\nlog: (?P<log>.+)\nturns: (?P<turns>\d{1,15})\nlines: (?P<lines>\d{1,15})\n"
    r"bytes: (?P<bytes>\d{1,15})\nby: (?P<by>rules|model)\nwritten: \S+\n"
    rf"digest: (?P<digest>[0-9a-f]{{{_DIGITS}}})\n---\n\n"
)


@dataclass(frozen=True, slots=True)
class RollingSummary:
    """A summary, the turns it covers, and whether it was just written.

    It is current if nothing was said since it was written. `trouble` names what failed: the model
    that should write it, or the file.
    """

    text: str
    turns: int
    refreshed: bool
    trouble: str = ""
    is_current: bool = False
    gist: Gist | None = None
    """What the rules summed up; None where a model wrote it."""

    def beside(self, said: Sequence[Mapping[str, str]], settings: GroundingSettings) -> str:
        """The summary for a prompt with these messages, without what they say."""
        if self.gist is None:
            return self.text
        return format_gist(remove_said(self.gist, said), _room(settings))


@dataclass(frozen=True, slots=True)
class _StoredSummary:
    """A summary as stored in its file."""

    log: str
    turns: int
    lines: int
    bytes: int
    by: str
    body: str


def load_summary(
    log: Path,
    summary: Path,
    settings: GroundingSettings,
    now: datetime,
    write: Summarizer | None = None,
) -> RollingSummary:
    """The summary of a log, rewritten if its file is missing, broken or too far behind."""
    if not settings.memory_summary_max_tokens:
        return RollingSummary("", 0, False)
    name = Path(os.path.relpath(log, summary.parent)).as_posix()
    kept = _read_stored(summary, name, settings)
    since = measure_growth(log, kept.bytes) if kept is not None else None
    if kept is None or since is None:
        kept, since = None, measure_growth(log)
    if since is None or not since.end:
        return RollingSummary("", 0, False)
    if kept is not None and since.turns < settings.memory_summary_refresh_turns:
        is_current = since.end == kept.bytes
        text, known = _shown(kept, settings), _gist_in(kept)
        return RollingSummary(text, kept.turns, False, is_current=is_current, gist=known)
    before = 0 if kept is None else kept.turns
    return _refresh_summary(_SummaryFiles(log, summary, name), before, since, settings, now, write)


@dataclass(frozen=True, slots=True)
class _SummaryFiles:
    """A log, its summary, and how the summary names the log."""

    log: Path
    summary: Path
    name: str


def _refresh_summary(
    files: _SummaryFiles,
    before: int,
    since: LogGrowth,
    settings: GroundingSettings,
    now: datetime,
    write: Summarizer | None,
) -> RollingSummary:
    inode = files.log.stat().st_ino
    source, lines = _load_messages(files.log, since.end, settings.memory_summary_source_max_lines)
    body, trouble = _summarise_by_model(source, settings, write)
    by = "model" if body else "rules"
    body = body or format_gist(build_gist(source, settings.memory_summary_max_items, now))
    turns = before + since.turns
    kept = _StoredSummary(files.name, turns, lines, since.end, by, redact(body).text)
    try:
        _write_stored(files, inode, kept, settings, now)
    except OSError as error:
        trouble = f"summary: not written ({error})"
    text = _shown(kept, settings)
    return RollingSummary(text, turns, True, trouble, is_current=True, gist=_gist_in(kept))


def _load_messages(log: Path, end: int, most: int) -> tuple[list[LogEntry], int]:
    """The messages to summarise, in their order, and their number of lines."""
    source: list[LogEntry] = []
    left = most
    for said in find_spoken(map(_redact_entry, iter_entries(log, end))):
        lines = [clip_redacted(line, _LONGEST_LINE) for line in take_last_lines(said.lines, left)]
        source.append(replace(said.entry, text="\n".join(lines)))
        left -= min(len(said.lines), left)
        if not left:
            break
    return source[::-1], most - left


def _redact_entry(entry: LogEntry) -> LogEntry:
    """An entry without secrets, redacted before any line is cut."""
    return replace(entry, text=redact(entry.text).text)


def _summarise_by_model(
    source: Sequence[LogEntry], settings: GroundingSettings, write: Summarizer | None
) -> tuple[str, str]:
    """The summary by a model, or why there is none."""
    if write is None or not source:
        return "", ""
    characters = settings.memory_summary_max_tokens * _CHARACTERS_PER_TOKEN
    try:
        text = write.summarize(to_transcript(source), characters).strip()
    except Exception as error:
        return "", f"summary: the model failed ({error}); the rules wrote it"
    kept = clip_text(text, tokens=_room(settings))
    return kept, "" if kept else "summary: the model wrote nothing; the rules wrote it"


def _shown(kept: _StoredSummary, settings: GroundingSettings) -> str:
    found = _gist_in(kept)
    if found is None:
        return clip_text(kept.body, tokens=_room(settings))
    return format_gist(found, _room(settings))


def _gist_in(kept: _StoredSummary) -> Gist | None:
    return parse_gist(kept.body) if kept.by == "rules" else None


def _room(settings: GroundingSettings) -> int:
    return body_tokens(PromptPart.SUMMARY, settings.memory_summary_max_tokens)


def _read_stored(summary: Path, name: str, settings: GroundingSettings) -> _StoredSummary | None:
    """The stored summary, if it is intact and belongs to this log and these settings."""
    try:
        text = read_start(summary, _LARGEST).decode()
    except (OSError, UnicodeDecodeError):
        return None
    header = _HEADER.match(text)
    if header is None:
        return None
    kept = _StoredSummary(
        header["log"],
        int(header["turns"]),
        int(header["lines"]),
        int(header["bytes"]),
        header["by"],
        text[header.end() :].removesuffix("\n"),
    )
    is_ours = header["digest"] == _digest(kept, settings) and kept.log == name
    return kept if is_ours else None


def _write_stored(
    files: _SummaryFiles,
    inode: int,
    kept: _StoredSummary,
    settings: GroundingSettings,
    now: datetime,
) -> None:
    """Write the file, unless the log was replaced in the meantime, as by an erasure."""
    make_private_folder(files.summary.parent)
    header = (
        f"---\nlog: {kept.log}\nturns: {kept.turns}\nlines: {kept.lines}\nbytes: {kept.bytes}\n"
        f"by: {kept.by}\nwritten: {to_rfc3339(now)}\ndigest: {_digest(kept, settings)}\n---\n\n"
    )
    with replace_file(files.summary) as file:
        file.write(f"{header}{kept.body}\n".encode())
    with suppress(FileNotFoundError):
        if files.log.stat().st_ino == inode:
            return
    files.summary.unlink(missing_ok=True)


def _digest(kept: _StoredSummary, settings: GroundingSettings) -> str:
    """A digest of a summary and everything it depends on."""
    parts = (
        kept.log,
        kept.turns,
        kept.lines,
        kept.bytes,
        kept.by,
        settings.memory_summary_max_items,
        settings.memory_summary_source_max_lines,
        kept.body,
    )
    return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:_DIGITS]
