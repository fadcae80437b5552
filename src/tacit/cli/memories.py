"""Commands on memories: remember, get, list, edit, forget, restore, link, history."""

from typing import Annotated, Any

import typer

from tacit.cli import options as opt
from tacit.cli.filters import takes_filters
from tacit.cli.output import (
    SHORT,
    console,
    print_history,
    print_json,
    print_memories,
    print_memory,
    print_written,
)
from tacit.cli.piped import given
from tacit.core.errors import InvalidInput
from tacit.core.kinds import Actor, Relation, Sort, State
from tacit.runtime.clock import system_clock

_WHOLE = 36
"""The length of an id that nothing was cut off from."""

_CLEARABLE: dict[str, Any] = {
    "key": None,
    "agent": None,
    "tags": (),
    "metadata": {},
    "valid_from": None,
    "valid_to": None,
    "expires_at": None,
}


@opt.takes_fields
def remember(
    content: Annotated[str, typer.Argument(help='What to keep; "-" reads standard input.')],
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
    **fields: Any,
) -> None:
    """Keep a statement; said again, it is recognised."""
    with opt.opened(db, workspace) as tacit:
        written = tacit.remember(given("content", content), by=by, **fields)
    print_written([written], as_json=as_json)


def get(
    id: opt.Id,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show one memory."""
    with opt.existing(db, workspace) as tacit:
        memory = tacit.get(tacit.find_id(id))
        links = tacit.links(memory.id)
    if as_json:
        print_json(memory.to_dict() | {"links": [link.to_dict() for link in links]})
        return
    print_memory(memory, system_clock())
    for link in links:
        console().print(
            f"{link.source[-SHORT:]} {link.relation} {link.target[-SHORT:]} ({link.weight:g})"
        )


@takes_filters
def list_(
    state: Annotated[State, typer.Option(help="Which ones.")] = State.LIVE,
    everything: Annotated[bool, typer.Option("--all", help="In every state.")] = False,
    sort: Annotated[Sort, typer.Option(help="In this order.")] = Sort.RECENT,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many, 1 to 1000.")] = 50,
    after: Annotated[str | None, typer.Option(help="Go on after this id.")] = None,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
    **filters: Any,
) -> None:
    """List memories."""
    with opt.existing(db, workspace) as tacit:
        found = tacit.list(
            state=None if everything else state,
            sort=sort,
            limit=limit,
            after=None if after is None else tacit.find_id(after),
            **filters,
        )
    if as_json:
        print_json([memory.to_dict() for memory in found])
    elif found:
        print_memories(found, system_clock())
        if len(found) == limit:
            console().print(f"[bright_black]more: --after {found[-1].id[-SHORT:]}[/]")
    else:
        console().print("No memory in this workspace matches.", style="bright_black")


@opt.takes_fields
def edit(
    id: opt.Id,
    content: Annotated[str | None, typer.Option(help='New words; "-" reads input.')] = None,
    clear: Annotated[
        list[str] | None, typer.Option(help=f"Empty one of {', '.join(_CLEARABLE)}; repeat.")
    ] = None,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
    **fields: Any,
) -> None:
    """Change what is named, keep the rest."""
    changes = fields | {name: _CLEARABLE[name] for name in map(_clearable, clear or [])}
    if content is not None:
        changes["content"] = given("content", content)
    with opt.existing(db, workspace, embeds=True) as tacit:
        written = tacit.edit(tacit.find_id(id), by=by, **changes)
    print_written([written], as_json=as_json)


def forget(
    ids: opt.Ids,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Hide memories from every read.

    Nothing is lost: restore brings them back.
    """
    with opt.existing(db, workspace) as tacit:
        whole = [tacit.find_id(id) for id in ids]
        written = [tacit.forget(id, by=by) for id in whole]
    print_written(written, as_json=as_json)


def restore(
    ids: opt.Ids,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Bring back what was forgotten."""
    with opt.existing(db, workspace) as tacit:
        whole = [tacit.find_id(id) for id in ids]
        written = [tacit.restore(id, by=by) for id in whole]
    print_written(written, as_json=as_json)


def link(
    source: Annotated[str, typer.Argument(help="Id of the one memory.")],
    target: Annotated[str, typer.Argument(help="Id of the other.")],
    relation: Annotated[
        Relation, typer.Option("--relation", "-r", help="What the first is to the second.")
    ] = Relation.RELATED_TO,
    weight: Annotated[float, typer.Option(help="0 to 1.")] = 0.5,
    remove: Annotated[bool, typer.Option("--remove", help="Remove it instead.")] = False,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Relate two memories; a repeat changes the weight."""
    with opt.existing(db, workspace) as tacit:
        ends = tacit.find_id(source), tacit.find_id(target)
        if remove:
            tacit.unlink(*ends, relation, by=by)
            done = {"source": ends[0], "target": ends[1], "relation": str(relation)}
        else:
            done = tacit.link(*ends, relation, weight=weight, by=by).to_dict()
    if as_json:
        print_json(done | {"removed": remove})
    else:
        said = "removed" if remove else "linked"
        console().print(f"{said}: {ends[0][-SHORT:]} {relation} {ends[1][-SHORT:]}")


def history(
    id: opt.Id,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show every change of a memory.

    What, when, who, and the values before and after. One that was erased is named by its whole id.
    """
    with opt.existing(db, workspace) as tacit:
        entries = tacit.history(id.lower() if len(id) == _WHOLE else tacit.find_id(id))
    if as_json:
        print_json([entry.to_dict() for entry in entries])
        return
    print_history(entries)


def _clearable(field: str) -> str:
    name = "expires_at" if field == "expires" else field.replace("-", "_")
    if name not in _CLEARABLE:
        raise InvalidInput(
            "clear", f"{field!r} cannot be empty; these can: {', '.join(_CLEARABLE)}"
        )
    return name


COMMANDS = {
    "remember": remember,
    "get": get,
    "list": list_,
    "edit": edit,
    "forget": forget,
    "restore": restore,
    "link": link,
    "history": history,
}
