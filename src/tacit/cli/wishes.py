"""Wishes as people see them: what is said now beside what would be said instead."""

import json
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.cli.output import SHORT, console, day, short, shortened, table
from tacit.cli.visible import visible
from tacit.core.changes import Review, ReviewReport
from tacit.core.kinds import Action, Subject
from tacit.core.memory import Memory

_Row = tuple[str, Any, Any]
"""The name of a field, its value now, and the one that is wished."""

_ABSENT = "(not there)"
_PAST = "(past)"
_NONE = "(none)"
_HIDDEN = "(forgotten)"
_EMPTY: tuple[Any, ...] = (None, "", [], {}, False, 0)
_UNSAID = frozenset({"id", "workspace", "trust", "confidence", "created_at", "updated_at"})
"""What is not shown of a new memory, since accepting it says so anew."""

_WEIGHED = ("source", "confidence", "trust")
"""What speaks for one of two memories, besides what they say."""


def what(review: Review) -> str:
    """What is asked for, as a history names it."""
    about = "" if review.subject is Subject.MEMORY else f" {review.subject}"
    return f"{review.action}{about}"


def of_what(review: Review) -> str:
    """The memory that it is asked of; one that is new has no id yet."""
    return "(new)" if review.is_proposal else review.memory[-SHORT:]


def drawn(reports: Sequence[ReviewReport]) -> Table:
    """Wishes in a table, a row each."""
    rows = table("id", "what", "memory", "change", "who", "when")
    for each in reports:
        rows.add_row(
            short(each.review.id),
            what(each.review),
            of_what(each.review),
            Text(visible(_change(each))),
            str(each.review.by),
            day(each.review.created_at),
        )
    return rows


def print_report(report: ReviewReport, where: Console | None = None) -> None:
    """One wish, with every field that it is about, whole."""
    out = where or console()
    review = report.review
    asked = f" {of_what(review)}, asked by the {review.by} on {day(review.created_at)}"
    line = Text(what(review), style="bold").append(asked, style="not bold")
    out.print(line.append(f"  {review.id}", style="not bold bright_black"), soft_wrap=True)
    rows = table("", "now", "wished")
    for name, now, wished in _rows(report):
        cells = (Text(visible(_told(value))) for value in (now, wished))
        rows.add_row(Text(name, style="bright_black"), *cells)
    out.print(rows)


def _change(report: ReviewReport) -> str:
    """What would change: of an update every field, else what is said."""
    rows = _rows(report)
    if report.review.action is not Action.UPDATE:
        rows = [row for row in rows if row[0] == "content"]
    arrow = " → " if report.review.subject is Subject.MEMORY else " "
    return "\n".join(_line(*row, arrow) for row in rows)


def _line(name: str, now: Any, wished: Any, arrow: str) -> str:
    named = "" if name == "content" else f"{name}: "
    sides = [shortened(_told(value)) for value in (now, wished)]
    return named + arrow.join(side for side in sides if side)


def _rows(report: ReviewReport) -> list[_Row]:
    """The fields that matter, as they are and as they would be."""
    review, memory = report.review, report.memory
    if review.is_proposal:
        said = [row for row in review.change.items() if row[0] not in _UNSAID]
        return [(name, None, value) for name, value in said if value not in _EMPTY]
    if review.action is Action.UPDATE:
        present = dict.fromkeys(review.fields, _ABSENT) if memory is None else memory.to_dict()
        pairs = {name: (present.get(name), value) for name, value in review.fields.items()}
        return [(name, _filled(now), _filled(value)) for name, (now, value) in pairs.items()]
    if review.action is Action.FORGET:
        return [("content", _content(memory), _HIDDEN)]
    if review.action is Action.RESTORE:
        was = _HIDDEN if memory is None or memory.forgotten else _PAST
        return [("content", was, _content(memory))]
    return _sides(report)


def _sides(report: ReviewReport) -> list[_Row]:
    """Two memories, one of which would replace the other or be right beside it."""
    memory, other = report.memory, report.other
    relation = report.review.change.get("relation")
    wished = _content(other)
    rows: list[_Row] = [
        ("content", _content(memory), f"{relation} {wished}" if relation else wished)
    ]
    if memory is None or other is None:
        return rows
    sides = memory.to_dict(), other.to_dict()
    return [*rows, *((name, *(side[name] for side in sides)) for name in _WEIGHED)]


def _filled(value: Any) -> Any:
    """A value of a field, which may be empty."""
    return _NONE if value in (None, "") else value


def _content(memory: Memory | None) -> str:
    return _ABSENT if memory is None else memory.content


def _told(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
