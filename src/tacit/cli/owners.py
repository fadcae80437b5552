"""The command that gives memories to a user: assign."""

from typing import Annotated, Any

import typer

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.filters import takes_assignable
from tacit.cli.output import console, notices, print_json
from tacit.cli.readiness import bar
from tacit.cli.visible import visible
from tacit.core.kinds import Actor, State
from tacit.writing.assignment import Assignment


@takes_assignable
def assign(
    user: Annotated[str, typer.Option(help="Whose they are to be.")],
    ids: Annotated[
        list[str] | None, typer.Argument(help="Ids, or enough of their endings; else all.")
    ] = None,
    from_user: Annotated[
        str, typer.Option("--from", metavar="USER", help="All of this user; else those of no user.")
    ] = "",
    state: Annotated[State | None, typer.Option(help="Only in this state; else in all.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would change.")
    ] = False,
    yes: opt.Yes = False,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
    **filters: Any,
) -> None:
    """Give memories to a user.

    Name memories, or leave them out for all that belong to no user; --from takes those of another
    user, and filters as of list narrow that, in every state. What the user has already is merged,
    and each change is in the history. If it was interrupted, run it again.
    """
    with opt.existing(db, workspace) as tacit:
        chosen: dict[str, Any] = {"from_user": from_user, "by": by, "state": state, **filters}
        if ids:
            chosen["ids"] = [tacit.find_id(each) for each in ids]
        done = _assign(tacit, user, chosen, dry_run=dry_run, yes=yes)
    if as_json:
        print_json(done.to_dict())
    else:
        console().print(_told(done), markup=False, soft_wrap=True)


def _assign(
    tacit: Tacit, user: str, chosen: dict[str, Any], *, dry_run: bool, yes: bool
) -> Assignment:
    if dry_run or not yes:
        planned = tacit.assign(user, dry_run=True, **chosen)
        if dry_run or planned.total == planned.unchanged:
            return planned
        notices().print(_told(planned), markup=False, soft_wrap=True)
        typer.confirm("Assign them?", abort=True, err=True)
    with bar() as watch:
        return tacit.assign(
            user, progress=lambda done, total: watch("assigning", done, total), **chosen
        )


def _told(done: Assignment) -> str:
    lines = [visible(line) for line in done.lines]
    if not lines:
        return "No memory matches, so nothing changes."
    return "\n".join(["This would be done:", *lines] if done.dry_run else lines)


COMMANDS = {"assign": assign}
