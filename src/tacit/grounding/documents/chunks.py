"""Chunks: a document cut at its headings into pieces that can be searched and shown."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from tacit.grounding.documents.blocks import (
    TextBlock,
    is_restructured,
    split_markdown,
    split_plain,
    split_restructured,
)
from tacit.language.prompt_templates import DOCUMENT_SUFFIXES

MOST_TOKENS = 250
"""A model of sentences tells passages of this length apart best; 160 and 400 find less."""

LARGEST_TOKENS = 900
"""So long a table, a code fence or an item of a list is not cut."""

_BYTES_PER_TOKEN = 4
OVERLAP = 0.15
_SMALL_TOKENS = 0.3
"""A section with less than this share of a chunk is joined with the next."""

LONGEST_HEADING = 200
"""So many characters of a heading stand above each chunk; all of it is in its own chunk."""

MOST_HEADINGS = 8

Splitter = Callable[[Sequence[str]], list[TextBlock]]
_MARKDOWN = (".md", ".markdown")
_RESTRUCTURED = ".rst"

SUFFIXES = DOCUMENT_SUFFIXES


@dataclass(frozen=True, slots=True)
class DocumentChunk:
    """A piece of a document: the headings above it, its text, and its lines, from 1 on.

    A bare chunk has only headings: it helps the search, and is not worth showing.
    """

    headings: tuple[str, ...]
    text: str
    first_line: int
    last_line: int
    is_bare: bool = False


class _MeasuredLines:
    """The lines of a document, measured once."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        sizes = (len(line.encode(errors="surrogatepass")) + 1 for line in lines)
        self._bytes = list(accumulate(sizes, initial=0))
        self._words = list(accumulate((len(line.split()) for line in lines), initial=0))

    def tokens(self, first: int, last: int) -> int:
        """The size of some lines: a token is four bytes and at most a word, whatever the script.

        Chunks need no exact count, and keep their borders while the estimate of tokens changes.
        """
        size = self._bytes[last] - self._bytes[first]
        return max(-(-size // _BYTES_PER_TOKEN), self._words[last] - self._words[first])

    def of(self, blocks: Sequence[TextBlock]) -> int:
        """The size of adjacent blocks."""
        return self.tokens(blocks[0].first, blocks[-1].last) if blocks else 0


@dataclass(frozen=True, slots=True)
class _Section:
    headings: tuple[str, ...]
    blocks: tuple[TextBlock, ...]
    tokens: int


def choose_splitter(name: str, lines: Sequence[str]) -> Splitter:
    """The splitter of a file, by its name and, for plain text, by its look."""
    ending = name.lower()
    if ending.endswith(_MARKDOWN):
        return split_markdown
    if ending.endswith(_RESTRUCTURED) or is_restructured(lines):
        return split_restructured
    return split_plain


def split_lines(text: str) -> list[str]:
    """The lines of a text, as editors count them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def chunk_document(name: str, text: str, most: int = MOST_TOKENS) -> list[DocumentChunk]:
    """Split a document into chunks, which together hold every line with text."""
    lines = split_lines(text)
    sheet = _MeasuredLines(lines)
    sections = _split_sections(choose_splitter(name, lines)(lines), sheet)
    found = (
        _build_chunk(section.headings, run, lines)
        for section in _join_small(sections, most)
        for run in _split_runs(section, sheet, most)
    )
    return [chunk for chunk in found if chunk]


def _build_chunk(
    headings: tuple[str, ...], run: Sequence[TextBlock], lines: Sequence[str]
) -> DocumentChunk | None:
    first, last = run[0].first, run[-1].last
    while first < last and not lines[first].strip():
        first += 1
    while first < last and not lines[last - 1].strip():
        last -= 1
    if first == last:
        return None
    is_bare = all(block.level for block in run)
    return DocumentChunk(headings, "\n".join(lines[first:last]), first + 1, last, is_bare)


def _split_sections(blocks: Sequence[TextBlock], sheet: _MeasuredLines) -> Iterator[_Section]:
    """Split at headings."""
    above: list[tuple[int, str]] = []
    held: list[TextBlock] = []
    for block in blocks:
        if block.level:
            if held:
                yield _build_section(above, held, sheet)
            above = [each for each in above if each[0] < block.level]
            above.append((block.level, block.title))
            held = []
        held.append(block)
    if held:
        yield _build_section(above, held, sheet)


def _build_section(
    above: Sequence[tuple[int, str]], blocks: Sequence[TextBlock], sheet: _MeasuredLines
) -> _Section:
    titles = [title[:LONGEST_HEADING].rstrip() for _, title in above if title]
    headings = tuple(titles[-MOST_HEADINGS:])
    return _Section(headings, tuple(blocks), sheet.of(blocks))


def _join_small(sections: Iterator[_Section], most: int) -> Iterator[_Section]:
    """Join small sections with the next one below or beside them."""
    held: _Section | None = None
    for section in sections:
        if held is None:
            held = section
        elif _is_joinable(held, section, most):
            headings = held.headings or section.headings
            tokens = held.tokens + section.tokens
            held = _Section(headings, (*held.blocks, *section.blocks), tokens)
        else:
            yield held
            held = section
    if held is not None:
        yield held


def _is_joinable(held: _Section, section: _Section, most: int) -> bool:
    is_small = min(held.tokens, section.tokens) < most * _SMALL_TOKENS
    parent = held.headings[:-1]
    is_near = section.headings[: len(parent)] == parent
    return is_small and is_near and held.tokens + section.tokens <= most


def _split_runs(section: _Section, sheet: _MeasuredLines, most: int) -> Iterator[list[TextBlock]]:
    """Group blocks into runs that fit; each begins with the end of the one before."""
    run: list[TextBlock] = []
    for block in _split_long_blocks(section.blocks, sheet, most):
        if run and sheet.of([*run, block]) > most:
            yield run
            room = most - sheet.of([block])
            run = _overlap_of(run, sheet, min(int(most * OVERLAP), room))
        run.append(block)
    if run:
        yield run


def _overlap_of(run: Sequence[TextBlock], sheet: _MeasuredLines, most: int) -> list[TextBlock]:
    """The last blocks of a run that fit the overlap, but never all of it."""
    kept: list[TextBlock] = []
    for block in reversed(run[1:]):
        if sheet.of([block, *kept]) > most:
            break
        kept.insert(0, block)
    return kept


def _split_long_blocks(
    blocks: Sequence[TextBlock], sheet: _MeasuredLines, most: int
) -> Iterator[TextBlock]:
    """Cut blocks that are too long where their lines allow it best."""
    for block in blocks:
        rest, room = block, max(most, LARGEST_TOKENS) if block.is_whole else most
        while sheet.of([rest]) > room and rest.last - rest.first > 1:
            cut = _find_cut(rest, sheet, most)
            yield TextBlock(rest.first, cut)
            rest = TextBlock(cut, rest.last)
        yield rest


def _find_cut(block: TextBlock, sheet: _MeasuredLines, most: int) -> int:
    """Where to cut: before the least indented line after a blank one."""
    lines, end = sheet.lines, block.first + 1
    while end < block.last - 1 and sheet.tokens(block.first, end + 1) <= most:
        end += 1
    later = range(block.first + (end - block.first) // 2, end)
    blank = [place for place in later if place > block.first and not lines[place - 1].strip()]
    flush = [place for place in blank if lines[place].strip()]
    return min(reversed(flush), key=lambda place: _indent(lines[place]), default=end)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
