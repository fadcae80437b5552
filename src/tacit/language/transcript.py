"""The transcript format: write a history as plain text, and split it into turns and sentences.

Transcripts are read by summaries and by learning. Splitting drops code, traces and other noise.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby
from typing import NamedTuple

from tacit.core.messages import (
    ToolCall,
    call_of_part,
    calls_beside_content,
    content_of,
    is_tool_answer,
    is_tool_result,
    media_placeholder,
    role_of,
    text_of,
    text_of_part,
    to_compact_text,
)
from tacit.language.code_fences import CodeFence, LineKind, classify_lines
from tacit.language.compaction import is_summary
from tacit.language.injection_blocks import remove_quoted_blocks
from tacit.language.neutralization import neutralize_lines, neutralize_once
from tacit.language.prompt_templates import (
    ASSISTANT,
    SUMMARY_PREFIX,
    SYSTEM,
    TOOL_CALL,
    TOOL_RESULT,
    USER,
)
from tacit.language.sentences import is_question, split_sentences

# Writing.


_SPEAKERS = {"user": f"{USER}: ", "assistant": f"{ASSISTANT}: "}
_SYSTEM = f"{SYSTEM}: "


def write_transcript(messages: Sequence[object], known: Mapping[str, str]) -> str:
    """Write who said what, one line or more for each message, without any blocks.

    `known` maps ids to the exact text of each block. A line inside a text that looks like the
    beginning of another message gets a backslash (`neutralization`).
    """
    return "\n".join(line for message in messages for line in _message_lines(message, known))


def _message_lines(message: object, known: Mapping[str, str]) -> Iterator[str]:
    if is_summary(message):
        words = remove_quoted_blocks(text_of(message), known).removeprefix(SUMMARY_PREFIX)
        yield SUMMARY_PREFIX + neutralize_once(words, begins_line=False)
    elif is_tool_answer(message):
        yield _result_line(content_of(message), known)
    else:
        yield from _speech_lines(message, known)
        yield from (_call_line(call, known) for call in calls_beside_content(message))


def _speech_lines(message: object, known: Mapping[str, str]) -> Iterator[str]:
    prefix = _SPEAKERS.get(role_of(message), _SYSTEM)
    for by_tools, parts in groupby(_parts(content_of(message)), _is_tool_part):
        if by_tools:
            yield from (_tool_line(part, known) for part in parts)
        elif words := _own_words(_join_texts(parts), known):
            yield prefix + words


def _parts(content: object) -> Sequence[object]:
    return content if isinstance(content, list | tuple) else (to_compact_text(content),)


def _is_tool_part(part: object) -> bool:
    return is_tool_result(part) or call_of_part(part) is not None


def _tool_line(part: object, known: Mapping[str, str]) -> str:
    call = call_of_part(part)
    return _result_line(content_of(part), known) if call is None else _call_line(call, known)


def _result_line(content: object, known: Mapping[str, str]) -> str:
    return TOOL_RESULT + _own_words(_join_texts(_parts(content)), known)


def _call_line(call: ToolCall, known: Mapping[str, str]) -> str:
    name, arguments = (
        _own_words(call.name, known),
        _own_words(to_compact_text(call.arguments), known),
    )
    end = "\n" if CodeFence.of(arguments.rpartition("\n")[2]) else ""
    return f"{TOOL_CALL}{name}({arguments}{end})]"


def _join_texts(parts: Iterable[object]) -> str:
    texts = (
        media_placeholder(part) if text_of_part(part) is None else text_of_part(part)
        for part in parts
    )
    return "\n".join(text for text in texts if text)


def _own_words(text: str, known: Mapping[str, str]) -> str:
    """Remove blocks from a text, and neutralise it so that it cannot pass for another message."""
    return neutralize_lines(remove_quoted_blocks(text, known).strip(), begins_line=False)


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


def split_transcript(transcript: str) -> list[TranscriptSentence]:
    """Split a transcript into the sentences that people said, in order."""
    found: list[TranscriptSentence] = []
    for place, turn in enumerate(split_turns(transcript)):
        pieces = [piece for line in _prose_lines(turn) for piece in split_sentences(line)]
        last = len(pieces) - 1
        found += [
            TranscriptSentence(
                piece, turn.speaker, turn.source, place, number == last, is_question(piece)
            )
            for number, piece in enumerate(pieces)
        ]
    return found


def _prose_lines(turn: TranscriptTurn) -> list[str]:
    """Return the readable lines of a turn; of a tool result, only the last ones."""
    lines = [
        _strip_marker(line).strip()
        for line, kind in zip(turn.lines, classify_lines(turn.lines), strict=True)
        if kind is LineKind.TEXT and _is_prose(line)
    ]
    return lines[-_TOOL_LINES:] if turn.source is SentenceSource.TOOL else lines


def _strip_marker(line: str) -> str:
    marker = _MARKERS.match(line)
    return line[marker.end() :] if marker else line


def _is_prose(line: str) -> bool:
    if not line or _NOISE.match(line) or _HEADING.fullmatch(line):
        return False
    return len(line) < _SHORT or len(_SIGNS.findall(line)) <= _SIGNS_IN_PROSE * len(line)
