"""Options, filters and input that several commands share, and how they open a workspace."""

import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from tacit.api.calls.memories import SHORTEST_ENDING
from tacit.api.configuration import live_configuration
from tacit.api.tacit import Tacit
from tacit.cli.output import console, notices
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput, ModelUnavailable, NotFound, StoreUnavailable
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, MemoryType, Scope, Trust
from tacit.core.messages import check_history
from tacit.embedding.embedder import Progress as Watch
from tacit.embedding.minilm.model_files import lacks_model
from tacit.embedding.registry import EmbedderSet, open_embedder, shared_embedder
from tacit.integrations.hooks.project import find_project
from tacit.runtime.files import default_database_path
from tacit.runtime.prompt_spool import PromptSpool
from tacit.store.backends import open_store, store_exists
from tacit.store.location import is_url

# Getting the embedding model, with a progress bar


def prepare_embedder() -> str:
    """The embedder to use: the configured one, or none if its model is unavailable."""
    name = os.environ.get("TACIT_EMBEDDER") or "minilm"
    if not lacks_model(name):
        return name
    notices().print("Getting the embedding model, once: 83 MB.", style="bright_black")
    try:
        with progress_bar() as watch:
            open_embedder(name, watch)
    except ModelUnavailable as error:
        notices().print(f"Going on without vectors. {escape_unseen(str(error))}", markup=False)
        return "none"
    return name


@contextmanager
def progress_bar() -> Iterator[Watch]:
    """A progress bar on standard error, shown on a terminal only."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    watched = notices()
    hidden = not watched.is_terminal
    with Progress(
        *columns, TimeRemainingColumn(), console=watched, transient=True, disable=hidden
    ) as progress:
        task = progress.add_task("", total=None)
        yield lambda stage, done, total: progress.update(
            task, description=stage, completed=done, total=total or None
        )


# Options


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

Limit = Annotated[int, typer.Option("--limit", "-n", help="At most this many, 1 to 1000.")]
ListLimit = Annotated[
    int, typer.Option("--limit", "-n", help="At most this many, 1 to 1000; to list.")
]
"""For a command that does more than list."""

Type = Annotated[
    MemoryType | None,
    typer.Option("--type", "-t", metavar="TYPE", help=f"One of {', '.join(MemoryType)}."),
]
InScope = Annotated[
    Scope | None, typer.Option("--scope", metavar="SCOPE", help="session, project, user or org.")
]
ScopeId = Annotated[str | None, typer.Option(help="Which session, project, user or org.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A word to file it under; repeat.")]

ProjectName = Annotated[
    str | None, typer.Option("--project", help="Another project than that of this folder.")
]
NoProject = Annotated[bool, typer.Option("--no-project", help="In no project.")]

FIELD_OPTIONS: dict[str, Any] = {
    "type": Type,
    "key": Annotated[
        str | None, typer.Option("--key", "-k", help="Name of a fact with one current value.")
    ],
    "importance": Annotated[float | None, typer.Option(help="0 to 1; else by type.")],
    "confidence": Annotated[float | None, typer.Option(help="0 to 1; else by author.")],
    "user": Annotated[str | None, typer.Option(help="Whose it is: this user's.")],
    "project": Annotated[str | None, typer.Option(help="Whose it is: this project's.")],
    "session": Annotated[str | None, typer.Option(help="Whose it is: this session's.")],
    "org": Annotated[str | None, typer.Option(help="Whose it is: this organisation's.")],
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


def with_field_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has `**fields` an option for each field of a memory."""
    return add_options(FIELD_OPTIONS, _FIELD_READERS, command)


def add_options(
    options: Mapping[str, Any],
    read: Mapping[str, Callable[[str, str], Any]],
    command: Callable[..., None],
) -> Callable[..., None]:
    """Add options to a command with `**` parameters; it gets those that are used."""

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


def open_workspace(db: str | Path | None, workspace: str) -> Tacit:
    """Open the workspace that the options name, created if missing, with its embedder."""
    return Tacit.open(db, workspace, embedder=prepare_embedder())


def open_existing(db: str | None, workspace: str, *, embeds: bool = False) -> Tacit:
    """Open the workspace that the options name; StoreUnavailable if it does not exist."""
    _refuse_missing(db)
    return Tacit.open(db, workspace, embedder=prepare_embedder() if embeds else None)


def _refuse_missing(db: str | None) -> None:
    if db is not None and not store_exists(db):
        place = "the database" if is_url(db) else db
        raise StoreUnavailable(
            f"{place}: there are no memories; check its name, or begin with: tacit remember"
        )


def open_to_embed(db: str | None, workspace: str, model: str | None) -> Tacit:
    """Open an existing workspace with a new embedder, and the configured one as the previous.

    That another model serves is not told: the command is what helps.
    """
    _refuse_missing(db)
    configured = os.environ.get("TACIT_EMBEDDER") or "minilm"
    location = default_database_path() if db is None else db
    live = live_configuration(None, database=location)
    previous = configured
    if model is None or model == configured:
        model, previous = prepare_embedder(), os.environ.get("TACIT_PREVIOUS_EMBEDDER") or "none"
    embedders = EmbedderSet(shared_embedder(model), shared_embedder(previous, is_previous=True))
    return Tacit(
        open_store(location, live.current().postgres), workspace, embedder=embedders, config=live
    )


def prompt_spool(tacit: Tacit) -> PromptSpool:
    """The prompts of hooks that wait to be recorded in this database."""
    return PromptSpool.of_database(str(tacit.workspace.describe().get("path", "")), os.environ)


def choose_project(tacit: Tacit, named: str | None, *, no_project: bool) -> str | None:
    """The project that the options name, else that of the working folder, as hooks find it."""
    if no_project and named is not None:
        raise InvalidInput("project", "name one, or say --no-project, not both")
    if no_project or named is not None:
        return named
    return find_project(tacit, Path.cwd(), remember=False).id


def print_project(project: str | None, *, is_named: bool, without: str = "In no project.") -> None:
    """Say which project a command looks at, or what it means without one."""
    if project is None:
        line = without
    elif is_named:
        line = f"In the project {project}."
    else:
        line = f"In the project of this folder, {project};\n--no-project and --project choose."
    console().print(escape_unseen(line), style="bright_black", markup=False, soft_wrap=True)


def parse_local_time(field: str, written: str) -> datetime:
    """Parse a date or time, in the local zone if it names none."""
    try:
        return datetime.fromisoformat(written).astimezone()
    except (ValueError, OverflowError):
        return check_field(field, written)  # type: ignore[no-any-return]


def _parse_json(field: str, written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError as error:
        raise InvalidInput(
            field, f"is not JSON ({error}); write an object: {_SAMPLE_JSON}"
        ) from None


_SAMPLE_JSON = '{"ticket": 7}'
_FIELD_READERS: Mapping[str, Callable[[str, str], Any]] = {
    "metadata": _parse_json,
    "origin": _parse_json,
    "valid_from": parse_local_time,
    "valid_to": parse_local_time,
    "expires_at": parse_local_time,
}


# Filters: options that select memories


_FILTER_OPTIONS: dict[str, Any] = {
    "types": Annotated[
        list[str] | None, typer.Option("--type", "-t", help="Of this type; repeatable.")
    ],
    "contains": Annotated[
        str | None,
        typer.Option(help="With this in its words, key or tags."),
    ],
    "owner": Annotated[
        str | None, typer.Option(metavar="OWNER", help="Of this owner: user:ann, project:shop.")
    ],
    "scope": InScope,
    "scope_id": ScopeId,
    "agent": Annotated[str | None, typer.Option(help="What this agent may see.")],
    "user": Annotated[str | None, typer.Option(help="What this user may see.")],
    "project": Annotated[str | None, typer.Option(help="Without what belongs to other projects.")],
    "key": Annotated[str | None, typer.Option("--key", "-k", help="With this key.")],
    "tag": Annotated[str | None, typer.Option(help="With this tag.")],
    "pinned": Annotated[
        bool | None,
        typer.Option("--pinned/--not-pinned", help="Pinned or not.", show_default=False),
    ],
    "source": Annotated[
        Actor | None, typer.Option(metavar="WHO", help=f"Written by: {', '.join(Actor)}.")
    ],
    "trust": Annotated[
        Trust | None, typer.Option(metavar="TRUST", help=f"One of {', '.join(Trust)}.")
    ],
    "explicit": Annotated[
        bool | None,
        typer.Option(
            "--explicit/--not-explicit", help="Written by a person or not.", show_default=False
        ),
    ],
    "session": Annotated[str | None, typer.Option(help="Said in this session.")],
    "expires": Annotated[
        bool | None,
        typer.Option("--expires/--lasts", help="With a time to expire or not.", show_default=False),
    ],
    "min_importance": Annotated[float | None, typer.Option(help="0 to 1.")],
    "max_importance": Annotated[float | None, typer.Option(help="0 to 1.")],
    "min_confidence": Annotated[float | None, typer.Option(help="0 to 1.")],
    "created_from": Annotated[
        str | None, typer.Option(metavar="DATE", help="Written then or later.")
    ],
    "created_to": Annotated[str | None, typer.Option(metavar="DATE", help="Written before then.")],
    "updated_from": Annotated[
        str | None, typer.Option(metavar="DATE", help="Changed then or later.")
    ],
}
_FILTER_READERS = dict.fromkeys(("created_from", "created_to", "updated_from"), parse_local_time)


_NOT_FOR_ERASE = ("agent", "user", "project", "session", "owner")
"""Agents and users see more than their own, and a session is erased as a whole."""


def with_erase_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that erases and has `**filters` an option for each that fits."""
    fit = {name: option for name, option in _FILTER_OPTIONS.items() if name not in _NOT_FOR_ERASE}
    return add_options(fit, _FILTER_READERS, command)


def with_assign_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that assigns and has `**filters` an option for each that fits."""
    whose = ("scope", "scope_id", "owner", "agent", "user", "project")
    fit = {name: option for name, option in _FILTER_OPTIONS.items() if name not in whose}
    return add_options(fit, _FILTER_READERS, command)


def with_filters(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has `**filters` an option for each."""
    return add_options(_FILTER_OPTIONS, _FILTER_READERS, command)


# Input from standard input and files


def read_messages(file: Path) -> list[object]:
    """The messages of a history in a file."""
    try:
        return check_history(json.loads(file.read_bytes()))
    except OSError as error:
        raise InvalidInput("history", f"{file} cannot be read ({error.strerror})") from None
    except InvalidInput as error:
        place = "" if error.field == "history" else f"{error.field}: "
        raise InvalidInput("history", f"{file}: {place}{error.problem}") from None
    except (ValueError, RecursionError) as error:
        problem = f'{file} is not JSON ({error}); write [{{"role": "user", "content": "…"}}]'
        raise InvalidInput("history", problem) from None


_STDIN = "-"


def read_argument(field: str, argument: str) -> str:
    """An argument, or the content of standard input for `-`."""
    if argument != _STDIN:
        return argument
    try:
        return sys.stdin.buffer.read().decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} of standard input is not UTF-8; convert it first"
        raise InvalidInput(field, problem) from None


def match_ending(ending: str, ids: Iterable[str], noun: str, where: str) -> str:
    """The one id with this ending, so that people need not type whole ids.

    `where` ends the sentence "no review with an id ending …".
    """
    if len(ending) < SHORTEST_ENDING:
        problem = f"{ending!r} is too short; give at least {SHORTEST_ENDING} last characters"
        raise InvalidInput("id", problem)
    found = [id for id in ids if id.endswith(ending.lower())]
    if not found:
        raise NotFound(f"no {noun} with an id ending {ending!r} {where}")
    if len(found) > 1:
        raise InvalidInput("id", f"several {noun}s end in {ending!r}; give more of the id")
    return found[0]
