"""Commands that account for a turn: explain, last."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.account import last_receipt, print_account
from tacit.cli.histories import read_messages
from tacit.cli.output import console, day, print_json
from tacit.cli.visible import visible
from tacit.core.errors import InvalidInput
from tacit.core.receipt import Receipt
from tacit.integrations.hooks.project import project_notice
from tacit.settings.checking import check
from tacit.settings.definition import Definition, Kind, definition
from tacit.settings.injection import InjectionSettings

_PATIENCE_MS = 30_000
"""The process has just started: the model and the workspace are still to be loaded."""

Everything = Annotated[bool, typer.Option("--all", help="Show what is below the floor too.")]


def explain(
    text: Annotated[str, typer.Argument(help="What somebody would say.")],
    session: Annotated[str, typer.Option(help="The session it would be said in.")] = "default",
    agent: Annotated[str | None, typer.Option(help="The agent that would answer.")] = None,
    user: Annotated[str | None, typer.Option(help="Who would say it.")] = None,
    project: Annotated[str | None, typer.Option(help="The project it belongs to.")] = None,
    org: Annotated[str | None, typer.Option(help="The organisation it belongs to.")] = None,
    history: Annotated[
        Path | None, typer.Option(help="A JSON file: the list of messages before it.")
    ] = None,
    assigned: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a setting for once; repeat."),
    ] = None,
    everything: Everything = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what a turn would inject, and why; nothing happens.

    Without a history, what the session was shown within its window is taken to be in view.
    """
    settings = {"deadline_ms": _PATIENCE_MS} | _settings(assigned or ())
    places = {"agent": agent, "user": user, "project": project, "org": org}
    said_before = None if history is None else read_messages(history)
    with opt.existing(db, workspace, embeds=True) as tacit:
        turn = tacit.preview(session=session, text=text, history=said_before, **places, **settings)
        _show(tacit, turn.receipt, turn.block, everything=everything, as_json=as_json)


def last(
    session: Annotated[str | None, typer.Option(help="The last turn of this session.")] = None,
    everything: Everything = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what the last turn injected, and why."""
    with opt.existing(db, workspace) as tacit:
        receipt = last_receipt(tacit, session)
        if not as_json:
            console().print(_heading(receipt), soft_wrap=True)
            _print_notice(tacit, receipt)
        block = _block_text(tacit, receipt)
        _show(tacit, receipt, block, everything=everything, as_json=as_json)


def _show(
    tacit: Tacit, receipt: Receipt, block: str | None, *, everything: bool, as_json: bool
) -> None:
    if as_json:
        print_json(receipt.to_dict() | {"block_text": block})
    else:
        print_account(tacit, receipt, block, everything=everything)


def _print_notice(tacit: Tacit, receipt: Receipt) -> None:
    """Say that the folder of a turn could share the memory of a project that is known elsewhere."""
    for place in tacit.project_places():
        if place.project is None and receipt.project == place.checkout.own_project:
            notice = project_notice(tacit.match_project(place.checkout), place.label)
            console().print(visible(notice), style="yellow", markup=False, soft_wrap=True)


def _block_text(tacit: Tacit, receipt: Receipt) -> str | None:
    """The words of a turn's block, which the session keeps."""
    if receipt.block is None:
        return None
    blocks = tacit.session(receipt.session).blocks
    return next((each.placement.text for each in blocks if each.id == receipt.block), None)


def _heading(receipt: Receipt) -> Text:
    """When and where a turn was, the id to name it by, and what was said."""
    where = f"turn {receipt.turn} of session {receipt.session}, {day(receipt.at)}"
    line = Text(visible(where), style="bold")
    line.append(f"  receipt {receipt.id}\n", style="not bold bright_black")
    return line.append(visible(receipt.query), style="not bold italic")


def _settings(assigned: Iterable[str]) -> dict[str, Any]:
    """Settings out of name=value, each accepted by its definition."""
    settings = {}
    for written in assigned:
        name, equals, value = written.partition("=")
        if not equals:
            raise InvalidInput("set", f"{written!r} has no value; write search_limit=5")
        setting = definition(InjectionSettings, name.strip())
        accepted = check(InjectionSettings, setting.name, _value(setting, value.strip()))
        settings[setting.name] = accepted
    return settings


def _value(setting: Definition, written: str) -> Any:
    """A value as a person writes it; what cannot be read is left to the check to refuse."""
    if setting.kind in (Kind.TYPES, Kind.SCOPES):
        return [name.strip() for name in written.split(",") if name.strip()]
    if setting.kind is Kind.CHOICE:
        return written
    try:
        return json.loads(written.lower())
    except (ValueError, RecursionError):
        return written


COMMANDS = {"explain": explain, "last": last}
