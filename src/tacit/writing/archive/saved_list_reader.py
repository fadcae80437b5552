"""Reads a list of saved memories, as people copy it from a chat: one per paragraph or bullet."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from textwrap import dedent

from tacit.language.code_fences import LineKind, classify_lines
from tacit.language.redaction.redact import redact_lines
from tacit.language.sentences import ends_sentence
from tacit.writing.archive.markdown_reader import marker_width, unwrap_lines
from tacit.writing.archive.source_file import Passage, SourceEntry, SourceFile

# The date in brackets before a saved memory


_SLOT = re.compile(r"\[(?P<saved>[^\]]{1,60})\](?P<dash>\s*[-–—]\s|[.:]?\s)\s*(?P<words>\S.*)")
_DATE_FORMATS = ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%Y/%m/%d")
_LONGEST_DATE = 40


def split_slot(line: str) -> tuple[str, str]:
    """Split a line into the date in brackets and the words after it."""
    words = line[marker_width(line) :].strip()
    found = _SLOT.fullmatch(words)
    if found is None or not found["saved"].strip():
        return "", words
    has_dash = bool(found["dash"].strip(" .:"))
    is_slot = has_dash or parse_moment(found["saved"]) is not None
    return (found["saved"].strip(), found["words"]) if is_slot else ("", words)


def parse_moment(words: str) -> datetime | None:
    """Parse a date or time, in English or ISO 8601; None if it is neither."""
    told = words.strip()
    if len(told) > _LONGEST_DATE or not any(map(str.isdigit, told)):
        return None
    try:
        return datetime.fromisoformat(told)
    except ValueError:
        pass
    for written in _DATE_FORMATS:
        try:
            return datetime.strptime(told, written)
        except ValueError:
            continue
    return None


# The list


_HEADING = re.compile(r"#{1,6}\s+(?P<title>\S.{0,199})")
_OUTSIDE = "stands outside the block of memories; move it there to import it"
_BARE = "is a heading with nothing below it; write a sentence there"


@dataclass(slots=True)
class _SavedMemory:
    """A memory of the list, or a heading, while its lines are read."""

    number: int
    lines: list[str]
    heading: "_SavedMemory | None" = None
    saved: str = ""
    is_heading: bool = False
    is_open: bool = True


@dataclass(slots=True)
class _ListParser:
    """The state of reading a list."""

    by_line: bool
    found: list[_SavedMemory] = field(default_factory=list)
    heading: _SavedMemory | None = None
    early: str = ""

    def take(self, number: int, line: str) -> None:
        """Read one line."""
        words, last = line.strip(), self.found[-1] if self.found else None
        if not words:
            self._end(last)
        elif title := _HEADING.fullmatch(words):
            self._end(last)
            self.heading = _SavedMemory(number, [title["title"]], is_heading=True, is_open=False)
            self.found.append(self.heading)
        elif parse_moment(words) is not None:
            self._date(words, last)
        elif last is not None and last.is_open and self._goes_on(last, line):
            last.lines.append(line)
        else:
            saved, rest = split_slot(line)
            self.found.append(_SavedMemory(number, [rest], self.heading, saved or self.early))

    def _end(self, last: _SavedMemory | None) -> None:
        if last is not None:
            last.is_open = False

    def _date(self, words: str, last: _SavedMemory | None) -> None:
        """A date on a line is about the memory above it; at the top, about those below."""
        if self.early or last is None or last.is_heading:
            self.early = words
        else:
            last.saved = f"{last.saved} {words}".strip()
        self._end(last)

    def _goes_on(self, last: _SavedMemory, line: str) -> bool:
        """Whether a line is a part of the memory above it."""
        if line[:1].isspace():
            return True
        if marker_width(line) or split_slot(line)[0]:
            return False
        return not self.by_line and not ends_sentence(last.lines[-1])


def read_saved_list(sheet: SourceFile) -> Iterator[SourceEntry]:
    """Read the entries of a list; if it is in a code block, the text around it is left out."""
    lines = redact_lines(dedent("\n".join(sheet.lines)).split("\n"))
    kinds = list(classify_lines(lines))
    fenced = {place for place, kind in enumerate(kinds) if kind is LineKind.CODE}
    is_boxed = any(split_slot(lines[place])[0] for place in fenced)
    outside = set(range(len(lines))) - fenced if is_boxed else set()
    kept = ["" if place in outside else line for place, line in enumerate(lines)]
    reading = _ListParser(by_line=_is_one_block(kept))
    for place, line in enumerate(kept):
        if place in outside or kinds[place] is not LineKind.FENCE:
            reading.take(place + 1, line)
    yield from _entries(reading.found, sheet)
    for place in sorted(outside):
        if lines[place].strip() and kinds[place] is not LineKind.FENCE:
            yield SourceEntry.left_out(place + 1, "text", _OUTSIDE)


def is_saved_list(lines: Sequence[str]) -> bool:
    """Whether most lines of a text are memories with a date in brackets."""
    said = [line for line in _blank_fences(lines) if line.strip()]
    return 2 * sum(bool(split_slot(line)[0]) for line in said) > len(said)


def _entries(found: Sequence[_SavedMemory], sheet: SourceFile) -> Iterator[SourceEntry]:
    told = {id(each.heading) for each in found}
    for each in found:
        if not each.is_heading:
            yield _entry(each, sheet)
        elif id(each) not in told:
            yield SourceEntry.left_out(each.number, "text", _BARE)


def _entry(saved: _SavedMemory, sheet: SourceFile) -> SourceEntry:
    above = (saved.heading.lines[0].rstrip(":"),) if saved.heading else ()
    about = {"saved": saved.saved} if saved.saved else {}
    entry = sheet.entry(Passage(saved.number, above, unwrap_lines(saved.lines)), **about)
    moment = parse_moment(saved.saved)
    if entry.values is None or moment is None:
        return entry
    return SourceEntry(entry.number, {**entry.values, "origin": sheet.origin(time=moment)})


def _blank_fences(lines: Sequence[str]) -> list[str]:
    """The lines, with an empty one for each fence."""
    kinds = classify_lines(lines)
    return ["" if kind is LineKind.FENCE else line for line, kind in zip(lines, kinds, strict=True)]


def _is_one_block(lines: Sequence[str]) -> bool:
    """Whether no blank line separates the memories, so that each line must be one."""
    words = [line.strip() for line in _blank_fences(lines)]
    said = ["" if _HEADING.fullmatch(line) else line for line in words]
    starts = [place for place, line in enumerate(said) if line and not (place and said[place - 1])]
    return len(starts) <= 1
