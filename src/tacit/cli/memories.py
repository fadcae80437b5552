"""Memories: remember, get, list, edit, forget, restore, assign, link, history."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.episodes import print_episode, print_forgotten
from tacit.cli.options import progress_bar, read_argument, with_assign_filters, with_filters
from tacit.cli.output import (
    SHORT_ID,
    console,
    notices,
    print_history,
    print_json,
    print_memories,
    print_memory,
    print_written,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.changes import AuditEntry
from tacit.core.episodes import Episode, is_episode_id
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import MAX_LIMIT
from tacit.core.kinds import Actor, Relation, Sort, State
from tacit.runtime.clock import system_clock
from tacit.writing.assignment import Assignment
from tacit.writing.draft import Written

_FULL_ID = 36
"""The length of a full id."""

_CLEARABLE: dict[str, Any] = {
    "key": None,
    "agent": None,
    "tags": (),
    "metadata": {},
    "valid_from": None,
    "valid_to": None,
    "expires_at": None,
}


@opt.with_field_options
def remember(
    content: Annotated[str, typer.Argument(help='What to keep; "-" reads standard input.')],
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
    **fields: Any,
) -> None:
    """Store a memory. Duplicates are detected."""
    with opt.open_workspace(db, workspace) as tacit:
        written = tacit.remember(read_argument("content", content), by=by, **fields)
    print_written([written], as_json=as_json)


def get(
    id: opt.Id,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show one memory."""
    with opt.open_existing(db, workspace) as tacit:
        whole = tacit.memories.find_id(id)
        if is_episode_id(whole):
            _show_episode(tacit.episodes.get(whole), as_json=as_json)
            return
        memory = tacit.get(whole)
        links = tacit.memories.links(memory.id, limit=MAX_LIMIT)
    if as_json:
        print_json(memory.to_dict() | {"links": [link.to_dict() for link in links]})
        return
    print_memory(memory, system_clock())
    for link in links:
        console().print(
            f"{link.source[-SHORT_ID:]} {link.relation} {link.target[-SHORT_ID:]} ({link.weight:g})"
        )


@with_filters
def list_(
    state: Annotated[State, typer.Option(help="Which ones.")] = State.LIVE,
    everything: Annotated[bool, typer.Option("--all", help="In every state.")] = False,
    sort: Annotated[Sort, typer.Option(help="In this order.")] = Sort.RECENT,
    limit: opt.Limit = 50,
    after: Annotated[str | None, typer.Option(help="Go on after this id.")] = None,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
    **filters: Any,
) -> None:
    """List memories."""
    with opt.open_existing(db, workspace) as tacit:
        found = tacit.list(
            state=None if everything else state,
            sort=sort,
            limit=limit,
            after=None if after is None else tacit.memories.find_id(after),
            **filters,
        )
    if as_json:
        print_json([memory.to_dict() for memory in found])
    elif found:
        print_memories(found, system_clock())
        if len(found) == limit:
            console().print(f"[bright_black]more: --after {found[-1].id[-SHORT_ID:]}[/]")
    else:
        console().print("No memory in this workspace matches.", style="bright_black")


@opt.with_field_options
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
    changes = fields | {name: _CLEARABLE[name] for name in map(_clearable_help, clear or [])}
    if content is not None:
        changes["content"] = read_argument("content", content)
    with opt.open_existing(db, workspace, embeds=True) as tacit:
        written = tacit.edit(tacit.memories.find_id(id), by=by, **changes)
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
    with opt.open_existing(db, workspace) as tacit:
        whole = [tacit.memories.find_id(id) for id in ids]
        written = [tacit.forget(id, by=by) for id in whole if not is_episode_id(id)]
        said = [tacit.episodes.forget(id, by=by) for id in whole if is_episode_id(id)]
    _print_changed(written, said, as_json=as_json)


def restore(
    ids: opt.Ids,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Bring back what was forgotten or replaced.

    What was replaced holds again beside what replaced it.
    """
    with opt.open_existing(db, workspace) as tacit:
        whole = [tacit.memories.find_id(id) for id in ids]
        written = [tacit.restore(id, by=by) for id in whole if not is_episode_id(id)]
        said = [tacit.episodes.restore(id, by=by) for id in whole if is_episode_id(id)]
    _print_changed(written, said, as_json=as_json)


def _show_episode(said: Episode, *, as_json: bool) -> None:
    if as_json:
        print_json(said.to_dict())
    else:
        print_episode(said)


def _print_changed(written: Sequence[Written], said: Sequence[Episode], *, as_json: bool) -> None:
    """What became of memories and episodes."""
    if written or not said:
        print_written(written, as_json=as_json)
    for each in said:
        print_forgotten(each, as_json=as_json)


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
    with opt.open_existing(db, workspace) as tacit:
        ends = tacit.memories.find_id(source), tacit.memories.find_id(target)
        if remove:
            tacit.memories.unlink(*ends, relation, by=by)
            done = {"source": ends[0], "target": ends[1], "relation": str(relation)}
        else:
            done = tacit.memories.link(*ends, relation, weight=weight, by=by).to_dict()
    if as_json:
        print_json(done | {"removed": remove})
    else:
        said = "removed" if remove else "linked"
        console().print(f"{said}: {ends[0][-SHORT_ID:]} {relation} {ends[1][-SHORT_ID:]}")


def history(
    id: opt.Id,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show every change of a memory.

    What, when, who, and the values before and after. One that was erased is named by its whole id.
    """
    with opt.open_existing(db, workspace) as tacit:
        whole = id.lower() if len(id) == _FULL_ID else tacit.memories.find_id(id)
        entries = tacit.memories.history(whole, limit=MAX_LIMIT)
        successors = _load_successors(tacit, entries)
    if as_json:
        print_json([entry.to_dict() for entry in entries])
        return
    print_history(entries, successors=successors)


def _load_successors(tacit: Tacit, entries: Sequence[AuditEntry]) -> dict[str, str]:
    """The words of the memories that replaced one, by id, unless they were erased."""
    found: dict[str, str] = {}
    for entry in entries:
        id = (entry.new or {}).get("superseded_by")
        if id is not None:
            with suppress(NotFound):
                found[id] = tacit.get(id).content
    return found


def _clearable_help(field: str) -> str:
    name = "expires_at" if field == "expires" else field.replace("-", "_")
    if name not in _CLEARABLE:
        raise InvalidInput(
            "clear", f"{field!r} cannot be empty; these can: {', '.join(_CLEARABLE)}"
        )
    return name


# assign


@with_assign_filters
def assign(
    user: Annotated[str, typer.Option(help="Whose they are to be.")],
    ids: Annotated[
        list[str] | None, typer.Argument(help="Ids, or enough of their endings; else all.")
    ] = None,
    from_user: Annotated[
        str, typer.Option("--from", metavar="USER", help="All of this user; else those of no user.")
    ] = "",
    state: Annotated[State | None, typer.Option(help="Only in this state; else in all.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would change.")
    ] = False,
    yes: opt.Yes = False,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
    **filters: Any,
) -> None:
    """Give memories to a user.

    Name memories, or leave them out for all that belong to no user; --from takes those of another
    user, and filters as of list narrow that, in every state. What the user has already is merged,
    and each change is in the history. If it was interrupted, run it again.
    """
    with opt.open_existing(db, workspace) as tacit:
        chosen: dict[str, Any] = {"from_user": from_user, "by": by, "state": state, **filters}
        if ids:
            chosen["ids"] = [tacit.memories.find_id(each) for each in ids]
        done = _assign(tacit, user, chosen, dry_run=dry_run, yes=yes)
    if as_json:
        print_json(done.to_dict())
    else:
        console().print(_describe_assignment(done), markup=False, soft_wrap=True)


def _assign(
    tacit: Tacit, user: str, chosen: dict[str, Any], *, dry_run: bool, yes: bool
) -> Assignment:
    if dry_run or not yes:
        planned = tacit.memories.assign(user, dry_run=True, **chosen)
        if dry_run or planned.total == planned.unchanged:
            return planned
        notices().print(_describe_assignment(planned), markup=False, soft_wrap=True)
        typer.confirm("Assign them?", abort=True, err=True)
    with progress_bar() as watch:
        return tacit.memories.assign(
            user, progress=lambda done, total: watch("assigning", done, total), **chosen
        )


def _describe_assignment(done: Assignment) -> str:
    lines = [escape_unseen(line) for line in done.lines]
    if not lines:
        return "No memory matches, so nothing changes."
    return "\n".join(["This would be done:", *lines] if done.dry_run else lines)


COMMANDS = {
    "remember": remember,
    "get": get,
    "list": list_,
    "edit": edit,
    "forget": forget,
    "restore": restore,
    "link": link,
    "history": history,
    "assign": assign,
}
