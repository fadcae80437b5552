"""Options that several commands share."""

import inspect
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit.api.tacit import Tacit
from tacit.cli.readiness import ready_embedder
from tacit.core.errors import InvalidInput, StoreUnavailable
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, MemoryType, Scope, Trust
from tacit.store.backends import store_exists
from tacit.store.location import is_url

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
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
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
    "pinned": Annotated[
        bool | None, typer.Option("--pin/--unpin", help="In view while ambient awareness is on.")
    ],
    "valid_from": Annotated[str | None, typer.Option(metavar="DATE", help="True since.")],
    "valid_to": Annotated[str | None, typer.Option(metavar="DATE", help="True until.")],
    "expires_at": Annotated[
        str | None, typer.Option("--expires", metavar="DATE", help="Gone from then on.")
    ],
}


def takes_fields(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has `**fields` an option for each field of a memory."""
    return taking(FIELDS, _READ, command)


def taking(
    options: Mapping[str, Any],
    read: Mapping[str, Callable[[str, str], Any]],
    command: Callable[..., None],
) -> Callable[..., None]:
    """Give a command that takes any names more options; it is told of those that are used."""

    @wraps(command)
    def run(**arguments: Any) -> None:
        said = {name: arguments.pop(name) for name in options}
        given = {
            name: read[name](name, value) if name in read else value
            for name, value in said.items()
            if value is not None
        }
        command(**arguments, **given)

    signature = inspect.signature(command)
    own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in options.items()
    ]
    parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own]
    parameters[1:1] = added
    run.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return run


def opened(db: str | Path | None, workspace: str) -> Tacit:
    """The store that the options name, made where there is none, with an embedder that is ready."""
    return Tacit.open(db, workspace, embedder=ready_embedder())


def existing(db: str | None, workspace: str, *, embeds: bool = False) -> Tacit:
    """The store that the options name, for commands that have nothing to do in a new one."""
    if db is not None and not store_exists(db):
        place = "the database" if is_url(db) else db
        raise StoreUnavailable(
            f"{place}: there are no memories; check its name, or begin with: tacit remember"
        )
    return Tacit.open(db, workspace, embedder=ready_embedder() if embeds else None)


def local(field: str, written: str) -> datetime:
    """A date or time as people at a terminal mean it: in their own zone if they name none."""
    try:
        return datetime.fromisoformat(written).astimezone()
    except (ValueError, OverflowError):
        return check_field(field, written)  # type: ignore[no-any-return]


def _parsed(field: str, written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError as error:
        raise InvalidInput(field, f"is not JSON ({error}); write an object: {_SAMPLE}") from None


_SAMPLE = '{"ticket": 7}'
_READ: Mapping[str, Callable[[str, str], Any]] = {
    "metadata": _parsed,
    "origin": _parsed,
    "valid_from": local,
    "valid_to": local,
    "expires_at": local,
}
