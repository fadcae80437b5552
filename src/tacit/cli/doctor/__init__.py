"""The command that finds problems of an installation: doctor."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.doctor.checks import run_checks
from tacit.cli.doctor.findings import DoctorFinding, Installation, Severity
from tacit.cli.output import console, format_count, notices, print_json
from tacit.cli.terminal_text import escape_unseen

_MARKS: Mapping[Severity, tuple[str, str]] = {
    Severity.OK: ("✓", "green"),
    Severity.WARNING: ("!", "bold yellow"),
    Severity.ERROR: ("✗", "bold red"),
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
        found = run_checks(installation)
    is_well = all(finding.level is not Severity.ERROR for finding in found)
    if as_json:
        print_json({"ok": is_well, "findings": [finding.to_dict() for finding in found]})
    else:
        console().print(_findings_table(found))
        console().print(_summary(found))
    if not is_well:
        raise typer.Exit(1)


def _findings_table(found: Sequence[DoctorFinding]) -> Table:
    """A row for each finding, with what to do below what was found."""
    drawn = Table(box=None, show_header=False, pad_edge=False)
    drawn.add_column(no_wrap=True)
    drawn.add_column(no_wrap=True, style="bold")
    drawn.add_column(overflow="fold", ratio=1)
    before = ""
    for finding in found:
        mark, style = _MARKS[finding.level]
        what = "" if finding.what == before else finding.what
        drawn.add_row(Text(mark, style=style), what, _describe_finding(finding, style))
        before = finding.what
    return drawn


def _describe_finding(finding: DoctorFinding, style: str) -> Text:
    told = Text(escape_unseen(finding.found))
    if finding.mend is not None:
        told.append(f"\n→ {escape_unseen(finding.mend)}", style=style.removeprefix("bold "))
    return told


def _summary(found: Sequence[DoctorFinding]) -> Text:
    levels = [finding.level for finding in found]
    errors, warnings = levels.count(Severity.ERROR), levels.count(Severity.WARNING)
    counts = {"error": errors, "warning": warnings}
    counted = " and ".join(format_count(count, noun) for noun, count in counts.items() if count)
    worst = Severity.ERROR if errors else Severity.WARNING if warnings else Severity.OK
    return Text(f"{counted}." if counted else "No problems found.", style=_MARKS[worst][1])


COMMANDS = {"doctor": doctor}
