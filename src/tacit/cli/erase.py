"""The command that erases for good: one memory, or all of an owner, a session or filters."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import typer

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.options import with_erase_filters
from tacit.cli.output import console, make_table, notices, print_history, print_json, print_memories
from tacit.cli.terminal_text import escape_unseen
from tacit.core.episodes import is_episode_id
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import MAX_LIMIT
from tacit.core.kinds import Actor, Scope, State
from tacit.core.memory import Memory
from tacit.runtime.clock import system_clock
from tacit.writing.erasure import Erasure, Sweep

_SHOWN = 20
_FULL_ID = 36
"""The length of a full id, by which an erased memory can be named again."""
_NOTHING = "Nothing in workspace {workspace} is like that, so nothing was erased."


@dataclass(frozen=True, slots=True)
class _ManyMemories:
    """An erasure of many things, and the filters of the memories in it, if there are any."""

    erase: Callable[..., Sweep]
    filters: Mapping[str, Any] | None


@with_erase_filters
def erase(
    id: Annotated[
        str | None, typer.Argument(help="A memory's id, or enough of its ending.")
    ] = None,
    owner: Annotated[
        str | None,
        typer.Option(
            metavar="SCOPE:ID",
            help="All of an owner, such as user:ann; stands alone.",
        ),
    ] = None,
    unnamed: Annotated[
        Scope | None,
        typer.Option(help="All of the owner without a name; a personal store's user is one."),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(metavar="ID", help="A session and all that was said in it; stands alone."),
    ] = None,
    namespace: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="All items of a namespace, as users/ann; stands alone."),
    ] = None,
    state: Annotated[State | None, typer.Option(help="Only in this state; else in all.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would go; not for one memory.")
    ] = False,
    yes: opt.Yes = False,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
    **filters: Any,
) -> None:
    """Remove memories and all traces of them for good.

    Name one memory or episode, an owner, a session, a namespace of items, or filters as of list,
    which hold in every state. Their words go from the text, the index, the vectors, the history,
    the turns and what waits for review. Copies outside of the store cannot be reached; they are
    named. If it was interrupted, run it again.
    """
    conditions = filters if state is None else {**filters, "state": state}
    _check_one([id, owner, unnamed, session, namespace, conditions or None])
    done: Erasure | Sweep
    with opt.open_existing(db, workspace) as tacit:
        if id is not None:
            _refuse_dry_run(dry_run)
            done = _erase_one(tacit, id, yes, by)
        else:
            whose = str(unnamed) if unnamed is not None else _check_owner(owner)
            many = _choose_many(tacit, whose, session, namespace, conditions)
            done = _erase_many(tacit, many, dry_run=dry_run, yes=yes, by=by)
    if as_json:
        print_json(done.to_dict())
    elif any(done.removed.values()):
        _print_receipt(done, "would be erased" if dry_run else "erased")
    else:
        console().print(_NOTHING.format(workspace=escape_unseen(workspace)), markup=False)


def _check_one(ways: Sequence[object]) -> None:
    if sum(way is not None for way in ways) != 1:
        ways = "--owner, --unnamed, --session, --namespace, or filters such as --contains"
        problem = f"name one: a memory, {ways}"
        raise InvalidInput("erase", problem)


def _refuse_dry_run(dry_run: bool) -> None:
    if dry_run:
        raise InvalidInput("dry-run", "is for many memories; history shows what one has said")


def _choose_many(
    tacit: Tacit,
    owner: str | None,
    session: str | None,
    namespace: str | None,
    filters: Mapping[str, Any],
) -> _ManyMemories:
    if namespace is not None:
        return _ManyMemories(partial(tacit.items.erase, namespace.split("/")), None)
    if owner is not None:
        whose = {"owner": owner, "state": None}
        return _ManyMemories(partial(tacit.memories.erase_owner, owner), whose)
    if session is not None:
        said = {"session": session, "state": None}
        return _ManyMemories(partial(tacit.memories.erase_session, session), said)
    return _ManyMemories(
        partial(tacit.memories.erase_matching, **filters), {"state": None, **filters}
    )


def _check_owner(owner: str | None) -> str | None:
    """An owner with a name; who has none is erased by an option of its own."""
    if owner is None:
        return None
    scope, _, name = owner.partition(":")
    if not name:
        example = f"{scope}:NAME" if scope in frozenset(map(str, Scope)) else f"user:{owner}"
        problem = f"{owner!r} names nobody; write {example}, or --unnamed for no name"
        raise InvalidInput("owner", problem)
    return owner


def _erase_one(tacit: Tacit, id: str, yes: bool, by: Actor) -> Erasure:
    whole = id.lower() if len(id) == _FULL_ID else tacit.memories.find_id(id)
    if not yes:
        if is_episode_id(whole):
            _show_episode(tacit, whole)
        else:
            print_history(tacit.memories.history(whole, limit=MAX_LIMIT), notices())
        typer.confirm("Erase this for good?", abort=True, err=True)
    return tacit.erase(whole, by=by)


def _show_episode(tacit: Tacit, id: str) -> None:
    """Show on standard error what was said; one that was erased already has no words."""
    with suppress(NotFound):
        said = tacit.episodes.get(id)
        notices().print(f"{said.at:%Y-%m-%d} {escape_unseen(said.text)}", markup=False)


def _erase_many(tacit: Tacit, many: _ManyMemories, *, dry_run: bool, yes: bool, by: Actor) -> Sweep:
    if dry_run or not yes:
        wished = many.erase(dry_run=True, by=by)
        found = [] if many.filters is None else tacit.list(limit=_SHOWN, **many.filters)
        _show(found, wished)
        if dry_run or not any(wished.removed.values()):
            return wished
        typer.confirm("Erase all of this for good?", abort=True, err=True)
    try:
        return many.erase(by=by)
    except KeyboardInterrupt:
        notices().print("Interrupted. What was erased is gone for good; run it again to go on.")
        raise


def _show(found: Sequence[Memory], wished: Sweep) -> None:
    """Show on standard error what would be erased: the first memories and the counts."""
    if found:
        print_memories(found, system_clock(), notices())
    counted = [f"{count:,} {_kind_label(kind)}" for kind, count in wished.removed.items() if count]
    notices().print(f"In all: {', '.join(counted) or 'nothing'}.")


def _print_receipt(done: Erasure | Sweep, title: str) -> None:
    drawn = make_table(title, "")
    for kind, count in done.removed.items():
        if count:
            drawn.add_row(_kind_label(kind), f"{count:,}")
    console().print(drawn)
    for place in done.not_reached:
        console().print(f"not reached: {escape_unseen(place)}", style="yellow", markup=False)


def _kind_label(kind: str) -> str:
    return kind.replace("_", " ")


COMMANDS = {"erase": erase}
