"""Commands that move memories: import and export."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from tacit.cli import options as opt
from tacit.cli.output import console, json_lines, notices, print_json, table
from tacit.cli.visible import visible
from tacit.core.errors import ArchiveError
from tacit.core.kinds import Actor
from tacit.writing.archive.files import Format, ImportReport

_STDIN = Path("-")
_SHOWN_REJECTS = 20


def import_(
    file: Annotated[
        Path, typer.Argument(help='A file in one of the formats; "-" is standard input.')
    ],
    format: Annotated[
        Format, typer.Option(help="How the file is laid out; told by its name and its words.")
    ] = Format.AUTO,
    type: opt.Type = None,
    scope: opt.InScope = None,
    scope_id: opt.ScopeId = None,
    tag: opt.Tags = None,
    by: opt.By = Actor.IMPORT,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Take in memories; if interrupted, run it again.

    What is known is recognised, so nothing is imported twice. Lines that cannot be taken are
    listed with the reason, the others are imported, and the exit code is then 2.
    """
    named = {"type": type, "scope": scope, "scope_id": scope_id, "tags": tag}
    defaults: Any = {name: value for name, value in named.items() if value is not None}
    source = sys.stdin.buffer if file == _STDIN else file
    with opt.opened(db, workspace) as tacit, _bar(file) as progress:
        try:
            report = tacit.import_from(source, format=format, by=by, progress=progress, **defaults)
        except KeyboardInterrupt:
            notices().print("Interrupted. What was imported is kept; run it again to go on.")
            raise
    if as_json:
        print_json(report.to_dict())
    else:
        _print_report(report)
    if report.rejected:
        raise typer.Exit(2)


def export(
    file: Annotated[Path, typer.Argument(help='Where to; "-" is standard output.')] = _STDIN,
    embeddings: Annotated[bool, typer.Option(help="Take the vectors along.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Write everything as one JSON Lines file.

    Memories in every state, their associations, their history and what waits for review.
    """
    if file != _STDIN:
        _refuse_to_overwrite(file, force)
    target = json_lines() if file == _STDIN else file
    with opt.existing(db, workspace) as tacit:
        lines = tacit.export_to(target, embeddings=embeddings)
    if file == _STDIN:
        sys.stdout.flush()
        return
    if as_json:
        print_json({"file": str(file), "lines": lines})
    else:
        console().print(f"{lines} lines written to {file}", markup=False)


def _refuse_to_overwrite(file: Path, force: bool) -> None:
    if file.is_dir():
        raise ArchiveError(f"{file}: is a folder; name a file in it")
    if file.exists() and not force:
        raise ArchiveError(f"{file}: is there already; name another file, or use --force")


@contextmanager
def _bar(file: Path) -> Iterator[Any]:
    """A progress bar on standard error, by bytes of the file; nothing where nobody looks."""
    columns = (TextColumn("importing"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    watched = notices()
    hidden = not watched.is_terminal
    with Progress(*columns, console=watched, transient=True, disable=hidden) as progress:
        total = file.stat().st_size if file != _STDIN and file.exists() else None
        task = progress.add_task("", total=total)
        yield lambda size: progress.advance(task, size)


def _print_report(report: ImportReport) -> None:
    read_as = f"read as {report.format}"
    drawn = table(read_as, "")
    for kind, count in report.counts.items():
        drawn.add_row(kind, f"{count:,}")
    if report.counts:
        console().print(drawn)
    elif not report.rejected:
        console().print("Nothing to import: the file has no lines.", style="bright_black")
    if report.rejected:
        left_out = report.rejected_count
        title = f"{left_out:,} {'line' if left_out == 1 else 'lines'} left out"
        title += "" if report.counts else f", {read_as}"
        rejects = table("line", "reason", title=title)
        for reject in report.rejected[:_SHOWN_REJECTS]:
            rejects.add_row(str(reject.line), visible(reject.reason))
        console().print(rejects)
        if left_out > _SHOWN_REJECTS:
            console().print(
                f"and {left_out - _SHOWN_REJECTS:,} more; --json lists the first thousand"
            )


COMMANDS = {"import": import_, "export": export}
