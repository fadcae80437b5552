"""Split a transcript into turns and sentences, without code, traces and other noise."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

# Turns.


_PREFIX = re.compile(
    r"(?P<role>User|Assistant|System): ?|\[(?P<tool>Tool Result)\]: ?|\[(?P<call>Tool Call): "
    r"|\[(?P<summary>Compaction Summary)\]: ?"
)
_NAME = re.compile(r"([^\W\d_][\w.'-]{0,30}(?: [^\W\d_][\w.'-]{0,30}){0,2}): (?=\S)")
_CARRIED = re.compile(r"- (?:([^\W\d_][\w.' -]{0,60}): )?")


class SentenceSource(Enum):
    """Where the words of a turn come from."""

    SAID = "said"
    TOOL = "tool"
    CARRIED = "carried"


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """What one speaker said without a break, line by line."""

    speaker: str
    source: SentenceSource
    lines: tuple[str, ...]


def split_turns(transcript: str) -> list[TranscriptTurn]:
    """Split a transcript into turns, in order, without tool calls."""
    lines = transcript.splitlines()
    names = _speaker_names(lines)
    found: list[tuple[str, SentenceSource, list[str]]] = []
    is_call = False
    for line in lines:
        opened = _parse_opening(line, names)
        if opened is None and found and found[-1][1] is SentenceSource.CARRIED and not is_call:
            opened = _parse_carried_line(line)
        if opened is not None:
            is_call = opened[0] == "Tool Call"
            if not is_call:
                found.append((opened[0], opened[1], [opened[2]]))
        elif not is_call:
            if not found:
                found.append(("", SentenceSource.SAID, []))
            found[-1][2].append(line)
    return [TranscriptTurn(speaker, source, tuple(said)) for speaker, source, said in found]


def _speaker_names(lines: list[str]) -> frozenset[str]:
    """The names of speakers, where nobody is called User: names that recur or fill the page."""
    if any((found := _PREFIX.match(line)) and found["role"] for line in lines):
        return frozenset()
    opened = [found[1] for line in lines if (found := _NAME.match(line)) and found[1][0].isupper()]
    fewest = 1 if 2 * len(opened) > len(lines) else 2
    return frozenset(name for name, count in Counter(opened).items() if count >= fewest)


def _parse_opening(line: str, names: frozenset[str]) -> tuple[str, SentenceSource, str] | None:
    """Return who begins to speak in a line, and the rest of the line."""
    if found := _PREFIX.match(line):
        said = line[found.end() :]
        if found["role"]:
            return found["role"], SentenceSource.SAID, said
        if found["summary"]:
            return _parse_carried_line(said) or ("", SentenceSource.CARRIED, said)
        return found["tool"] or found["call"], SentenceSource.TOOL, said
    if names and (found := _NAME.match(line)) and found[1] in names:
        return found[1], SentenceSource.SAID, line[found.end() :]
    return None


def _parse_carried_line(line: str) -> tuple[str, SentenceSource, str] | None:
    """Parse a line of an older summary."""
    found = _CARRIED.match(line)
    return (found[1] or "", SentenceSource.CARRIED, line[found.end() :]) if found else None


# Sentences.


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
"""A shorter line may be just a figure, as an answer."""
_TOOL_LINES = 2


class TranscriptSentence(NamedTuple):
    """One sentence and its place in the transcript."""

    text: str
    speaker: str
    source: SentenceSource
    turn: int
    is_last: bool
    """Whether the turn ends with it."""
    is_question: bool


def split_sentences(transcript: str) -> list[TranscriptSentence]:
    """Split a transcript into the sentences that people said, in order."""
    found: list[TranscriptSentence] = []
    for place, turn in enumerate(split_turns(transcript)):
        pieces = [piece for line in _prose_lines(turn) for piece in _split_line(line)]
        last = len(pieces) - 1
        found += [
            TranscriptSentence(
                piece, turn.speaker, turn.source, place, number == last, _is_question(piece)
            )
            for number, piece in enumerate(pieces)
        ]
    return found


def _prose_lines(turn: TranscriptTurn) -> list[str]:
    """Return the readable lines of a turn; of a tool result, only the last ones."""
    lines: list[str] = []
    is_code = False
    for line in turn.lines:
        if line.lstrip().startswith(_FENCE):
            is_code = not is_code
        elif not is_code and _is_prose(line):
            lines.append(_strip_marker(line).strip())
    return lines[-_TOOL_LINES:] if turn.source is SentenceSource.TOOL else lines


def _strip_marker(line: str) -> str:
    marker = _MARKERS.match(line)
    return line[marker.end() :] if marker else line


def _is_prose(line: str) -> bool:
    if not line or _NOISE.match(line) or _HEADING.fullmatch(line):
        return False
    return len(line) < _SHORT or len(_SIGNS.findall(line)) <= _SIGNS_IN_PROSE * len(line)


def _split_line(line: str) -> Iterator[str]:
    start = 0
    for end in _ENDS.finditer(line):
        mark = end.start() + 1
        if line[mark - 1] != "." or not _ABBREVIATION.search(line[max(start, mark - 8) : mark]):
            yield line[start : end.end()].strip()
            start = end.end()
    if piece := line[start:].strip():
        yield piece


def _is_question(piece: str) -> bool:
    return piece.rstrip("\"”')* ").endswith(("?", "？"))
