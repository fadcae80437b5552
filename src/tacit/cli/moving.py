"""The command that moves everything from one store to another: migrate."""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.markup import escape

from tacit.api.calls.maintenance import migrate as move
from tacit.cli import options as opt
from tacit.cli.output import console, notices, print_json, table
from tacit.cli.readiness import bar
from tacit.cli.visible import visible
from tacit.writing.archive.move import MovedKind, MoveReport

_PLACE = "A database file or postgresql://user@host/database"


def migrate(
    source: Annotated[str, typer.Argument(metavar="FROM", help=f"{_PLACE}; stays as it is.")],
    target: Annotated[str, typer.Argument(metavar="TO", help=f"{_PLACE}; made if need be.")],
    workspace: Annotated[
        list[str] | None,
        typer.Option("--workspace", "-w", help="Only this tenant; repeat. Without it, all."),
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Move everything from one store to another.

    If interrupted, run it again. Both sides are read again and compared at the end; the exit code
    is 1 if they differ. Nothing that is at the target is changed.
    """
    with bar() as watch:
        try:
            report = move(
                source,
                target,
                workspaces=workspace,
                progress=lambda stage, done, total: watch(escape(visible(stage)), done, total),
            )
        except KeyboardInterrupt:
            notices().print("Interrupted. What was moved is kept; run it again to go on.")
            raise
    if as_json:
        print_json(report.to_dict())
    else:
        _print_report(report)
    if not report.is_complete:
        raise typer.Exit(1)


def _print_report(report: MoveReport) -> None:
    _print_kinds(report)
    for moved in report.workspaces:
        name = visible(moved.name)
        if moved.changed:
            notices().print(
                f"Workspace {name} was used at the source meanwhile: stop what uses it, and move"
                " into an empty place.",
                markup=False,
            )
        elif not moved.is_complete:
            notices().print(
                f"Workspace {name} differs at the target: check its disk, and move into an empty"
                " place.",
                markup=False,
            )


def _print_kinds(report: MoveReport) -> None:
    """Each kind over all workspaces."""
    kinds = [kind for moved in report.workspaces for kind in moved.kinds if kind.source]
    if not kinds:
        console().print("Nothing to move: the source is empty.", style="bright_black")
        return
    drawn = table("moved", "source", "target", "copied now", "checksum")
    for name in dict.fromkeys(kind.name for kind in kinds):
        drawn.add_row(*_row(name, [kind for kind in kinds if kind.name == name]))
    console().print(drawn)


def _row(name: str, kinds: list[MovedKind]) -> Iterator[str]:
    yield escape(visible(name))
    for count in ("source", "target", "copied"):
        yield f"{sum(getattr(kind, count) for kind in kinds):,}"
    yield "equal" if all(kind.is_equal for kind in kinds) else "[bold red]differs[/]"


COMMANDS = {"migrate": migrate}
