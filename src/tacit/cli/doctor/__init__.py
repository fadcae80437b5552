"""The command that finds what is wrong with an installation: doctor."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.doctor.examination import examine
from tacit.cli.doctor.finding import Finding, Level
from tacit.cli.doctor.installation import Installation
from tacit.cli.output import console, notices, print_json
from tacit.cli.visible import visible

_MARKS: Mapping[Level, tuple[str, str]] = {
    Level.OK: ("✓", "green"),
    Level.WARNING: ("!", "bold yellow"),
    Level.ERROR: ("✗", "bold red"),
}


def doctor(
    db: opt.Db = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", envvar="TACIT_CONFIG", help="Settings file; else the one found."),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option("--url", envvar="TACIT_URL", help="Running server; else one on this machine."),
    ] = None,
    key: Annotated[
        str | None, typer.Option("--key", envvar="TACIT_KEY", help="Key that it asks for.")
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Find what is wrong with this installation, and how to mend it.

    Nothing is made, fetched or changed. The exit code is 1 if anything is an error.
    """
    installation = Installation(db=db, config=config, url=url, key=key)
    with notices().status("Examining …"):
        found = examine(installation)
    is_well = all(finding.level is not Level.ERROR for finding in found)
    if as_json:
        print_json({"ok": is_well, "findings": [finding.to_dict() for finding in found]})
    else:
        console().print(_drawn(found))
        console().print(_summary(found))
    if not is_well:
        raise typer.Exit(1)


def _drawn(found: Sequence[Finding]) -> Table:
    """A row for each finding, with what to do below what was found."""
    drawn = Table(box=None, show_header=False, pad_edge=False)
    drawn.add_column(no_wrap=True)
    drawn.add_column(no_wrap=True, style="bold")
    drawn.add_column(overflow="fold", ratio=1)
    before = ""
    for finding in found:
        mark, style = _MARKS[finding.level]
        what = "" if finding.what == before else finding.what
        drawn.add_row(Text(mark, style=style), what, _told(finding, style))
        before = finding.what
    return drawn


def _told(finding: Finding, style: str) -> Text:
    told = Text(visible(finding.found))
    if finding.mend is not None:
        told.append(f"\n→ {visible(finding.mend)}", style=style.removeprefix("bold "))
    return told


def _summary(found: Sequence[Finding]) -> Text:
    levels = [finding.level for finding in found]
    errors, warnings = levels.count(Level.ERROR), levels.count(Level.WARNING)
    parts = [_counted(errors, "error"), _counted(warnings, "warning")]
    counted = " and ".join(part for part in parts if part)
    worst = Level.ERROR if errors else Level.WARNING if warnings else Level.OK
    return Text(f"{counted}." if counted else "All is well.", style=_MARKS[worst][1])


def _counted(number: int, noun: str) -> str:
    return "" if not number else f"{number} {noun}" if number == 1 else f"{number} {noun}s"


COMMANDS = {"doctor": doctor}
