"""The command `tacit conflicts`: memories that contradict each other, and what ends that."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer
from rich.padding import Padding
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.options import progress_bar
from tacit.cli.output import (
    console,
    format_id,
    format_owner,
    format_time,
    make_table,
    notices,
    print_json,
    print_written,
    shorten,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput
from tacit.core.kinds import Actor, Scope
from tacit.core.memory import Memory
from tacit.core.review_reasons import statement_verb
from tacit.statements.conflict_list import Conflict
from tacit.statements.precedence import stated_at
from tacit.writing.draft import Written

_ADVICE_STYLES = {"keep": "green", "replace": "yellow", "undecided": "magenta"}


class ConflictAction(StrEnum):
    """What can be done with conflicts."""

    LIST = "list"
    RESOLVE = "resolve"
    KEEP = "keep"


_LEAST_SIDES = 2
_MOST_COMPARED = 200
"""So many statements are compared before a list; that takes half a minute at most."""
_SIDES = {
    ConflictAction.RESOLVE: "name the memory to keep, then one or more that it replaces",
    ConflictAction.KEEP: "name two or more memories that contradict each other and are all right",
}


def conflicts(
    action: Annotated[
        ConflictAction,
        typer.Argument(
            help="list: memories that cannot all be current; resolve KEEP SUPERSEDE…: the first"
            " replaces the others; keep ID ID…: all of them are right."
        ),
    ] = ConflictAction.LIST,
    ids: Annotated[
        list[str] | None, typer.Argument(help="Ids, or enough of their endings.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Why, for the history; to resolve and keep.")] = "",
    limit: opt.ListLimit = 50,
    after: Annotated[str | None, typer.Option(help="Go on after this conflict; to list.")] = None,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """List memories that contradict each other, or resolve that."""
    named = ids or []
    _check_ids(action, named)
    with opt.open_existing(db, workspace) as tacit:
        if action is ConflictAction.LIST:
            advice = _compare_waiting(tacit)
            found = tacit.conflicts.list(limit=limit, after=after)
            _print_conflicts(found, limit, as_json)
            if advice:
                notices().print(advice, markup=False, soft_wrap=True)
            return
        written = _resolve(tacit, action, [tacit.memories.find_id(id) for id in named], reason, by)
    print_written(written, as_json=as_json)


def _compare_waiting(tacit: Tacit) -> str:
    """Compare what was written and is not compared yet; returns what to do about the rest.

    Earlier commands ended before that, and nobody would do it after this one.
    """
    if tacit.workspace.embedder_name is None or not (waiting := tacit.conflicts.count_uncompared()):
        return ""
    if waiting > _MOST_COMPARED:
        return (
            f"{waiting:,} statements are not compared with others yet; to do that now: tacit learn"
        )
    with progress_bar() as watch:
        watch("comparing statements", 0, waiting)
        left = tacit.conflicts.compare_waiting(
            lambda left: watch("comparing statements", max(waiting - left, 0), waiting)
        )
    if not left:
        return ""
    number = "1 statement is" if left == 1 else f"{left} statements are"
    told = "not compared with others, for lack of a vector or of the local model"
    return f"{number} {told}; run: tacit embed"


def _check_ids(action: ConflictAction, named: Sequence[str]) -> None:
    if action is ConflictAction.LIST and named:
        raise InvalidInput("ids", "are for resolve and keep; list takes none")
    if action is not ConflictAction.LIST and len(named) < _LEAST_SIDES:
        raise InvalidInput("ids", f"{_SIDES[action]}; tacit conflicts lists them")


def _resolve(
    tacit: Tacit, action: ConflictAction, ids: list[str], reason: str, by: Actor
) -> Sequence[Written]:
    if action is ConflictAction.KEEP:
        return tacit.conflicts.resolve(keep_both=ids, reason=reason, by=by)
    return tacit.conflicts.resolve(keep=ids[0], supersede=ids[1:], reason=reason, by=by)


def _print_conflicts(found: Sequence[Conflict], limit: int, as_json: bool) -> None:
    if as_json:
        print_json([conflict.to_dict() for conflict in found])
        return
    if not found:
        console().print("No memories in this workspace contradict each other.", style="green")
        return
    for conflict in found:
        _print_conflict(conflict)
    _print_commands(found[0])
    if len(found) == limit:
        console().print(f"[bright_black]more: --after {found[-1].id}[/]")


def _print_conflict(conflict: Conflict) -> None:
    """What it is about, why one side is to be kept or none, and the sides."""
    heading = Text(escape_unseen(conflict.about), style="bold")
    console().print(heading.append(f" ({conflict.recommended.reason})", style="not bold"))
    sides = make_table("", "", "", show_header=False)
    for memory in conflict.memories:
        content = Text(escape_unseen(shorten(memory.content)))
        content.append(f"\n{_describe_side(memory)}", style="bright_black")
        sides.add_row(_advice(conflict, memory), format_id(memory.id), content)
    console().print(Padding(sides, (0, 0, 1, 2)))


def _describe_side(memory: Memory) -> str:
    """What speaks for a side: who stated it, when, how sure that is, and whose it is."""
    origin = f"{statement_verb(memory)} by {memory.source} {format_time(stated_at(memory))}"
    owner = "" if format_owner(memory) == Scope.USER else f" · of {format_owner(memory)}"
    return f"{origin} · confidence {memory.confidence:.2f}{owner}"


def _print_commands(conflict: Conflict) -> None:
    """The commands that end a conflict, with the ids of this one."""
    ids = [memory.id for memory in conflict.memories]
    best = conflict.recommended.keep or ids[-1]
    ordered = " ".join(format_id(id).plain for id in (best, *(id for id in ids if id != best)))
    rows = make_table("", "", show_header=False)
    rows.add_row(f"tacit conflicts resolve {ordered}", "the first replaces the others")
    rows.add_row(f"tacit conflicts keep {ordered}", "all are right")
    console().print(
        "Nothing changes until you decide. For the first of them:", style="bright_black"
    )
    console().print(Padding(rows, (0, 0, 0, 2)), style="bright_black")


def _advice(conflict: Conflict, memory: Memory) -> Text:
    keep = conflict.recommended.keep
    word = "undecided" if keep is None else "keep" if keep == memory.id else "replace"
    return Text(word, style=_ADVICE_STYLES[word])


COMMANDS = {"conflicts": conflicts}
