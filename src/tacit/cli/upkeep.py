"""The command that keeps memories few, current and related: upkeep."""

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.output import console, notices, print_json, short, shortened, table
from tacit.cli.readiness import bar
from tacit.cli.visible import visible
from tacit.core.kinds import State
from tacit.writing.upkeep.maintenance import MOST_LOOKED_AT
from tacit.writing.upkeep.report import MaintenanceAction, UpkeepReport

_SHOWN = 20


def upkeep(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be done.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(help="Look at so many memories in one pass; else as settings say.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Pass after pass, to the end of the workspace.")
    ] = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Forget what has faded, merge what says the same, relate what is near.

    What a person wrote stays as it is. A pass goes on where the last one ended; if interrupted, run
    it again.
    """
    with opt.existing(db, workspace, embeds=True) as tacit:
        try:
            report = (
                _gone_through(tacit, dry_run, limit)
                if everything
                else tacit.upkeep(dry_run=dry_run, limit=limit)
            )
        except KeyboardInterrupt:
            notices().print("Interrupted. What was done is kept; run it again to go on.")
            raise
    if as_json:
        print_json(report.to_dict())
    else:
        _print_report(report)


def _gone_through(tacit: Tacit, dry_run: bool, limit: int | None) -> UpkeepReport:
    """Passes until the end, as one; a dry run leaves no trace to go on from, so it is one pass."""
    if dry_run:
        return tacit.upkeep(dry_run=True, limit=MOST_LOOKED_AT)
    total = tacit.stats().counts.by_state.get(State.LIVE, 0)
    reports: list[UpkeepReport] = []
    with bar() as watch:
        while not reports or not reports[-1].done:
            reports.append(tacit.upkeep(limit=limit))
            looked_at = sum(report.looked_at for report in reports)
            watch("looking", looked_at, max(total, looked_at))
    return UpkeepReport.together(reports)


def _print_report(report: UpkeepReport) -> None:
    for title, done, wished in (
        ("pruned", report.pruned, "would be pruned"),
        ("merged", report.merged, "would be merged"),
        ("linked", report.linked, "would be linked"),
    ):
        _print_deeds(wished if report.dry_run else title, done)
    if not (report.pruned or report.merged or report.linked):
        console().print("Nothing to do.", style="bright_black")
    console().print(_sentence(report))


def _print_deeds(title: str, deeds: Sequence[MaintenanceAction]) -> None:
    if not deeds:
        return
    drawn = table("memory", "says", "other", "why", title=f"{len(deeds):,} {title}")
    for deed in deeds[:_SHOWN]:
        other = Text("") if deed.other is None else short(deed.other)
        says = Text(visible(shortened(deed.content)))
        drawn.add_row(short(deed.memory), says, other, visible(deed.reason))
    console().print(drawn)
    if len(deeds) > _SHOWN:
        console().print(f"and {len(deeds) - _SHOWN:,} more; --json lists all of them")


def _sentence(report: UpkeepReport) -> str:
    """How far it came."""
    looked_at = f"{report.looked_at:,} looked at"
    if report.unembedded:
        looked_at += f", {report.unembedded:,} without a vector (tacit embed makes them)"
    if report.done:
        return f"{looked_at}; that was the last."
    return f"{looked_at}; there are more: run it again, or with --all."


COMMANDS = {"upkeep": upkeep}
