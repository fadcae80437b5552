"""Options that several commands share."""

import inspect
import json
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit.cli.readiness import ready_embedder
from tacit.engine import Tacit
from tacit.errors import InvalidInput, StoreUnavailable
from tacit.memory import Actor, MemoryType, Scope, Trust, check
from tacit.store import exists, is_url

Db = Annotated[
    str | None,
    typer.Option(
        "--db", envvar="TACIT_DB", help="Database file, or postgresql:// URL; else your own."
    ),
]
Workspace = Annotated[
    str, typer.Option("--workspace", "-w", envvar="TACIT_WORKSPACE", help="Tenant to work in.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
By = Annotated[
    Actor, typer.Option("--by", metavar="WHO", help=f"Who is asking: {', '.join(Actor)}.")
]

Id = Annotated[str, typer.Argument(help="A memory's id, or enough of its ending.")]
Ids = Annotated[list[str], typer.Argument(help="Ids, or enough of their endings.")]

Type = Annotated[
    MemoryType | None,
    typer.Option("--type", "-t", metavar="TYPE", help=f"One of {', '.join(MemoryType)}."),
]
InScope = Annotated[
    Scope | None, typer.Option("--scope", metavar="SCOPE", help="session, project, user or org.")
]
ScopeId = Annotated[str | None, typer.Option(help="Which session, project, user or org.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A word to file it under; repeat.")]

FIELDS: dict[str, Any] = {
    "type": Type,
    "key": Annotated[
        str | None, typer.Option("--key", "-k", help="Name of a fact with one current value.")
    ],
    "importance": Annotated[float | None, typer.Option(help="0 to 1; else by type.")],
    "confidence": Annotated[float | None, typer.Option(help="0 to 1; else by author.")],
    "scope": InScope,
    "scope_id": ScopeId,
    "agent": Annotated[str | None, typer.Option(help="Visible to this agent only.")],
    "trust": Annotated[
        Trust | None, typer.Option(metavar="TRUST", help=f"{', '.join(Trust)}; else by author.")
    ],
    "tags": Tags,
    "metadata": Annotated[str | None, typer.Option(help="A JSON object of your own.")],
    "origin": Annotated[
        str | None, typer.Option(help="JSON of session, ordinal, speaker, time, file, url.")
    ],
    "pinned": Annotated[bool | None, typer.Option("--pin/--unpin", help="Always in view.")],
    "valid_from": Annotated[str | None, typer.Option(metavar="DATE", help="True since.")],
    "valid_to": Annotated[str | None, typer.Option(metavar="DATE", help="True until.")],
    "expires_at": Annotated[
        str | None, typer.Option("--expires", metavar="DATE", help="Gone from then on.")
    ],
}


def takes_fields(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has `**fields` an option for each field of a memory."""

    @wraps(command)
    def run(**arguments: Any) -> None:
        fields = {name: arguments.pop(name) for name in FIELDS}
        for name in ("metadata", "origin"):
            fields[name] = _parsed(name, fields[name])
        for name in ("valid_from", "valid_to", "expires_at"):
            fields[name] = _local(name, fields[name])
        given = {name: value for name, value in fields.items() if value is not None}
        command(**arguments, **given)

    signature = inspect.signature(command)
    own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in FIELDS.items()
    ]
    parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own]
    parameters[1:1] = options
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def opened(db: str | Path | None, workspace: str) -> Tacit:
    """The store that the options name, made where there is none, with an embedder that is ready."""
    return Tacit.open(db, workspace, embedder=ready_embedder())


def existing(db: str | None, workspace: str, *, embeds: bool = False) -> Tacit:
    """The store that the options name, for commands that have nothing to do in a new one."""
    if db is not None and not exists(db):
        place = "the database" if is_url(db) else db
        raise StoreUnavailable(
            f"{place}: there are no memories; check its name, or begin with: tacit remember"
        )
    return Tacit.open(db, workspace, embedder=ready_embedder() if embeds else None)


def _local(field: str, written: str | None) -> datetime | None:
    """A date or time as people at a terminal mean it: in their own zone if they name none."""
    if written is None:
        return None
    try:
        return datetime.fromisoformat(written).astimezone()
    except (ValueError, OverflowError):
        return check(field, written)  # type: ignore[no-any-return]


def _parsed(field: str, written: str | None) -> Any:
    if written is None:
        return None
    try:
        return json.loads(written)
    except ValueError as error:
        raise InvalidInput(field, f"is not JSON ({error}); write an object: {_SAMPLE}") from None


_SAMPLE = '{"ticket": 7}'
