"""Output of commands: tables and colour on a terminal, plain text in a pipe, JSON on request."""

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

from tacit.cli.terminal_text import escape_json, escape_unseen, spell_out
from tacit.core.changes import AuditEntry
from tacit.core.kinds import Action, MemoryType, State, Subject
from tacit.core.memory import Memory
from tacit.writing.draft import Status, Written

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def format_count(number: int, noun: str) -> str:
    """A count with its noun, in singular or plural."""
    plural = noun.removesuffix("y") + "ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def draw_bar(share: float, cells: int) -> str:
    """A share from 0 to 1 as a bar of so many cells, in eighths of a cell."""
    eighths = round(max(0.0, min(share, 1.0)) * cells * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


SHORT_ID = 8
"""How many last characters of an id are shown to people."""

_LONGEST_LINE = 200
_WORD_AND_SPACE = re.compile(r"[^ ]++ ?| ")
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
    """Escapes control characters in everything printed to a terminal."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The pieces of what is printed; the terminal's own commands are none of their text."""
        for segment in super().render(renderable, options):
            if segment.control or not self.is_terminal:
                yield segment
            else:
                yield Segment(escape_unseen(segment.text), segment.style)


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
    lines = "\n".join(_wrap(spell_out(text), first, following, where.width))
    where.print(Text(lines, style=style), soft_wrap=True)


def _wrap(text: str, first: str, following: str, width: int) -> Iterator[str]:
    """The lines that a text makes, with nothing left out; a word that is too long is cut."""
    line, room, is_begun = first, width - cell_len(first), False
    longest = max(width - cell_len(following), 1)
    for part in text.split("\n"):
        for piece in _WORD_AND_SPACE.findall(part):
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


def format_id(id: str) -> Text:
    """The end of an id, enough to name it."""
    return Text(id[-SHORT_ID:], style="bright_black")


def format_type(type: MemoryType) -> Text:
    """A type in its colour."""
    return Text(str(type), style=TYPE_STYLES[type])


def format_time(moment: datetime | None) -> str:
    """A moment in the reader's zone, to the minute."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M") if moment else ""


def format_zoned_time(moment: datetime) -> str:
    """A moment in the reader's zone, which is named."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M %Z")


def make_table(*headings: str, title: str | None = None, show_header: bool = True) -> Table:
    """A table in the house style; every column folds, so that a long name hides no other."""
    drawn = Table(
        title=title,
        box=None,
        header_style="bold",
        title_justify="left",
        pad_edge=False,
        show_header=show_header,
    )
    for heading in headings:
        drawn.add_column(heading, overflow="fold")
    return drawn


def print_memories(memories: Sequence[Memory], now: datetime, where: Console | None = None) -> None:
    """A list of memories."""
    drawn = make_table("id", "type", "content", "owner", "imp.", "changed")
    for memory in memories:
        drawn.add_row(
            format_id(memory.id),
            format_type(memory.type),
            _headline(memory, now),
            format_owner(memory),
            f"{memory.importance:.2f}",
            format_time(memory.updated_at),
        )
    (where or console()).print(drawn)


def _headline(memory: Memory, now: datetime) -> Text:
    line = Text()
    if memory.pinned:
        line.append("* ", style="bold yellow")
    if memory.key:
        line.append(f"{escape_unseen(memory.key)}: ", style="bold")
    line.append(escape_unseen(shorten(memory.content)))
    state = memory.state(now)
    if state is not State.LIVE:
        line.append(f"  ({state})", style="italic bright_black")
    return line


def shorten(content: str) -> str:
    """A content as one line that leaves room for others."""
    line = " ".join(content.split())
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"


def format_owner(memory: Memory) -> str:
    """Whose a memory is, in one word."""
    whose = f"{memory.scope}:{memory.scope_id}" if memory.scope_id else str(memory.scope)
    return escape_unseen(f"{whose} @{memory.agent}" if memory.agent else whose)


def print_memory(memory: Memory, now: datetime) -> None:
    """One memory with every field that says something."""
    console().print(format_type(memory.type), Text(memory.id, style="bright_black"))
    console().print(Text(escape_unseen(memory.content)), soft_wrap=True)
    drawn = make_table("", "")
    for name, value in _details(memory, now):
        drawn.add_row(Text(name, style="bright_black"), Text(escape_unseen(value)))
    console().print(drawn)


def _details(memory: Memory, now: datetime) -> Iterable[tuple[str, str]]:
    kept = memory.to_dict()
    for name in ("id", "content", "type", "workspace", "forgotten"):
        del kept[name]
    yield "state", str(memory.state(now))
    for name, value in kept.items():
        if isinstance(getattr(memory, name), datetime):
            yield name, format_zoned_time(getattr(memory, name))
        elif value not in (None, "", [], {}, False):
            yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def print_written(results: Sequence[Written], *, as_json: bool) -> None:
    """What became of writes: a line each, or JSON."""
    if as_json:
        documents = [result.to_dict() for result in results]
        print_json(documents[0] if len(documents) == 1 else documents)
        return
    for result in results:
        console().print(_describe_write(result), soft_wrap=True)


def _describe_write(result: Written) -> Text:
    line = Text()
    line.append(f"{result.status} ", style=_STATUS_STYLES.get(result.status, "bright_black"))
    line.append_text(format_id(result.id)).append(" ")
    line.append_text(format_type(result.memory.type)).append(" ")
    line.append(escape_unseen(result.memory.content))
    for id in result.superseded:
        line.append(f"  supersedes {id[-SHORT_ID:]}", style="italic bright_black")
    if result.review is not None:
        line.append(
            f"  waits for a person: {result.review.action} {result.review.memory[-SHORT_ID:]}",
            style="magenta",
        )
    return line


def print_history(
    entries: Sequence[AuditEntry],
    where: Console | None = None,
    successors: Mapping[str, str] | None = None,
) -> None:
    """Changes of a memory: when, who, what, and the values before and after.

    `successors` are the words of what replaced it, by id.
    """
    drawn = make_table("when", "who", "what", "change")
    for entry in entries:
        about = "" if entry.subject is Subject.MEMORY else f" {entry.subject}"
        change = Text(escape_unseen(_describe_change(entry, successors or {})))
        drawn.add_row(format_time(entry.at), str(entry.by), f"{entry.action}{about}", change)
    (where or console()).print(drawn)


def _describe_change(entry: AuditEntry, successors: Mapping[str, str]) -> str:
    """Old and new values of what differs; of something new, its words."""
    old, new = entry.old or {}, entry.new or {}
    if entry.subject is Subject.ASSOCIATION:
        edge = new or old
        was = f" (was {old['weight']:g})" if old and new else ""
        what = f"{edge['relation']} {edge['target'][-SHORT_ID:]}, weight {edge['weight']:g}{was}"
        return "\n".join([what, *_describe_new(new)])
    if not old:
        said = str(new.get("content") or _to_short_text(new)) if new else ""
        return "\n".join([said, *_describe_new(new)])
    if entry.action is Action.SUPERSEDE and new.get("superseded_by"):
        by = _describe_successor(new["superseded_by"], successors)
        return "\n".join([by, *_describe_new(new)])
    lines = [
        f"{name}: {_to_short_text(old[name])} → {_to_short_text(new.get(name))}" for name in old
    ]
    return "\n".join([*lines, *_describe_new(new)])


def _describe_successor(id: str, successors: Mapping[str, str]) -> str:
    """What replaced a memory, in its words as far as it is still there."""
    words = successors.get(id)
    return f"by {id[-SHORT_ID:]}" + ("" if words is None else f": {words}")


def _describe_new(new: Mapping[str, Any]) -> Iterable[str]:
    """Why it was done, if somebody said so."""
    if "reason" in new:
        yield f"reason: {new['reason']}"


def _to_short_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
