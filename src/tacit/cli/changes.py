"""The command `tacit changes`: what memory did by itself, and a way to undo it."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.output import (
    SHORT_ID,
    console,
    format_id,
    format_time,
    make_table,
    print_json,
    print_written,
    shorten,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.changes import Change, ChangeKind
from tacit.core.fields import MAX_LIMIT
from tacit.core.kinds import Actor

_KIND_STYLES = {
    ChangeKind.REPLACED: "yellow",
    ChangeKind.MERGED: "cyan",
    ChangeKind.HIDDEN: "magenta",
    ChangeKind.EXPIRED: "bright_black",
}
_MOST_PAGES = 20
_FULL_ID = 36


def changes(
    undo: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Undo this change, named by its id or enough of its end."),
    ] = None,
    limit: opt.ListLimit = 50,
    after: Annotated[str | None, typer.Option(help="Go on after this change; to list.")] = None,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what memory replaced, merged, hid or let expire by itself, or undo it.

    Newest first. An undone change is not made again: both statements hold, until a person decides
    otherwise.
    """
    with opt.open_existing(db, workspace) as tacit:
        if undo is not None:
            written = tacit.changes.undo(_find_change(tacit, undo), by=by)
        else:
            found = tacit.changes.list(
                limit=limit, after=None if after is None else _find_change(tacit, after)
            )
    if undo is not None:
        print_written([written], as_json=as_json)
    elif as_json:
        print_json([change.to_dict() for change in found])
    else:
        _print_changes(found, limit)


def _find_change(tacit: Tacit, ending: str) -> str:
    """The id of a change with this ending."""
    if len(ending) >= _FULL_ID:
        return ending.lower()
    where = "is in this workspace; tacit changes lists them"
    return opt.match_ending(ending, _latest_ids(tacit), "change", where)


def _latest_ids(tacit: Tacit) -> Iterator[str]:
    after = None
    for _ in range(_MOST_PAGES):
        page = tacit.changes.list(limit=MAX_LIMIT, after=after)
        yield from (each.id for each in page)
        if len(page) < MAX_LIMIT:
            return
        after = page[-1].id


def _print_changes(found: Sequence[Change], limit: int) -> None:
    if not found:
        console().print("Memory changed nothing by itself in this workspace.", style="green")
        return
    drawn = make_table("id", "when", "what", "was, and stands now", "why")
    for change in found:
        what = Text(change.kind, style=_KIND_STYLES[change.kind])
        if change.undone:
            what = Text.assemble((change.kind, "strike bright_black"), ("\nundone", "green"))
        drawn.add_row(
            format_id(change.id), format_time(change.at), what, _describe(change), _explain(change)
        )
    console().print(drawn)
    standing = [change for change in found if not change.undone]
    if standing:
        hint = f"To undo one: tacit changes --undo {standing[0].id[-SHORT_ID:]}"
        console().print(hint, style="bright_black")
    if len(found) == limit:
        console().print(f"[bright_black]more: --after {found[-1].id[-SHORT_ID:]}[/]")


def _describe(change: Change) -> Text:
    """Both wordings."""
    lines = Text()
    lines.append("was ", style="bright_black")
    lines.append(escape_unseen(shorten(change.memory.content)))
    if change.other is not None:
        lines.append("\nnow ", style="bright_black")
        lines.append(escape_unseen(shorten(change.other.content)), style="green")
    return lines


def _explain(change: Change) -> Text:
    """Why it was done, and how sure that was."""
    lines = Text(escape_unseen(change.reason))
    if change.likelihood is not None:
        lines.append(f"\n{change.likelihood:.0%} likely", style="bright_black")
    return lines


COMMANDS = {"changes": changes}
