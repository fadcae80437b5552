"""The command that agrees to files of a project: trust."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.output import console, print_json, table
from tacit.cli.visible import visible
from tacit.config.project import project_settings
from tacit.errors import ConfigError, InvalidInput, NotFound
from tacit.files.trust import FileContent, TrustedFile, TrustRecord, read_content, spelled
from tacit.hooks.project_files import (
    FileKind,
    ProjectFile,
    find_project_files,
    read_project_file,
)
from tacit.workflows import Origin
from tacit.workflows.checking import document_problems
from tacit.workflows.document import parse, text_of

_NEVER = "a project cannot set it"
_NEVER_USED = "a project cannot use it"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Effect:
    """One thing that a file would do, or would like to."""

    what: str
    value: str
    problem: str | None = None

    def to_dict(self) -> dict[str, str | None]:
        """Ready for JSON."""
        return {"what": self.what, "value": self.value, "ignored": self.problem}


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
        effects, problem = _examined(file)
        if not as_json:
            _show(file, effects, problem, is_trusted=file.is_trusted(record))
        if problem is None and not file.is_trusted(record) and _is_wanted(file, yes, as_json):
            _remember(record, file, as_json)
        told.append(_document(file, effects, problem, is_trusted=file.is_trusted(record)))
    if as_json:
        print_json({"files": told})
    elif not files:
        console().print("There is nothing to agree to here.")
    elif any(not each["trusted"] for each in told) and not sys.stdin.isatty() and not yes:
        raise InvalidInput("trust", "nobody is there to ask; add --yes to agree to all of it")


def _is_wanted(file: ProjectFile, yes: bool, as_json: bool) -> bool:
    """Whether the user says yes; with JSON, and where nobody is there, nobody is asked."""
    if yes or as_json or not sys.stdin.isatty():
        return yes
    return typer.confirm(f"Let {visible(spelled(file.path))} act?", default=False, err=True)


def _remember(record: TrustRecord, file: ProjectFile, as_json: bool) -> None:
    """Remember a yes to the content that was shown."""
    if file.content is not None:
        record.add(file.content.path, file.content.sha256)
    if not as_json:
        console().print(Text("Agreed. It acts from now on.", style="green"))


def _examined(file: ProjectFile) -> tuple[list[_Effect], str | None]:
    """What a file would do, and why it cannot be agreed to as it is."""
    if file.content is None:
        return [], file.problem
    try:
        return list(_EFFECTS[file.kind](file.content)), None
    except ConfigError as error:
        return [], str(error)


def _settings(content: FileContent) -> Iterator[_Effect]:
    for each in project_settings(content):
        whose = "" if each.agent is None else f" of {each.agent}"
        yield _Effect(
            what=f"{each.table}.{each.name}{whose}",
            value=_spelled(each.value),
            problem=None if each.may_act else _NEVER,
        )


def _steps(content: FileContent) -> Iterator[_Effect]:
    """The steps of a workflow; one that is misread cannot be agreed to."""
    document, misread = parse(content.path, text_of(content))
    if misread:
        raise ConfigError(str(misread[0]))
    problems: dict[int | None, str] = {}
    for each in document_problems(document, Origin.PROJECT):
        problems.setdefault(each.line, each.problem)
    if not document.is_enabled:
        yield _Effect(what="enabled", value="false", problem="it switches off itself only")
    if document.variables:
        yield _Effect(what="variables", value=_spelled(document.variables))
    for trigger, steps in document.steps.items():
        for step in steps:
            lines = [step.line, *step.lines.values()]
            wrong = next((problems[line] for line in lines if line in problems), None)
            is_allowed = Origin.PROJECT.may_use(step.action)
            parts = {**step.arguments, "when": step.when, "into": step.into}
            said = {name: value for name, value in parts.items() if value is not None}
            yield _Effect(
                what=f"{trigger}: {step.action}",
                value="\n".join(f"{name}: {_spelled(value)}" for name, value in said.items()),
                problem=wrong if is_allowed else _NEVER_USED,
            )


def _directives(content: FileContent) -> Iterator[_Effect]:
    yield _Effect(what="system side of prompts", value=_whole(content))


def _cues(content: FileContent) -> Iterator[_Effect]:
    yield _Effect(what="which context a message gets", value=_whole(content))


def _whole(content: FileContent) -> str:
    return content.data.decode("utf-8-sig", errors="backslashreplace").rstrip()


_EFFECTS: Mapping[FileKind, Callable[[FileContent], Iterator[_Effect]]] = {
    FileKind.SETTINGS: _settings,
    FileKind.WORKFLOW: _steps,
    FileKind.DIRECTIVES: _directives,
    FileKind.CUES: _cues,
}


def _spelled(value: Any) -> str:
    is_plain = isinstance(value, str)
    return value if is_plain else json.dumps(value, ensure_ascii=False, default=str)


def _show(
    file: ProjectFile, effects: list[_Effect], problem: str | None, *, is_trusted: bool
) -> None:
    heading = Text(visible(spelled(file.path)), style="bold").append(f"  {file.kind}", "not bold")
    console().print(heading, soft_wrap=True)
    for remark in _remarks(file):
        console().print(Text(visible(remark), style="yellow"), soft_wrap=True)
    if problem is not None:
        console().print(Text(visible(problem), style="red"), soft_wrap=True)
        return
    drawn = table("what", "content", "acts")
    drawn.columns[2].no_wrap, drawn.columns[2].ratio = False, 1
    for each in effects:
        acts = Text("yes", style="green") if each.problem is None else Text(visible(each.problem))
        drawn.add_row(Text(visible(each.what)), Text(_one_way(each.value)), acts)
    console().print(drawn if effects else Text("It says nothing.", style="bright_black"))
    if is_trusted:
        console().print(Text("You have agreed to it.", style="green"))


def _one_way(text: str) -> str:
    """A text that looks the same to everyone; what cannot be seen is spelled out."""
    return "".join(each if each.isprintable() or each == "\n" else _code(each) for each in text)


def _code(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _remarks(file: ProjectFile) -> Iterator[str]:
    if file.path.is_symlink():
        yield f"It is a link to {spelled(file.path.resolve())}"
    if file.content is not None and file.content.is_foreign:
        yield "It belongs to another user of this machine"


def _document(
    file: ProjectFile, effects: list[_Effect], problem: str | None, *, is_trusted: bool
) -> dict[str, Any]:
    return {
        "file": spelled(file.path),
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
        drawn.add_row(row["at"], state, Text(visible(spelled(Path(row["file"])))))
    console().print(drawn)


def _state(known: TrustedFile) -> str:
    """Whether a file still has the content that was agreed to."""
    try:
        content = read_content(Path(known.path))
    except ConfigError:
        return "gone"
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
