"""The sentences of a transcript, without the lines that are code, traces or other noise."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from tacit.language.summary.transcript import Source, Turn, turns

_MARKERS = re.compile(r"\s*(?:(?:[-*+•>#]+|\d{1,3}[.)]|\[[ xX]?\])\s+)+")
_ENDS = re.compile(r"[.!?…][\"”')*]{0,2}\s+(?=[\"“'(*]?[^\W_a-zß-öø-ÿ]|[¿¡])|[。！？]")
_ABBREVIATION = re.compile(
    r"(?:^|[\s.(])(?:[^\W\d_]|mr|mrs|ms|dr|st|inc|ltd|co|corp|jr|sr|no|vs|etc|e\.g|i\.e|prof|z\.b"
    r"|bzw)\.$",
    re.IGNORECASE,
)
_FENCE = "```"
_NOISE = re.compile(
    r"\s+at \S+|\s*File \"|\s+\S.*[;{}]$|Traceback |\s*\^+\s*$|\s*\.\.\. |\s*(?:[{}\[\]|+=<]|//)"
    r"|\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d"
)
_HEADING = re.compile(r"[\w ]{1,30}:")
_SIGNS = re.compile(r"[^\w\s]|[\d_]")
_SIGNS_IN_PROSE = 0.4
_SHORT = 20
"""A line of fewer characters may be a figure and nothing else: an answer."""
_TOOL_LINES = 2


class Sentence(NamedTuple):
    """One sentence and where it stands."""

    text: str
    speaker: str
    source: Source
    turn: int
    is_last: bool
    """Whether the turn ends with it."""
    asks: bool


def sentences(transcript: str) -> list[Sentence]:
    """The sentences of a transcript that are words of people, in their order."""
    found: list[Sentence] = []
    for place, turn in enumerate(turns(transcript)):
        pieces = [piece for line in _prose(turn) for piece in _pieces(line)]
        last = len(pieces) - 1
        found += [
            Sentence(piece, turn.speaker, turn.source, place, number == last, _asks(piece))
            for number, piece in enumerate(pieces)
        ]
    return found


def _prose(turn: Turn) -> list[str]:
    """The lines of a turn that can be read; of what a tool returned, only how it ends."""
    lines: list[str] = []
    is_code = False
    for line in turn.lines:
        if line.lstrip().startswith(_FENCE):
            is_code = not is_code
        elif not is_code and _is_prose(line):
            lines.append(_unmarked(line).strip())
    return lines[-_TOOL_LINES:] if turn.source is Source.TOOL else lines


def _unmarked(line: str) -> str:
    marker = _MARKERS.match(line)
    return line[marker.end() :] if marker else line


def _is_prose(line: str) -> bool:
    if not line or _NOISE.match(line) or _HEADING.fullmatch(line):
        return False
    return len(line) < _SHORT or len(_SIGNS.findall(line)) <= _SIGNS_IN_PROSE * len(line)


def _pieces(line: str) -> Iterator[str]:
    start = 0
    for end in _ENDS.finditer(line):
        mark = end.start() + 1
        if line[mark - 1] != "." or not _ABBREVIATION.search(line[max(start, mark - 8) : mark]):
            yield line[start : end.end()].strip()
            start = end.end()
    if piece := line[start:].strip():
        yield piece


def _asks(piece: str) -> bool:
    return piece.rstrip("\"”')* ").endswith(("?", "？"))
