"""The command on documents: add, index, search, status, remove."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.options import progress_bar
from tacit.cli.output import console, make_table, notices, print_json
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput
from tacit.grounding.documents.results import DocumentStatus, IndexReport, UnreadFile

_MOST_UNREAD = 10


class DocsAction(StrEnum):
    """What can be done with documents."""

    ADD = "add"
    INDEX = "index"
    SEARCH = "search"
    STATUS = "status"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class _DocsOptions:
    """What the command line says besides the action."""

    word: str
    exclude: tuple[str, ...]
    limit: int
    as_json: bool


def docs(
    action: Annotated[
        DocsAction,
        typer.Argument(
            help="add FOLDER: search it too, and read it; index: read what changed; search TEXT:"
            " the best passages; status: folders and counts; remove FOLDER: search it no more."
        ),
    ],
    word: Annotated[
        str | None, typer.Argument(metavar="WORD", help="The folder, or the text to search for.")
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Left out, such as 'drafts/**'; repeat; to add."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="Documents at most; to search.")] = 3,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Search the documents of a workspace, and say which there are.

    They are Markdown, plain text and reStructuredText; a change is seen by itself where Tacit runs.
    """
    asked = _DocsOptions(
        word=word or "", exclude=tuple(exclude or ()), limit=limit, as_json=as_json
    )
    _refuse_needless(action, asked, word)
    with _open_workspace(action, db, workspace) as tacit:
        _ACTIONS[action](tacit, asked)


def _refuse_needless(action: DocsAction, asked: _DocsOptions, word: str | None) -> None:
    if (word is None) != (action in (DocsAction.INDEX, DocsAction.STATUS)):
        raise InvalidInput("docs", f"write: tacit docs {action}{_WORDS[action]}")
    if asked.exclude and action is not DocsAction.ADD:
        raise InvalidInput("docs", f"--exclude is for add; write: tacit docs {action}")


def _open_workspace(action: DocsAction, db: str | None, workspace: str) -> Tacit:
    if action is DocsAction.ADD:
        return Tacit.open(db, workspace)
    return opt.open_existing(db, workspace, embeds=action is DocsAction.SEARCH)


def _add(tacit: Tacit, asked: _DocsOptions) -> None:
    folder = tacit.documents.add(Path(asked.word), asked.exclude)
    report = _run_index(tacit)
    if asked.as_json:
        print_json({"folder": folder.to_dict(), "report": report.to_dict()})
        return
    console().print(f"Added {escape_unseen(folder.path)}.", markup=False, soft_wrap=True)
    _print_index(tacit, report)


def _index(tacit: Tacit, asked: _DocsOptions) -> None:
    report = _run_index(tacit)
    if asked.as_json:
        print_json(report.to_dict())
    else:
        _print_index(tacit, report)


def _remove(tacit: Tacit, asked: _DocsOptions) -> None:
    report = tacit.documents.remove(Path(asked.word))
    if asked.as_json:
        print_json(report.to_dict())
    else:
        console().print(f"Removed. Files that are searched no more: {report.removed:,}.")


def _run_index(tacit: Tacit) -> IndexReport:
    with progress_bar() as watch:
        return tacit.documents.index(lambda done, total: watch("reading", done, total))


def _print_index(tacit: Tacit, report: IndexReport) -> None:
    told = f"Files: {report.indexed:,} read, {report.unchanged:,} unchanged"
    console().print(f"{told}, {report.removed:,} gone. Chunks: {report.chunks:,} read.")
    _print_unread(report.unread)
    waiting = tacit.documents.status().waiting
    if waiting:
        notices().print(
            f"Chunks that are found by words only: {waiting:,}. tacit embed gives them vectors.",
            style="bright_black",
        )


def _print_unread(unread: tuple[UnreadFile, ...]) -> None:
    for each in unread[:_MOST_UNREAD]:
        notices().print(escape_unseen(f"{each.path}: {each.reason}"), style="yellow", markup=False)
    if len(unread) > _MOST_UNREAD:
        notices().print(f"… and {len(unread) - _MOST_UNREAD:,} more", style="yellow")


def _search(tacit: Tacit, asked: _DocsOptions) -> None:
    found = tacit.documents.search(asked.word, asked.limit)
    if asked.as_json:
        print_json(found.to_dict())
        return
    if not found.hits:
        console().print("Nothing found; see: tacit docs status", style="bright_black")
    for hit in found.hits:
        lines = f"{hit.first_line}-{hit.last_line}"
        where = Text(escape_unseen(hit.source), style="bold")
        where.append(f":{lines}", style="bright_black")
        if hit.headings:
            where.append(f"  {escape_unseen(hit.heading)}", style="cyan")
        console().print(where, soft_wrap=True)
        shown = "\n".join(map(escape_unseen, hit.text.split("\n")))
        console().print(shown, markup=False, highlight=False, soft_wrap=True)
        console().print()
    for problem in found.degraded:
        notices().print(escape_unseen(problem), style="yellow", markup=False)


def _status(tacit: Tacit, asked: _DocsOptions) -> None:
    status = tacit.documents.status()
    if asked.as_json:
        print_json(status.to_dict())
        return
    console().print(_status_table(status))
    counted = f"Files: {status.files:,}. Chunks: {status.chunks:,}"
    console().print(f"{counted}, {status.waiting:,} of them found by words only.")
    _print_unread(status.unread)


def _status_table(status: DocumentStatus) -> object:
    drawn = make_table("folder", "left out", "")
    for folder in status.folders:
        is_there = Path(folder.path).is_dir()
        drawn.add_row(
            Text(escape_unseen(folder.path), style="" if is_there else "bright_black"),
            Text(escape_unseen(", ".join(folder.exclude))),
            Text("" if is_there else "not there", style="bright_black"),
        )
    return drawn


_WORDS: Mapping[DocsAction, str] = {
    DocsAction.ADD: " FOLDER",
    DocsAction.INDEX: "",
    DocsAction.SEARCH: " TEXT",
    DocsAction.STATUS: "",
    DocsAction.REMOVE: " FOLDER",
}

_ACTIONS: Mapping[DocsAction, Callable[[Tacit, _DocsOptions], None]] = {
    DocsAction.ADD: _add,
    DocsAction.INDEX: _index,
    DocsAction.SEARCH: _search,
    DocsAction.STATUS: _status,
    DocsAction.REMOVE: _remove,
}

COMMANDS = {"docs": docs}
