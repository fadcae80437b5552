"""The command that agrees to files of a project: trust, with the effects of each file."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.output import console, format_count, make_table, print_block, print_json
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import ConfigError, InvalidInput, NotFound
from tacit.core.json_value import UNWRITTEN, JsonValue, Named
from tacit.grounding.file_layout import parse_cues
from tacit.integrations.hooks.project_files import (
    FileKind,
    ProjectFile,
    find_project_files,
    read_project_file,
)
from tacit.integrations.workflows.action import FileOrigin, action_names
from tacit.integrations.workflows.checks import document_problems
from tacit.integrations.workflows.lifecycle_file import (
    LifecycleFile,
    WorkflowStep,
    decode_lifecycle,
    parse_lifecycle,
)
from tacit.runtime.trust import (
    FileContent,
    TrustedFile,
    TrustRecord,
    read_content,
    to_printable_path,
)
from tacit.settings.loader import parse_project_settings

# The effects of a project's file, or why it can have none


_NEVER = "a project cannot set it"
_NEVER_USED = "a project cannot use it"
_OFF = "the file switches itself off"
_INJECTING = "inject_context"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEffect(JsonValue):
    """One effect that a file has or would have."""

    noun: Annotated[str, UNWRITTEN]
    """The noun for one of its kind, such as setting."""
    what: str
    value: str
    problem: Annotated[str | None, Named("ignored")] = None
    injected: Annotated[str, UNWRITTEN] = ""
    """The text that would be injected."""


def examine_file(file: ProjectFile) -> tuple[list[FileEffect], str | None]:
    """What a file would do, and why it cannot be agreed to as it is."""
    if file.content is None:
        return [], file.problem
    try:
        return list(_EFFECTS[file.kind](file.content)), None
    except ConfigError as error:
        return [], str(error)


def summarize_effects(effects: Sequence[FileEffect]) -> str:
    """How many of them act, how many are ignored, and how much text would be injected."""
    acting = Counter(each.noun for each in effects if each.problem is None)
    ignored = Counter(each.noun for each in effects if each.problem is not None)
    parts = [
        f"{format_count(count, noun)} act{_verb_ending(count)}" for noun, count in acting.items()
    ]
    parts += [
        f"{format_count(count, noun)} {'is' if count == 1 else 'are'} ignored"
        for noun, count in ignored.items()
    ]
    texts = [each.injected for each in effects if each.injected and each.problem is None]
    if texts:
        size = sum(map(len, texts))
        told = f"{format_count(len(texts), 'text')} of {size:,} characters"
        parts.append(f"{told} would be injected" if len(texts) == 1 else f"{told} in all injected")
    return ", ".join(parts)


def _verb_ending(count: int) -> str:
    return "s" if count == 1 else ""


def _settings_effects(content: FileContent) -> Iterator[FileEffect]:
    for each in parse_project_settings(content):
        whose = "" if each.agent is None else f" of {each.agent}"
        yield FileEffect(
            noun="setting",
            what=f"{each.table}.{each.name}{whose}",
            value=_to_text(each.value),
            problem=None if each.may_act else _NEVER,
        )


def _workflow_effects(content: FileContent) -> Iterator[FileEffect]:
    """The variables and steps of a workflow; one with a mistake cannot be agreed to."""
    document, misread = parse_lifecycle(content.path, decode_lifecycle(content))
    wrong = [*misread, *_workflow_problems(document)]
    if wrong:
        raise ConfigError(str(wrong[0]))
    off = None if document.is_enabled else _OFF
    for name, value in document.variables.items():
        yield FileEffect(
            noun="variable", what=f"variables.{name}", value=_to_text(value), problem=off
        )
    for trigger, steps in document.steps.items():
        for step in steps:
            problem = off if FileOrigin.PROJECT.may_use(step.action) else _NEVER_USED
            yield FileEffect(
                noun="step",
                what=f"{trigger}: {step.action}",
                value=_format_arguments(step),
                problem=problem,
                injected=_to_text(step.arguments.get("text", ""))
                if step.action == _INJECTING
                else "",
            )


def _workflow_problems(document: LifecycleFile) -> Iterator[Any]:
    """What is wrong with a file, other than that it uses actions which a project cannot use."""
    known = frozenset(action_names())
    forbidden = {
        step.lines.get("action", step.line)
        for steps in document.steps.values()
        for step in steps
        if step.action in known and not FileOrigin.PROJECT.may_use(step.action)
    }
    for each in document_problems(document, FileOrigin.PROJECT):
        if not (each.line in forbidden and each.key.endswith(".action")):
            yield each


def _format_arguments(step: WorkflowStep) -> str:
    parts = {**step.arguments, "when": step.when, "into": step.into}
    said = {name: value for name, value in parts.items() if value is not None}
    return "\n".join(f"{name}: {_indent_lines(_to_text(value))}" for name, value in said.items())


def _indent_lines(text: str) -> str:
    """Indent all lines but the first, so that none of a value looks like the next name."""
    return text.replace("\n", "\n    ")


def _directives_effects(content: FileContent) -> Iterator[FileEffect]:
    what = "system side of prompts"
    text = _decode(content)
    yield FileEffect(noun="file", what=what, value=text, injected=text)


def _cues_effects(content: FileContent) -> Iterator[FileEffect]:
    parse_cues(content)
    yield FileEffect(noun="file", what="which context a message gets", value=_decode(content))


def _decode(content: FileContent) -> str:
    return content.data.decode("utf-8-sig").rstrip(" \t\r\n")


_EFFECTS: Mapping[FileKind, Callable[[FileContent], Iterator[FileEffect]]] = {
    FileKind.SETTINGS: _settings_effects,
    FileKind.WORKFLOW: _workflow_effects,
    FileKind.DIRECTIVES: _directives_effects,
    FileKind.CUES: _cues_effects,
}


def _to_text(value: Any) -> str:
    is_plain = isinstance(value, str)
    return value if is_plain else json.dumps(value, ensure_ascii=False, default=str)


# The command


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
        _agree(record, list(_find_files(paths or [Path.cwd()])), yes=yes, as_json=as_json)


def _find_files(paths: list[Path]) -> Iterator[ProjectFile]:
    for path in paths:
        if path.is_dir():
            yield from find_project_files(path.absolute())
        else:
            yield read_project_file(path.absolute())


def _agree(record: TrustRecord, files: list[ProjectFile], *, yes: bool, as_json: bool) -> None:
    told = []
    for file in files:
        effects, problem = examine_file(file)
        if not as_json:
            _show(file, effects, problem, is_trusted=file.is_trusted(record))
        if problem is None and not file.is_trusted(record) and _confirm(file, yes, as_json):
            _remember(record, file, as_json)
        told.append(_document(file, effects, problem, is_trusted=file.is_trusted(record)))
    if as_json:
        print_json({"files": told})
    elif not files:
        console().print("There is nothing to agree to here.")
    elif yes and any(each["problem"] for each in told):
        raise InvalidInput("trust", "not every file can be agreed to; mend those that cannot act")
    elif any(not each["trusted"] for each in told) and not _is_interactive() and not yes:
        raise InvalidInput("trust", "no terminal to confirm; use --yes to agree to all of it")


def _confirm(file: ProjectFile, yes: bool, as_json: bool) -> bool:
    """Whether the user says yes; with JSON, and where nobody is there, nobody is asked."""
    if yes or as_json or not _is_interactive():
        return yes
    print_block(to_printable_path(file.path), first="The file: ")
    return typer.confirm("Let it act as shown above?", default=False, err=True)


def _is_interactive() -> bool:
    """Whether a user can be asked."""
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
    file: ProjectFile, effects: list[FileEffect], problem: str | None, *, is_trusted: bool
) -> None:
    """Show every effect in full, one below the other."""
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
    told = summarize_effects(effects)
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
    file: ProjectFile, effects: list[FileEffect], problem: str | None, *, is_trusted: bool
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
    drawn = make_table("agreed", "state", "content")
    for row in listed:
        style = _STYLES[row["state"]]
        state = Text(row["state"], style=style)
        drawn.add_row(row["at"], state, Text(escape_unseen(to_printable_path(Path(row["file"])))))
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
