"""What was said in a conversation, apart from what its tools did."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tacit.grounding.entry import Entry, Kind
from tacit.language.prompt_templates import ASSISTANT, USER

_OF_TOOLS = re.compile(r"\[Tool (?:Result\]|Call): ?")
SPEAKERS = {Kind.INBOUND: USER, Kind.OUTBOUND: ASSISTANT}


@dataclass(frozen=True, slots=True)
class Spoken:
    """The lines of a message that say something."""

    entry: Entry
    lines: tuple[str, ...]


def spoken(entries: Iterable[Entry]) -> Iterator[Spoken]:
    """The messages of both sides without tools, what is noted of tools, and empty lines."""
    for entry in entries:
        lines = _lines(entry) if entry.kind in SPEAKERS else ()
        if lines:
            yield Spoken(entry, lines)


def _lines(entry: Entry) -> tuple[str, ...]:
    lines = (line.rstrip() for line in entry.text.split("\n"))
    own = entry.kind is Kind.INBOUND
    return tuple(line for line in lines if line and (own or not _OF_TOOLS.match(line)))
