"""The command on projects: show, list, join, leave."""

import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.options import progress_bar
from tacit.cli.output import console, format_time, make_table, notices, print_json
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.fields import MAX_LIMIT
from tacit.core.kinds import Scope
from tacit.core.projects import Checkout, ProjectPlace
from tacit.integrations.hooks.project import project_notice, quote_project, read_checkout
from tacit.writing.assignment import Assignment


class ProjectAction(StrEnum):
    """What can be done with projects."""

    SHOW = "show"
    LIST = "list"
    JOIN = "join"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True, kw_only=True)
class _ProjectOptions:
    """What the command line says besides the action."""

    word: str | None
    as_json: bool
    yes: bool


def project(
    action: Annotated[
        ProjectAction,
        typer.Argument(
            help="show: the project of this folder; list: all places that are known;"
            " join [PROJECT]: share the memory of the project that this folder says it is, or of"
            " another one; leave [FOLDER]: be a project of its own."
        ),
    ],
    word: Annotated[
        str | None, typer.Argument(metavar="WORD", help="The project to join, the folder to leave.")
    ] = None,
    yes: opt.Yes = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show which project a folder belongs to, and join or leave one.

    The first checkout of a repository is its project. A later one at another place has a memory of
    its own until it joins; what was learned there moves along. Unless you name the project to join,
    what the folder says it is comes from whoever made the folder: it is shown, and you are asked.
    """
    asked = _ProjectOptions(word=word, as_json=as_json, yes=yes)
    with opt.open_existing(db, workspace) as tacit:
        _ACTIONS[action](tacit, asked)


def _show(tacit: Tacit, asked: _ProjectOptions) -> None:
    if asked.word is not None:
        raise InvalidInput("project", "write: tacit project show, in the folder that you mean")
    checkout = read_checkout(Path.cwd())
    match = tacit.projects.match(checkout)
    count = tacit.count(scope=Scope.PROJECT, scope_id=match.project)
    if asked.as_json:
        print_json({**match.to_dict(), **checkout.to_dict(), "memories": count})
        return
    console().print(Text(escape_unseen(match.project), style="bold"), soft_wrap=True)
    console().print(
        escape_unseen(f"{_format_memories(count)}; this place is {checkout.path}"), markup=False
    )
    if match.offered is not None:
        console().print(
            escape_unseen(project_notice(match)), style="yellow", markup=False, soft_wrap=True
        )


def _list(tacit: Tacit, asked: _ProjectOptions) -> None:
    if asked.word is not None:
        raise InvalidInput("project", "write: tacit project list")
    places = list_all_places(tacit)
    if asked.as_json:
        print_json([{**each.to_dict(), "state": _state(each)[0]} for each in places])
        return
    if not places:
        console().print("No checkout is known yet.", style="bright_black")
        return
    drawn = make_table("project", "state", "since")
    drawn.add_column("place", overflow="fold", ratio=1)
    for each in sorted(places, key=lambda place: (place.project or place.path, place.key)):
        state, style = _state(each)
        drawn.add_row(
            Text(escape_unseen(each.project or each.path)),
            Text(state, style=style),
            format_time(each.at),
            Text(escape_unseen(each.label)),
        )
    console().print(drawn)


def list_all_places(tacit: Tacit, project: str | None = None) -> list[ProjectPlace]:
    """The folders of all projects, or of one."""
    found: list[ProjectPlace] = []
    while True:
        last = found[-1] if found else None
        page = tacit.projects.places(project=project, limit=MAX_LIMIT, after=last)
        found += page
        if len(page) < MAX_LIMIT:
            return found


def _state(place: ProjectPlace) -> tuple[str, str]:
    """How a place stands to what it says it is."""
    if not place.host and not Path(place.path).exists():
        return "gone", "bright_black"
    if place.project is None:
        return f"could join {escape_unseen(place.claim)}", "yellow"
    if place.project == place.checkout.own_project:
        return "apart", "bright_black"
    return "joined", "green"


def _join(tacit: Tacit, asked: _ProjectOptions) -> None:
    checkout = read_checkout(Path.cwd())
    if asked.word is None and not asked.yes:
        _confirm(tacit, checkout)
    with progress_bar() as watch:
        done = tacit.projects.join(
            checkout,
            asked.word,
            progress=lambda made, total: watch("moving memories", made, total),
        )
    if asked.as_json:
        print_json({"project": done.user, "moved": _moved_counts(done)})
        return
    line = Text("joined ", style="green").append(escape_unseen(done.user), style="bold")
    console().print(line, soft_wrap=True)
    for each in done.lines:
        console().print(escape_unseen(each), markup=False, soft_wrap=True)


def _confirm(tacit: Tacit, checkout: Checkout) -> None:
    """Show what a folder would share, and ask: whoever made the folder wrote what it says it is."""
    match = tacit.projects.match(checkout)
    target = match.offered or _claimed_project(tacit, checkout)
    if target in (checkout.path, checkout.own_project):
        return  # nothing to join, which is said by who tries
    places = [quote_project(each.label) for each in list_all_places(tacit, target)]
    known = f"is known at {' and '.join(places)}" if places else "is known nowhere else"
    count = tacit.count(scope=Scope.PROJECT, scope_id=target)
    name = quote_project(target)
    told = f"{checkout.path} says it is {name}, which {known} and has {_format_memories(count)}."
    notices().print(escape_unseen(told), markup=False, soft_wrap=True)
    if not sys.stdin.isatty():
        problem = f"no terminal to confirm; to share it: tacit project join {shlex.quote(target)}"
        raise InvalidInput("project", f"{problem} (or add --yes)")
    typer.confirm("Share all of them with this folder, and its own with it?", abort=True, err=True)


def _claimed_project(tacit: Tacit, checkout: Checkout) -> str:
    """What a folder says it is, though it was kept apart."""
    if checkout.remote is not None or checkout.source is None:
        return checkout.claim
    places = (each for each in list_all_places(tacit) if each.path == checkout.source)
    return next((each.project for each in places if each.project is not None), checkout.source)


def _format_memories(count: int) -> str:
    return f"{count:,} {'memory' if count == 1 else 'memories'}"


def _moved_counts(done: Assignment) -> dict[str, Any]:
    return {name: value for name, value in done.to_dict().items() if isinstance(value, int)}


def _leave(tacit: Tacit, asked: _ProjectOptions) -> None:
    folder = Path.cwd() if asked.word is None else Path(asked.word).absolute()
    if folder.exists():
        checkout = read_checkout(folder)
        left = tacit.projects.leave(checkout).project
    else:
        left = str(folder)
        if not tacit.projects.forget_place(left):
            raise NotFound(f"{left}: there is no such folder; tacit project list shows all places")
    if asked.as_json:
        print_json({"project": left})
        return
    told = " is a project of its own now" if folder.exists() else " is gone, and forgotten"
    console().print(Text(escape_unseen(left), style="bold").append(told), soft_wrap=True)


_ACTIONS: Mapping[ProjectAction, Callable[[Tacit, _ProjectOptions], None]] = {
    ProjectAction.SHOW: _show,
    ProjectAction.LIST: _list,
    ProjectAction.JOIN: _join,
    ProjectAction.LEAVE: _leave,
}

COMMANDS = {"project": project}
