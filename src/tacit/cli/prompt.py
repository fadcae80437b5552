"""The command on the system side of prompts: show, paths."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.configuration import load_configuration
from tacit.api.workspace_files import files_beside, files_of_server
from tacit.cli import options as opt
from tacit.cli.output import console, make_table, print_json
from tacit.cli.terminal_text import escape_unseen
from tacit.core.fields import check_field
from tacit.grounding.file_layout import ConversationAddress, WorkspaceRoot
from tacit.grounding.policy import (
    LayerDisposition,
    LayerKind,
    LayerShare,
    Policy,
    PolicyLine,
    PromptRole,
    compose_policy,
)
from tacit.grounding.policy_files import PolicyLocation, list_locations, load_layers
from tacit.runtime.files import default_database_path
from tacit.settings.config import Config
from tacit.store.backends import open_store
from tacit.store.location import IN_MEMORY, is_url, parse_location

_KIND_STYLES = {
    LayerKind.ROLE: "magenta",
    LayerKind.GLOBAL: "blue",
    LayerKind.WORKSPACE: "cyan",
    LayerKind.CONTEXT: "green",
    LayerKind.SOUL: "bright_magenta",
    LayerKind.SKILL: "yellow",
    LayerKind.ACTIONS: "red",
}
_FATE_STYLES = {
    LayerDisposition.KEPT: "green",
    LayerDisposition.CUT: "yellow",
    LayerDisposition.DROPPED: "red",
    LayerDisposition.SHADOWED: "bright_black",
    LayerDisposition.SURPLUS: "bright_black",
    LayerDisposition.UNREADABLE: "red",
}
_BUNDLED = "bundled"


class PromptAction(StrEnum):
    """What can be done with the system side of prompts."""

    SHOW = "show"
    PATHS = "paths"


@dataclass(frozen=True, slots=True, kw_only=True)
class _PromptOptions:
    """What the command line says besides the action."""

    workspaces: WorkspaceRoot
    place: ConversationAddress
    role: PromptRole
    max_tokens: int
    as_json: bool


def prompt(
    action: Annotated[
        PromptAction,
        typer.Argument(
            help="show: the directives that a prompt begins with, and which file gave which line;"
            " paths: where the files are or would be."
        ),
    ],
    role: Annotated[
        PromptRole, typer.Option(metavar="ROLE", help=f"Who is talked to: {', '.join(PromptRole)}.")
    ] = PromptRole.PUBLIC,
    context: Annotated[str | None, typer.Option(help="The conversation, by its id.")] = None,
    connector: Annotated[str, typer.Option(help="Else where it is held.")] = "local",
    external_id: Annotated[str, typer.Option(help="And its id there.")] = "",
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show the directives that a prompt begins with, and where their files are."""
    settings = load_configuration(None, database=db or default_database_path())
    check_field("workspace", workspace)
    asked = _PromptOptions(
        workspaces=_workspaces(settings, db),
        place=ConversationAddress(
            workspace, context=context, connector=connector, external_id=external_id
        ),
        role=role,
        max_tokens=settings.grounding.policy_max_tokens,
        as_json=as_json,
    )
    _ACTIONS[action](asked)


def _workspaces(settings: Config, db: str | None) -> WorkspaceRoot:
    """The folder of workspaces: the one that is named, else the one beside the database."""
    if folder := settings.grounding.workspaces_folder:
        return WorkspaceRoot(Path(folder).expanduser())
    place = str(default_database_path()) if db is None else parse_location(db)
    if is_url(place):
        with closing(open_store(place, settings.postgres)) as store:
            return files_of_server(str(store.describe()["identity"])).workspaces()
    found = default_database_path() if place == IN_MEMORY else Path(place).expanduser()
    return files_beside(found).workspaces()


def _show(asked: _PromptOptions) -> None:
    layers = load_layers(asked.workspaces, asked.place, asked.role)
    policy = compose_policy(layers, asked.max_tokens)
    if asked.as_json:
        print_json(policy.to_dict())
        return
    _print_shares(policy, asked.workspaces.root)
    console().print()
    for line in policy.lines:
        console().print(_beside(line), soft_wrap=True)


def _print_shares(policy: Policy, root: Path) -> None:
    console().print(_heading(root), soft_wrap=True)
    drawn = make_table("layer", "tokens", "")
    drawn.add_column("file", overflow="fold", ratio=1)
    for share in policy.shares:
        drawn.add_row(
            _format_name(share.layer.kind, share.layer.name),
            Text(f"{share.tokens:,}" if share.tokens else "", justify="right"),
            _fate(share),
            _where(share, root),
        )
    console().print(drawn)
    told = Text(f"{policy.tokens:,} of {policy.max_tokens:,} tokens")
    if policy.tokens > policy.max_tokens:
        told.append("; the role and the actions alone are too long: shorten them", style="red")
    console().print(told, soft_wrap=True)


def _heading(root: Path) -> Text:
    return Text("Files below ", style="bold").append(escape_unseen(str(root)), "not bold")


def _fate(share: LayerShare) -> Text:
    told = Text(str(share.fate), style=_FATE_STYLES[share.fate])
    if share.fate is LayerDisposition.CUT:
        told.append(f" to {share.lines:,} of {share.of_lines:,} lines", style="bright_black")
    return told


def _where(share: LayerShare, root: Path) -> Text:
    """The file, and below it what is to be said about it."""
    source, note = share.layer.source, share.layer.note
    cell = Text(_BUNDLED if source is None else _below(root, source))
    return cell.append(escape_unseen(f"\n{note}"), "bright_black") if note else cell


def _below(root: Path, path: Path) -> str:
    return escape_unseen(str(path.relative_to(root)))


def _beside(line: PolicyLine) -> Text:
    """A line with its layer and its number in the file."""
    style = _KIND_STYLES[line.layer.kind]
    if not line.text:
        return Text(f"{'':{_MARGIN}} │", style=style)
    number = "" if line.number is None else line.number
    beside = Text(f"{line.layer.kind:<{_WIDEST}} {number:>4} │ ", style=style)
    return beside.append(escape_unseen(line.text), "bold" if line.number is None else "default")


def _paths(asked: _PromptOptions) -> None:
    found = list_locations(asked.workspaces, asked.place, asked.role)
    if asked.as_json:
        print_json([_describe_spot(spot) for spot in found])
        return
    root = asked.workspaces.root
    console().print(_heading(root), soft_wrap=True)
    drawn = make_table("layer", "")
    drawn.add_column("file", overflow="fold", ratio=1)
    for spot in found:
        is_there = _is_there(spot)
        told = Text("there", style="green") if is_there else Text("–", style="bright_black")
        drawn.add_row(
            _format_name(spot.kind, spot.name), told, Text(_below(root, _file_path(spot)))
        )
    console().print(drawn)


def _describe_spot(spot: PolicyLocation) -> dict[str, str | bool]:
    return {
        "layer": str(spot.kind),
        "name": spot.name,
        "path": str(_file_path(spot)),
        "exists": _is_there(spot),
    }


def _file_path(spot: PolicyLocation) -> Path:
    """A path; for skills with what their files are called."""
    return spot.path / "*.md" if spot.kind is LayerKind.SKILL else spot.path


def _is_there(spot: PolicyLocation) -> bool:
    try:
        return any(spot.path.glob("*.md")) if spot.kind is LayerKind.SKILL else spot.path.exists()
    except OSError:
        return False


def _format_name(kind: LayerKind, name: str) -> Text:
    told = Text(str(kind), style=_KIND_STYLES[kind])
    return told if name == kind else told.append(f" {escape_unseen(name)}", "bright_black")


_WIDEST = max(map(len, LayerKind))
_MARGIN = _WIDEST + len(" 9999")

_ACTIONS: Mapping[PromptAction, Callable[[_PromptOptions], None]] = {
    PromptAction.SHOW: _show,
    PromptAction.PATHS: _paths,
}

COMMANDS = {"prompt": prompt}
