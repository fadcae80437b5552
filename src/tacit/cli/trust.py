"""The command that agrees to files of a project: trust."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.effects import Effect, examined, summary
from tacit.cli.output import console, print_block, print_json, table
from tacit.cli.visible import visible
from tacit.core.errors import ConfigError, InvalidInput, NotFound
from tacit.integrations.hooks.project_files import (
    ProjectFile,
    find_project_files,
    read_project_file,
)
from tacit.runtime.trust import TrustedFile, TrustRecord, read_content, to_printable_path


def trust(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATHS", help="Files or folders; without any, the current folder."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree without being asked.")] = False,
    listing: Annotated[
        bool, typer.Option("--list", help="List what you have agreed to, and whether it changed.")
    ] = False,
    revoke: Annotated[
        bool, typer.Option("--revoke", help="Take it back, for files or all files in folders.")
    ] = False,
    as_json: opt.Json = False,
) -> None:
    """Show what files of a project would do, and let them act.

    A tacit.toml in the current folder, workflows in .tacit of its repository and directives beside
    a database in a repository are ignored until you agree to their content, and after a change.
    """
    if listing and (paths or revoke or yes):
        raise InvalidInput("list", "takes no paths and no other option")
    record = TrustRecord()
    if listing:
        _list(record, as_json)
    elif revoke:
        _revoke(record, paths or [], as_json)
    else:
        _agree(record, list(_found(paths or [Path.cwd()])), yes=yes, as_json=as_json)


def _found(paths: list[Path]) -> Iterator[ProjectFile]:
    for path in paths:
        if path.is_dir():
            yield from find_project_files(path.absolute())
        else:
            yield read_project_file(path.absolute())


def _agree(record: TrustRecord, files: list[ProjectFile], *, yes: bool, as_json: bool) -> None:
    told = []
    for file in files:
        effects, problem = examined(file)
        if not as_json:
            _show(file, effects, problem, is_trusted=file.is_trusted(record))
        if problem is None and not file.is_trusted(record) and _is_wanted(file, yes, as_json):
            _remember(record, file, as_json)
        told.append(_document(file, effects, problem, is_trusted=file.is_trusted(record)))
    if as_json:
        print_json({"files": told})
    elif not files:
        console().print("There is nothing to agree to here.")
    elif yes and any(each["problem"] for each in told):
        raise InvalidInput("trust", "not every file can be agreed to; mend those that cannot act")
    elif any(not each["trusted"] for each in told) and not _is_there() and not yes:
        raise InvalidInput("trust", "nobody is there to ask; add --yes to agree to all of it")


def _is_wanted(file: ProjectFile, yes: bool, as_json: bool) -> bool:
    """Whether the user says yes; with JSON, and where nobody is there, nobody is asked."""
    if yes or as_json or not _is_there():
        return yes
    print_block(to_printable_path(file.path), first="The file: ")
    return typer.confirm("Let it act as shown above?", default=False, err=True)


def _is_there() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def _remember(record: TrustRecord, file: ProjectFile, as_json: bool) -> None:
    """Remember a yes to the content that was shown."""
    if file.content is not None:
        record.add(file.content.path, file.content.sha256)
    if as_json:
        return
    if read_project_file(file.path).is_trusted(record):
        console().print(Text("Agreed. It acts from now on.", style="green"))
    else:
        told = "It has changed since it was shown, so it does not act; look at it again."
        console().print(Text(told, style="yellow"))


def _show(
    file: ProjectFile, effects: list[Effect], problem: str | None, *, is_trusted: bool
) -> None:
    """Every character of what it would do, below each other, so that nothing takes room away."""
    print_block(to_printable_path(file.path), first=f"{file.kind}: ", style="bold")
    for remark in _remarks(file):
        print_block(remark, first="  ", style="yellow")
    if problem is not None:
        print_block(problem, first="  cannot act: ", style="red")
        return
    for number, each in enumerate(effects, 1):
        acts = "acts" if each.problem is None else f"ignored, {each.problem}"
        style = "green" if each.problem is None else "bright_black"
        print_block(each.what, first=f"  {number}. {acts}: ", style=style)
        if each.value:
            print_block(each.value, first="     | ", following="     | ")
    told = summary(effects)
    print_block(f"{told or 'it says nothing'}.", first="In all: ")
    if is_trusted:
        console().print(Text("You have agreed to it.", style="green"))


def _remarks(file: ProjectFile) -> Iterator[str]:
    if file.content is not None and file.path.resolve() != file.path:
        target = to_printable_path(file.path.resolve())
        yield f"It is a link, or in a folder that is one, to {target}"
    if file.content is not None and file.content.is_foreign:
        yield "It belongs to another user of this machine"


def _document(
    file: ProjectFile, effects: list[Effect], problem: str | None, *, is_trusted: bool
) -> dict[str, Any]:
    return {
        "file": to_printable_path(file.path),
        "kind": file.kind,
        "sha256": None if file.content is None else file.content.sha256,
        "trusted": is_trusted,
        "effects": [each.to_dict() for each in effects],
        "problem": problem,
    }


def _list(record: TrustRecord, as_json: bool) -> None:
    if problem := record.problem():
        raise ConfigError(problem)
    listed = [
        {"file": each.path, "sha256": each.sha256, "at": each.at, "state": _state(each)}
        for each in record.files()
    ]
    if as_json:
        print_json({"files": listed})
        return
    if not listed:
        console().print("You have agreed to no file of any project.")
        return
    drawn = table("agreed", "state", "content")
    for row in listed:
        style = _STYLES[row["state"]]
        state = Text(row["state"], style=style)
        drawn.add_row(row["at"], state, Text(visible(to_printable_path(Path(row["file"])))))
    console().print(drawn)


def _state(known: TrustedFile) -> str:
    """Whether a file still has the content that was agreed to."""
    path = Path(known.path)
    try:
        content = read_content(path)
    except ConfigError:
        return "changed" if path.exists() else "gone"
    return "acts" if content.sha256 == known.sha256 else "changed"


_STYLES: Mapping[str, str] = {"acts": "green", "changed": "yellow", "gone": "bright_black"}


def _revoke(record: TrustRecord, paths: list[Path], as_json: bool) -> None:
    if not paths:
        raise InvalidInput("revoke", "name a file or a folder; tacit trust --list shows them")
    number = sum(record.revoke(path.absolute()) for path in paths)
    if not number:
        raise NotFound("you have agreed to nothing there; tacit trust --list shows what there is")
    if as_json:
        print_json({"revoked": number})
    else:
        console().print("Taken back." if number == 1 else f"Taken back, {number} times.")


COMMANDS = {"trust": trust}
