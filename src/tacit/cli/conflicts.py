"""The command on conflicts: list, resolve, keep."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.output import console, owner, print_json, print_written, short, shortened, table
from tacit.cli.visible import visible
from tacit.core.errors import InvalidInput
from tacit.core.kinds import Actor
from tacit.core.memory import Memory
from tacit.runtime.clock import system_clock
from tacit.search.conflicts import Conflict
from tacit.writing.draft import Written

_ADVICE_STYLES = {"keep": "green", "supersede": "yellow", "undecided": "magenta"}
_UNITS = (("d", timedelta(days=1)), ("h", timedelta(hours=1)), ("min", timedelta(minutes=1)))


class ConflictAction(StrEnum):
    """What can be done with conflicts."""

    LIST = "list"
    RESOLVE = "resolve"
    KEEP = "keep"


def conflicts(
    action: Annotated[
        ConflictAction,
        typer.Argument(
            help="list: memories that cannot all be current; resolve KEEP SUPERSEDE…: the first"
            " replaces the others; keep ID ID…: all of them are right."
        ),
    ],
    ids: Annotated[
        list[str] | None, typer.Argument(help="Ids, or enough of their endings.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Why, for the history; to resolve and keep.")] = "",
    limit: Annotated[
        int, typer.Option("--limit", "-n", help="At most this many, 1 to 1000; to list.")
    ] = 50,
    after: Annotated[str | None, typer.Option(help="Go on after this conflict; to list.")] = None,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """List memories that contradict each other, or resolve that."""
    named = ids or []
    if (action is ConflictAction.LIST) == bool(named):
        raise InvalidInput("ids", "are for resolve and keep, which need two at least")
    with opt.existing(db, workspace) as tacit:
        if action is ConflictAction.LIST:
            found = tacit.conflicts(limit=limit, after=after)
            _print(found, limit, as_json)
            return
        written = _end(tacit, action, [tacit.find_id(id) for id in named], reason, by)
    print_written(written, as_json=as_json)


def _end(
    tacit: Tacit, action: ConflictAction, ids: list[str], reason: str, by: Actor
) -> Sequence[Written]:
    if action is ConflictAction.KEEP:
        return tacit.resolve(keep_both=ids, reason=reason, by=by)
    return tacit.resolve(keep=ids[0], supersede=ids[1:], reason=reason, by=by)


def _print(found: Sequence[Conflict], limit: int, as_json: bool) -> None:
    if as_json:
        print_json([conflict.to_dict() for conflict in found])
        return
    if not found:
        console().print("No memories in this workspace contradict each other.", style="green")
        return
    drawn = table("id", "content", "owner", "source", "conf.", "age", "")
    now = system_clock()
    for conflict in found:
        drawn.add_row("", _heading(conflict))
        for memory in conflict.memories:
            drawn.add_row(
                short(memory.id),
                Text(visible(shortened(memory.content))),
                owner(memory),
                str(memory.source),
                f"{memory.confidence:.2f}",
                _age(memory, now),
                _advice(conflict, memory),
            )
    console().print(drawn)
    if len(found) == limit:
        console().print(f"[bright_black]more: --after {found[-1].id}[/]")


def _heading(conflict: Conflict) -> Text:
    """What it is about, and why one is to be kept or none."""
    about = Text(visible(conflict.about), style="bold")
    return about.append(f" ({conflict.recommended.reason})", style="not bold bright_black")


def _advice(conflict: Conflict, memory: Memory) -> Text:
    keep = conflict.recommended.keep
    word = "undecided" if keep is None else "keep" if keep == memory.id else "supersede"
    return Text(word, style=_ADVICE_STYLES[word])


def _age(memory: Memory, now: datetime) -> str:
    """How long ago a memory last changed, roughly."""
    passed = now - memory.updated_at
    for unit, length in _UNITS:
        if passed >= length:
            return f"{passed // length:,} {unit}"
    return "now"


COMMANDS = {"conflicts": conflicts}
