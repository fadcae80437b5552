"""Commands that move memories: import, export and migrate."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from tacit.api.calls.maintenance import migrate as move
from tacit.cli import options as opt
from tacit.cli.options import progress_bar
from tacit.cli.output import console, json_lines, make_table, notices, print_json
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import ArchiveError
from tacit.core.kinds import Actor
from tacit.writing.archive.files import ArchiveFile, Format, ImportPreview, ImportReport
from tacit.writing.archive.importer import RULES_FOR_REVIEW
from tacit.writing.archive.move import MovedKind, MoveReport
from tacit.writing.archive.preview import preview_import

# import and export


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
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count what is in the file; write nothing.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask; trust the rules of the file.")
    ] = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Import memories and conversations (safe to re-run).

    Duplicates are detected, so nothing is imported twice. Lines that cannot be imported are
    listed with the reason, the others are imported, and the exit code is then 2. Rules that the
    file calls trusted wait for a review, unless you say that you trust them.
    """
    named = {"type": type, "scope": scope, "scope_id": scope_id, "tags": tag}
    defaults: Any = {name: value for name, value in named.items() if value is not None}
    source = sys.stdin.buffer if file == _STDIN else file
    if dry_run:
        _preview(file, source, format, workspace, defaults, by=by, as_json=as_json)
        return
    accept_rules = yes or _asks_to_accept_rules(
        file, format=format, workspace=workspace, defaults=defaults, by=by
    )
    with opt.open_workspace(db, workspace) as tacit, _import_progress(file) as progress:
        try:
            report = tacit.archive.import_from(
                source,
                format=format,
                by=by,
                accept_rules=accept_rules,
                progress=progress,
                **defaults,
            )
        except KeyboardInterrupt:
            notices().print("Interrupted. What was imported is kept; run it again to go on.")
            raise
    if as_json:
        print_json(report.to_dict())
    else:
        _print_import(report)
    if waiting := report.counts.get(RULES_FOR_REVIEW):
        notices().print(
            f"{_count_rules(waiting)} of the file came in unverified; `tacit review` decides."
        )
    if report.rejected:
        raise typer.Exit(2)


def _asks_to_accept_rules(
    file: Path, *, format: Format, workspace: str, defaults: Any, by: Actor
) -> bool:
    """Ask whether to trust the rules of a file, if it has any and somebody can answer."""
    if file == _STDIN or not sys.stdin.isatty():
        return False
    rules = preview_import(file, format=format, workspace=workspace, defaults=defaults, by=by).rules
    question = f"{_count_rules(rules)} of the file would be followed in every turn. Trust them?"
    return rules > 0 and typer.confirm(question, err=True)


def _count_rules(count: int) -> str:
    return "1 rule" if count == 1 else f"{count:,} rules"


def _preview(
    file: Path,
    source: ArchiveFile,
    format: Format,
    workspace: str,
    defaults: Any,
    *,
    by: Actor,
    as_json: bool,
) -> None:
    """Show what a file holds, without opening a database."""
    with _import_progress(file) as progress:
        preview = preview_import(
            source,
            format=format,
            workspace=workspace,
            defaults=defaults,
            by=by,
            progress=progress,
        )
    if as_json:
        print_json(preview.to_dict())
    else:
        _print_import(preview)
        for text in preview.first:
            line = escape_unseen(" ".join(text.split()))
            console().print(line, markup=False, overflow="ellipsis", no_wrap=True)
        if preview.rules:
            console().print(f"{_count_rules(preview.rules)} in it would be followed in every turn.")
        console().print("Nothing was written.", style="bright_black")
    if preview.rejected:
        raise typer.Exit(2)


def export(
    file: Annotated[Path, typer.Argument(help='Where to; "-" is standard output.')] = _STDIN,
    embeddings: Annotated[bool, typer.Option(help="Take the vectors along.")] = False,
    owner: Annotated[
        str | None,
        typer.Option(metavar="OWNER", help="Only what belongs to this owner, such as user:ann."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Write everything as one JSON Lines file.

    Memories in every state, their associations, their history, what waits for review, what was
    said, and items; with an owner, theirs alone.
    """
    if file != _STDIN:
        _refuse_to_overwrite(file, force)
    target = json_lines() if file == _STDIN else file
    with opt.open_existing(db, workspace) as tacit:
        lines = tacit.archive.export_to(target, embeddings=embeddings, owner=owner)
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
def _import_progress(file: Path) -> Iterator[Any]:
    """A progress bar by bytes of the file, shown on a terminal only."""
    columns = (TextColumn("importing"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    watched = notices()
    hidden = not watched.is_terminal
    with Progress(*columns, console=watched, transient=True, disable=hidden) as progress:
        total = file.stat().st_size if file != _STDIN and file.exists() else None
        task = progress.add_task("", total=total)
        yield lambda size: progress.advance(task, size)


def _print_import(report: ImportReport | ImportPreview) -> None:
    read_as = f"read as {report.format}"
    drawn = make_table(read_as, "")
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
        rejects = make_table("line", "reason", title=title)
        for reject in report.rejected[:_SHOWN_REJECTS]:
            rejects.add_row(str(reject.line), escape_unseen(reject.reason))
        console().print(rejects)
        if left_out > _SHOWN_REJECTS:
            console().print(
                f"and {left_out - _SHOWN_REJECTS:,} more; --json lists the first thousand"
            )


# migrate


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
    with progress_bar() as watch:
        try:
            report = move(
                source,
                target,
                workspaces=workspace,
                progress=lambda stage, done, total: watch(
                    escape(escape_unseen(stage)), done, total
                ),
            )
        except KeyboardInterrupt:
            notices().print("Interrupted. What was moved is kept; run it again to go on.")
            raise
    if as_json:
        print_json(report.to_dict())
    else:
        _print_migration(report)
    if not report.is_complete:
        raise typer.Exit(1)


def _print_migration(report: MoveReport) -> None:
    _print_kinds(report)
    for moved in report.workspaces:
        name = escape_unseen(moved.name)
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
    drawn = make_table("moved", "source", "target", "copied now", "checksum")
    for name in dict.fromkeys(kind.name for kind in kinds):
        drawn.add_row(*_row(name, [kind for kind in kinds if kind.name == name]))
    console().print(drawn)


def _row(name: str, kinds: list[MovedKind]) -> Iterator[str]:
    yield escape(escape_unseen(name))
    for count in ("source", "target", "copied"):
        yield f"{sum(getattr(kind, count) for kind in kinds):,}"
    yield "equal" if all(kind.is_equal for kind in kinds) else "[bold red]differs[/]"


COMMANDS = {
    "import": import_,
    "export": export,
    "migrate": migrate,
}
