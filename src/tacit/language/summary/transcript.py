"""A transcript as turns: who speaks, where the words come from, and which lines are words."""

import re
from collections import Counter
from dataclasses import dataclass
from enum import Enum

_PREFIX = re.compile(
    r"(?P<role>User|Assistant|System): ?|\[(?P<tool>Tool Result)\]: ?|\[(?P<call>Tool Call): "
    r"|\[(?P<summary>Compaction Summary)\]: ?"
)
_NAME = re.compile(r"([^\W\d_][\w.'-]{0,30}(?: [^\W\d_][\w.'-]{0,30}){0,2}): (?=\S)")
_CARRIED = re.compile(r"- (?:([^\W\d_][\w.' -]{0,60}): )?")


class Source(Enum):
    """Where the words of a turn come from."""

    SAID = "said"
    TOOL = "tool"
    CARRIED = "carried"


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said without a break, line by line."""

    speaker: str
    source: Source
    lines: tuple[str, ...]


def turns(transcript: str) -> list[Turn]:
    """The turns of a transcript in their order; calls of tools are left out."""
    lines = transcript.splitlines()
    names = _names(lines)
    found: list[tuple[str, Source, list[str]]] = []
    is_call = False
    for line in lines:
        opened = _opened(line, names)
        if opened is None and found and found[-1][1] is Source.CARRIED and not is_call:
            opened = _carried(line)
        if opened is not None:
            is_call = opened[0] == "Tool Call"
            if not is_call:
                found.append((opened[0], opened[1], [opened[2]]))
        elif not is_call:
            if not found:
                found.append(("", Source.SAID, []))
            found[-1][2].append(line)
    return [Turn(speaker, source, tuple(said)) for speaker, source, said in found]


def _names(lines: list[str]) -> frozenset[str]:
    """Speakers by their own names, where nobody is called User: they recur, or fill the page."""
    if any((found := _PREFIX.match(line)) and found["role"] for line in lines):
        return frozenset()
    opened = [found[1] for line in lines if (found := _NAME.match(line)) and found[1][0].isupper()]
    fewest = 1 if 2 * len(opened) > len(lines) else 2
    return frozenset(name for name, count in Counter(opened).items() if count >= fewest)


def _opened(line: str, names: frozenset[str]) -> tuple[str, Source, str] | None:
    """Who begins to speak in a line, and the rest of it."""
    if found := _PREFIX.match(line):
        said = line[found.end() :]
        if found["role"]:
            return found["role"], Source.SAID, said
        if found["summary"]:
            return _carried(said) or ("", Source.CARRIED, said)
        return found["tool"] or found["call"], Source.TOOL, said
    if names and (found := _NAME.match(line)) and found[1] in names:
        return found[1], Source.SAID, line[found.end() :]
    return None


def _carried(line: str) -> tuple[str, Source, str] | None:
    """A line of an older summary of ours."""
    found = _CARRIED.match(line)
    return (found[1] or "", Source.CARRIED, line[found.end() :]) if found else None
