"""Markdown: each bullet, paragraph and row is a memory, its headings in front of it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tacit.writing.archive.readers.cutting import passages_of
from tacit.writing.archive.readers.entry import Entry
from tacit.writing.archive.readers.passage import Passage
from tacit.writing.archive.readers.sheet import Sheet


def read(sheet: Sheet) -> Iterator[Entry]:
    """The entries of a Markdown file."""
    return read_passages(sheet, lambda passage: [passage])


def read_passages(sheet: Sheet, revised: Callable[[Passage], Iterable[Passage]]) -> Iterator[Entry]:
    """The entries of passages that somebody looks over; each knows the front matter."""
    front = sheet.front
    about = {"front_matter": front.said} if front.said else {}
    if front.problem:
        yield Entry.left_out(1, "front matter", front.problem)
    for passage in passages_of(sheet.body, name=sheet.name):
        for each in revised(passage):
            yield sheet.entry(moved(each, front.lines), **about)


def moved(passage: Passage, lines: int) -> Passage:
    """A passage as it stands in a text with so many lines more before it."""
    return replace(passage, number=passage.number + lines)
