"""The command on workflows: list, show, check, run."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.syntax import Syntax
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.output import console, make_table, print_json, shorten
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput, NotFound
from tacit.integrations.hooks.project import find_project, find_root
from tacit.integrations.workflows.action import FileOrigin
from tacit.integrations.workflows.checks import file_problems
from tacit.integrations.workflows.events import WorkflowEvent, WorkflowTrigger
from tacit.integrations.workflows.library import ListedWorkflow, Workflow, WorkflowLibrary
from tacit.integrations.workflows.lifecycle_file import FileProblem
from tacit.integrations.workflows.runner import (
    StepResult,
    WorkflowOutcome,
    project_note,
    run_workflows,
)

_SECONDS = 30.0
_ORIGIN_STYLES = {
    FileOrigin.BUNDLED: "bright_black",
    FileOrigin.USER: "cyan",
    FileOrigin.PROJECT: "yellow",
}


class WorkflowAction(StrEnum):
    """What can be done with workflows."""

    LIST = "list"
    SHOW = "show"
    CHECK = "check"
    RUN = "run"


@dataclass(frozen=True, slots=True, kw_only=True)
class _WorkflowOptions:
    """What the command line says besides the action."""

    word: str | None
    session: str
    prompt: str | None
    facts: tuple[str, ...]
    as_json: bool
    db: str | None
    workspace: str


def workflow(
    action: Annotated[
        WorkflowAction,
        typer.Argument(
            help="list: every file, and what hides it; show [NAME]: a file as it runs;"
            " check [PATH]: list every error; run EVENT: take the steps of a moment for real."
        ),
    ],
    word: Annotated[
        str | None, typer.Argument(metavar="WORD", help="What the action needs.")
    ] = None,
    session: Annotated[str, typer.Option(help="The session to run for; to run.")] = "by-hand",
    prompt: Annotated[str | None, typer.Option(help="What was said; to run.")] = None,
    facts: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="What else the event says, as JSON or text; to run."
        ),
    ] = None,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show, check or run what is done at each moment of a session.

    The project is that of the current folder. Check exits with code 2 if it finds an error.
    """
    asked = _WorkflowOptions(
        word=word,
        session=session,
        prompt=prompt,
        facts=tuple(facts or ()),
        as_json=as_json,
        db=db,
        workspace=workspace,
    )
    _ACTIONS[action](asked)


def _list(asked: _WorkflowOptions) -> None:
    if asked.word is not None:
        raise InvalidInput("workflow", "write: tacit workflow list")
    shelf = WorkflowLibrary().list_workflows(_root())
    if asked.as_json:
        print_json([_to_dict(each) for each in shelf])
        return
    drawn = make_table("name", "from", "state")
    drawn.add_column("file", overflow="fold", ratio=1)
    for each in shelf:
        state, style = _state(each)
        drawn.add_row(
            Text(escape_unseen(each.path.stem)),
            Text(each.origin, style=_ORIGIN_STYLES[each.origin]),
            Text(state, style=style),
            _cell(each),
        )
    console().print(drawn)


def _cell(each: ListedWorkflow) -> Text:
    """The file, and below it what it does or why it does nothing."""
    cell = Text(escape_unseen(str(each.path)))
    if each.problem is not None:
        return cell.append(escape_unseen(f"\n{each.problem}"), style="red")
    if not each.is_trusted:
        return cell.append("\nto see what it does: tacit trust", style="yellow")
    if each.shadowed_by is not None:
        return cell.append(escape_unseen(f"\nby {each.shadowed_by}"), style="bright_black")
    return cell.append(
        f"\n{', '.join(_trigger_names(each))}" if _trigger_names(each) else "", style="cyan"
    )


def _to_dict(each: ListedWorkflow) -> dict[str, Any]:
    return {
        "name": each.path.stem,
        "file": str(each.path),
        "origin": str(each.origin),
        "runs": each.is_active,
        "shadowed_by": None if each.shadowed_by is None else str(each.shadowed_by),
        "trusted": each.is_trusted,
        "problem": each.problem,
        "triggers": _trigger_names(each),
    }


def _state(each: ListedWorkflow) -> tuple[str, str]:
    if each.problem is not None:
        return "broken", "red"
    if not each.is_trusted:
        return "not trusted", "yellow"
    if each.shadowed_by is not None:
        return "shadowed", "bright_black"
    return ("runs", "green") if each.is_active else ("off", "bright_black")


def _trigger_names(each: ListedWorkflow) -> list[str]:
    return [] if each.document is None else [str(trigger) for trigger in each.document.steps]


def _show(asked: _WorkflowOptions) -> None:
    lifecycle = WorkflowLibrary().lifecycle(_root())
    shown = [each for each in lifecycle.workflows if asked.word in (None, each.document.stem)]
    if asked.word is not None and not shown:
        raise NotFound(f"no workflow called {asked.word!r} runs here; list shows them")
    if asked.as_json:
        print_json([_describe_workflow(each) for each in shown])
        return
    for each in shown:
        heading = Text(escape_unseen(each.document.stem), style="bold")
        heading.append(f"  {each.origin}", style=_ORIGIN_STYLES[each.origin])
        heading.append(escape_unseen(f"  {each.document.path}"), style="bright_black")
        console().print(heading, soft_wrap=True)
        text = escape_unseen(each.document.text.rstrip())
        console().print(Syntax(text, "yaml", background_color="default", word_wrap=True))


def _describe_workflow(each: Workflow) -> dict[str, Any]:
    return {
        "name": each.document.stem,
        "file": str(each.document.path),
        "origin": str(each.origin),
        "text": each.document.text,
    }


def _check(asked: _WorkflowOptions) -> None:
    found = list(_problems(asked.word))
    if asked.as_json:
        print_json({"ok": not found, "problems": [each.to_dict() for each in found]})
    elif not found:
        console().print("Every workflow is valid.", style="green")
    for problem in () if asked.as_json else found:
        text = Text(escape_unseen(str(problem)), style="red")
        console().print(text, soft_wrap=True)
    if found:
        raise typer.Exit(2)


def _problems(path: str | None) -> Iterator[FileProblem]:
    """Everything that is wrong with a file, or with all that there are."""
    if path is not None:
        is_of_project = ".tacit" in Path(path).absolute().parts
        yield from file_problems(
            Path(path), FileOrigin.PROJECT if is_of_project else FileOrigin.USER
        )
        return
    for each in WorkflowLibrary().list_workflows(_root()):
        if each.is_read:
            yield from file_problems(each.path, each.origin)
        else:
            problem = (each.problem or "").removeprefix(f"{each.path}: ")
            yield FileProblem(path=each.path, problem=problem)


def _run(asked: _WorkflowOptions) -> None:
    if asked.word is None:
        raise InvalidInput("workflow", f"write: tacit workflow run EVENT, one of {_EVENTS}")
    event = _event(WorkflowTrigger.from_name(asked.word), asked)
    lifecycle = WorkflowLibrary().lifecycle(event.folder)
    with opt.open_existing(asked.db, asked.workspace, embeds=True) as tacit:
        event = replace(event, project=find_project(tacit, Path.cwd()).id)
        outcome = run_workflows(event, lifecycle, tacit, deadline=_SECONDS)
        _end(tacit, outcome)
    if asked.as_json:
        results = [each.to_dict() for each in outcome.results]
        print_json({"event": str(event.trigger), "context": outcome.context, "results": results})
        return
    _print_outcome(event, outcome)


def _event(trigger: WorkflowTrigger, asked: _WorkflowOptions) -> WorkflowEvent:
    said = {} if asked.prompt is None else {"prompt": asked.prompt}
    return WorkflowEvent(
        trigger=trigger,
        session=asked.session,
        user=os.environ.get("TACIT_USER"),
        folder=_root(),
        data={**said, **dict(map(_parse_fact, asked.facts))},
    )


def _parse_fact(written: str) -> tuple[str, Any]:
    """One thing that the event says: JSON, or text as it stands."""
    name, sign, value = written.partition("=")
    if not sign or not name.isidentifier():
        raise InvalidInput("set", f"{written!r} names nothing; write NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _end(tacit: Tacit, outcome: WorkflowOutcome) -> None:
    """Commit the turn that a recall began, without learning from it."""
    if outcome.turn is not None:
        if outcome.project_files:
            tacit.turns.note(outcome.turn, project_note(outcome))
        tacit.commit_turn(outcome.turn, learn=False)


def _print_outcome(event: WorkflowEvent, outcome: WorkflowOutcome) -> None:
    if not outcome.results:
        console().print(f"No workflow does anything at {event.trigger}.", style="bright_black")
        return
    drawn = make_table("workflow", "action", "", "content")
    for each in outcome.results:
        mark, style, told = _step_cells(each)
        drawn.add_row(
            Text(escape_unseen(each.workflow)),
            Text(escape_unseen(each.action)),
            Text(mark, style=style),
            Text(escape_unseen(shorten(told))),
        )
    console().print(drawn)
    if outcome.context:
        console().print()
        console().print(Text(escape_unseen(outcome.context)), soft_wrap=True)


def _step_cells(each: StepResult) -> tuple[str, str, str]:
    """A step in a mark, its colour and a few words."""
    if each.problem is not None:
        return "failed", "red", each.problem
    if each.skipped is not None:
        return "skipped", "bright_black", each.skipped
    result = {name: it for name, it in (each.result or {}).items() if name != "inject_context"}
    return "done", "green", ", ".join(f"{name}: {_to_text(it)}" for name, it in result.items())


def _to_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _root() -> Path | None:
    return find_root(Path.cwd())


_EVENTS = ", ".join(WorkflowTrigger)

_ACTIONS: Mapping[WorkflowAction, Callable[[_WorkflowOptions], None]] = {
    WorkflowAction.LIST: _list,
    WorkflowAction.SHOW: _show,
    WorkflowAction.CHECK: _check,
    WorkflowAction.RUN: _run,
}

COMMANDS = {"workflow": workflow}
