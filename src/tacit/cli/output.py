"""What people see: tables and colour on a terminal, plain text in a pipe, JSON on request."""

import codecs
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, BinaryIO, TextIO, cast

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from tacit.cli.visible import escape_json, one_way, visible
from tacit.core.changes import AuditEntry
from tacit.core.kinds import MemoryType, State, Subject
from tacit.core.memory import Memory
from tacit.writing.draft import Status, Written

SHORT = 8
"""How many last characters of an id are shown where people read; they tell ids apart."""

_LONGEST = 200
_PIECE = re.compile(r"[^ ]++ ?| ")
"""A word with the space behind it."""

TYPE_STYLES = {
    MemoryType.IDENTITY: "bold magenta",
    MemoryType.GOAL: "bold green",
    MemoryType.DECISION: "cyan",
    MemoryType.TODO: "yellow",
    MemoryType.PREFERENCE: "blue",
    MemoryType.FACT: "white",
    MemoryType.EVENT: "bright_black",
    MemoryType.OBSERVATION: "bright_black",
    MemoryType.CONSTRAINT: "red",
}

_STATUS_STYLES = {
    Status.CREATED: "green",
    Status.RESTORED: "green",
    Status.UPDATED: "cyan",
    Status.FORGOTTEN: "yellow",
    Status.SUPERSEDED: "yellow",
    Status.KEPT: "green",
    Status.QUEUED: "magenta",
}


class SafeConsole(Console):
    """On a terminal it shows what could steer that, whoever wrote it and wherever it stands."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The pieces of what is printed; the terminal's own commands are none of their text."""
        for segment in super().render(renderable, options):
            if segment.control or not self.is_terminal:
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)


class _TerminalDocument(io.RawIOBase):
    """Takes the bytes of JSON lines and writes them to a terminal with escapes."""

    def __init__(self, terminal: TextIO) -> None:
        self._terminal = terminal
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def writable(self) -> bool:
        """It can be written to."""
        return True

    def write(self, data: Any) -> int:
        """Write some bytes; a character may come in parts."""
        written = bytes(data)
        self._terminal.write(escape_json(self._decoder.decode(written)))
        return len(written)


def console() -> Console:
    """Standard output, asked for anew because tests and pipes replace it."""
    return SafeConsole(highlight=False)


def notices() -> Console:
    """Standard error, where progress and complaints go."""
    return SafeConsole(stderr=True, highlight=False)


def print_json(value: Any) -> None:
    """One JSON document; what steers a terminal is escaped there, and nothing in a pipe."""
    document = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    sys.stdout.write(escape_json(document) if sys.stdout.isatty() else document)


def json_lines() -> BinaryIO:
    """Standard output for lines of JSON: as they are in a pipe, with escapes on a terminal."""
    if sys.stdout.isatty():
        return cast(BinaryIO, _TerminalDocument(sys.stdout))
    return sys.stdout.buffer


def print_block(
    text: str, *, first: str = "", following: str = "     ", style: str = "", error: bool = False
) -> None:
    """A text of somebody else's, whole, on as many lines as it takes.

    Each line begins with words of ours, so that none can pass for a line of ours.
    """
    where = notices() if error else console()
    lines = "\n".join(_folded(one_way(text), first, following, where.width))
    where.print(Text(lines, style=style), soft_wrap=True)


def _folded(text: str, first: str, following: str, width: int) -> Iterator[str]:
    """The lines that a text makes, with nothing left out; a word that is too long is cut."""
    line, room, is_begun = first, width - cell_len(first), False
    longest = max(width - cell_len(following), 1)
    for part in text.split("\n"):
        for piece in _PIECE.findall(part):
            for chunk in _chunks(piece, longest):
                if cell_len(chunk.rstrip()) > room and (is_begun or line != following):
                    yield line
                    line, room = following, longest
                line, room, is_begun = line + chunk, room - cell_len(chunk), True
        yield line
        line, room, is_begun = following, longest, False


def _chunks(piece: str, width: int) -> Iterator[str]:
    """A word in pieces that each fit."""
    if cell_len(piece) <= width:
        yield piece
        return
    chunk, taken = "", 0
    for character in piece:
        size = cell_len(character)
        if chunk and taken + size > width:
            yield chunk
            chunk, taken = "", 0
        chunk, taken = chunk + character, taken + size
    yield chunk


def short(id: str) -> Text:
    """The end of an id, enough to name it."""
    return Text(id[-SHORT:], style="bright_black")


def typed(type: MemoryType) -> Text:
    """A type in its colour."""
    return Text(str(type), style=TYPE_STYLES[type])


def day(moment: datetime | None) -> str:
    """A moment in the reader's zone, to the minute."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M") if moment else ""


def zoned(moment: datetime) -> str:
    """A moment in the reader's zone, which is named."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M %Z")


def table(*headings: str, title: str | None = None) -> Table:
    """A table in the house style; every column folds, so that a long name hides no other."""
    drawn = Table(title=title, box=None, header_style="bold", title_justify="left", pad_edge=False)
    for heading in headings:
        drawn.add_column(heading, overflow="fold")
    return drawn


def print_memories(memories: Sequence[Memory], now: datetime, where: Console | None = None) -> None:
    """A list of memories."""
    drawn = table("id", "type", "content", "owner", "imp.", "changed")
    for memory in memories:
        drawn.add_row(
            short(memory.id),
            typed(memory.type),
            _headline(memory, now),
            owner(memory),
            f"{memory.importance:.2f}",
            day(memory.updated_at),
        )
    (where or console()).print(drawn)


def _headline(memory: Memory, now: datetime) -> Text:
    line = Text()
    if memory.pinned:
        line.append("* ", style="bold yellow")
    if memory.key:
        line.append(f"{visible(memory.key)}: ", style="bold")
    line.append(visible(shortened(memory.content)))
    state = memory.state(now)
    if state is not State.LIVE:
        line.append(f"  ({state})", style="italic bright_black")
    return line


def shortened(content: str) -> str:
    """A content as one line that leaves room for others."""
    line = " ".join(content.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def owner(memory: Memory) -> str:
    """Whose a memory is, in one word."""
    whose = f"{memory.scope}:{memory.scope_id}" if memory.scope_id else str(memory.scope)
    return visible(f"{whose} @{memory.agent}" if memory.agent else whose)


def print_memory(memory: Memory, now: datetime) -> None:
    """One memory with every field that says something."""
    console().print(typed(memory.type), Text(memory.id, style="bright_black"))
    console().print(Text(visible(memory.content)), soft_wrap=True)
    drawn = table("", "")
    for name, value in _details(memory, now):
        drawn.add_row(Text(name, style="bright_black"), Text(visible(value)))
    console().print(drawn)


def _details(memory: Memory, now: datetime) -> Iterable[tuple[str, str]]:
    kept = memory.to_dict()
    for name in ("id", "content", "type", "workspace", "forgotten"):
        del kept[name]
    yield "state", str(memory.state(now))
    for name, value in kept.items():
        if isinstance(getattr(memory, name), datetime):
            yield name, zoned(getattr(memory, name))
        elif value not in (None, "", [], {}, False):
            yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def print_written(results: Sequence[Written], *, as_json: bool) -> None:
    """What became of writes: a line each, or JSON."""
    if as_json:
        documents = [result.to_dict() for result in results]
        print_json(documents[0] if len(documents) == 1 else documents)
        return
    for result in results:
        console().print(_sentence(result), soft_wrap=True)


def _sentence(result: Written) -> Text:
    line = Text()
    line.append(f"{result.status} ", style=_STATUS_STYLES.get(result.status, "bright_black"))
    line.append_text(short(result.id)).append(" ")
    line.append_text(typed(result.memory.type)).append(" ")
    line.append(visible(result.memory.content))
    for id in result.superseded:
        line.append(f"  supersedes {id[-SHORT:]}", style="italic bright_black")
    if result.review is not None:
        line.append(
            f"  waits for a person: {result.review.action} {result.review.memory[-SHORT:]}",
            style="magenta",
        )
    return line


def print_history(entries: Sequence[AuditEntry], where: Console | None = None) -> None:
    """Changes of a memory: when, who, what, and the values before and after."""
    drawn = table("when", "who", "what", "change")
    for entry in entries:
        about = "" if entry.subject is Subject.MEMORY else f" {entry.subject}"
        change = Text(visible(_change(entry)))
        drawn.add_row(day(entry.at), str(entry.by), f"{entry.action}{about}", change)
    (where or console()).print(drawn)


def _change(entry: AuditEntry) -> str:
    """Old and new values of what differs; of something new, its words."""
    old, new = entry.old or {}, entry.new or {}
    if entry.subject is Subject.ASSOCIATION:
        edge = new or old
        was = f" (was {old['weight']:g})" if old and new else ""
        what = f"{edge['relation']} {edge['target'][-SHORT:]}, weight {edge['weight']:g}{was}"
        return "\n".join([what, *_told(new)])
    if not old:
        said = str(new.get("content") or _brief(new)) if new else ""
        return "\n".join([said, *_told(new)])
    lines = [f"{name}: {_brief(old[name])} → {_brief(new.get(name))}" for name in old]
    return "\n".join([*lines, *_told(new)])


def _told(new: Mapping[str, Any]) -> Iterable[str]:
    """Why it was done, if somebody said so."""
    if "reason" in new:
        yield f"reason: {new['reason']}"


def _brief(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
