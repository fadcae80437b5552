"""Runs the steps of an event one after the other; a step that fails does not stop the others."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from tacit.core.errors import InvalidInput, NotFound
from tacit.core.json_value import JsonValue
from tacit.integrations.workflows.action import (
    LEDGER_VARIABLE,
    ActionContext,
    ActionMemory,
    check_variable,
    find_action,
)
from tacit.integrations.workflows.checks import check_arguments
from tacit.integrations.workflows.events import WorkflowEvent
from tacit.integrations.workflows.expressions import condition_holds, fill_template
from tacit.integrations.workflows.library import Lifecycle, Workflow
from tacit.integrations.workflows.lifecycle_file import LifecycleFile, WorkflowStep
from tacit.language.neutralization import neutralize_line
from tacit.language.prompt_templates import PROJECT_TEXT
from tacit.runtime.workers import Deadline

# Results


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult(JsonValue):
    """One step of a workflow: its result, or why it has none."""

    workflow: str
    action: str
    result: Mapping[str, Any] | None = None
    problem: str | None = None
    skipped: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowOutcome:
    """What the steps inject, their results, and the turn that one of them began."""

    context: str = ""
    """Everything to inject, in order; never more than the client takes."""
    own_context: str = ""
    """The part that does not come from a project's files."""
    project_files: tuple[str, ...] = ()
    """The files of the project that injected something."""
    results: tuple[StepResult, ...] = ()
    turn: str | None = None
    """The id of the turn that a recall began; somebody has to commit it."""
    learns: bool = False
    """Whether what is said in this turn shall be learned."""


def project_note(outcome: WorkflowOutcome) -> str:
    """The note in a turn's receipt about text that a project's files injected."""
    names = ", ".join(map(neutralize_line, outcome.project_files))
    return f"files of the project injected text of their own: {names}"


# Variables of a session, as steps see them


class SessionVariables(Mapping[str, Any]):
    """Values by name; the ledger is read on demand."""

    def __init__(self, values: Mapping[str, Any], ledger: Callable[[], Sequence[str]]) -> None:
        self._values = {name: value for name, value in values.items() if name != LEDGER_VARIABLE}
        self._read_ledger = ledger

    def with_changes(self, changes: Mapping[str, Any]) -> "SessionVariables":
        """The variables with changes; None removes one, and the ledger is read again."""
        merged = {**self._values, **changes}
        kept = {name: value for name, value in merged.items() if value is not None}
        return SessionVariables(kept, self._read_ledger)

    @property
    def own_values(self) -> dict[str, Any]:
        """The values without the ledger."""
        return dict(self._values)

    @cached_property
    def _ledger(self) -> Sequence[str]:
        return list(self._read_ledger())

    def __getitem__(self, name: str) -> Any:
        return self._ledger if name == LEDGER_VARIABLE else self._values[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._values
        yield LEDGER_VARIABLE

    def __len__(self) -> int:
        return len(self._values) + 1


# The run


PROJECT_VARIABLES = "tacit.project"
"""The session's variable that keeps those of a project's files; no step can set it by name."""

_GAP = "\n\n"

_log = logging.getLogger("tacit.workflows")


def run_workflows(
    event: WorkflowEvent, lifecycle: Lifecycle, memory: ActionMemory, *, deadline: Deadline | float
) -> WorkflowOutcome:
    """Run the steps under the event's trigger; none begins after the deadline."""
    planned = list(_due_steps(event, lifecycle))
    if not planned:
        return WorkflowOutcome()
    within = deadline if isinstance(deadline, Deadline) else Deadline(deadline)
    workflow_run = _WorkflowRun(
        event, memory, within, *_load_variables(event, lifecycle, memory, within)
    )
    for number, (workflow, step) in enumerate(planned, start=1):
        workflow_run.run_step(workflow, step, is_last=number == len(planned))
    workflow_run.save_variables()
    return workflow_run.outcome()


@dataclass(slots=True)
class _WorkflowRun:
    """The state of one run: what the steps of an event have done so far."""

    event: WorkflowEvent
    memory: ActionMemory
    deadline: Deadline
    variables: SessionVariables
    project_variables: SessionVariables
    """Those of a project's files, which neither see nor change the others."""
    shown: list[str] = field(default_factory=list)
    own_shown: list[str] = field(default_factory=list)
    project_files: dict[str, None] = field(default_factory=dict)
    results: list[StepResult] = field(default_factory=list)
    changes: dict[str, Any] = field(default_factory=dict)
    turn: str | None = None
    learns: bool = False

    def run_step(self, workflow: Workflow, step: WorkflowStep, *, is_last: bool) -> None:
        """Run a step if its condition holds and there is time, and record its result.

        A step that is not the last may use half of the remaining time.
        """
        note = partial(StepResult, workflow=workflow.document.name, action=step.action)
        if self.deadline.has_passed:
            self.results.append(note(skipped="no time was left"))
        elif step.when is not None and not condition_holds(step.when, self._names(workflow)):
            self.results.append(note(skipped=f"not when {step.when}"))
        else:
            left = self.deadline.seconds
            within = Deadline(left if is_last else left / 2)
            self._note(self._try_step(workflow, step, self._context(workflow, within), note))

    def save_variables(self) -> None:
        """Store the variables that were set."""
        if not self.changes:
            return
        try:
            kept = partial(self.memory.sessions.set_variables, self.event.session, self.changes)
            self.deadline.run(kept)
        except Exception as error:
            _log.warning("the variables were not kept: %s", _error_text(error))

    def outcome(self) -> WorkflowOutcome:
        """The outcome of the event."""
        return WorkflowOutcome(
            context=_GAP.join(self.shown),
            own_context=_GAP.join(self.own_shown),
            project_files=tuple(self.project_files),
            results=tuple(self.results),
            turn=self.turn,
            learns=self.learns,
        )

    def _note(self, result: StepResult) -> None:
        if result.problem is not None:
            _log.warning("%s: %s: %s", result.workflow, result.action, result.problem)
        self.results.append(result)

    def _try_step(
        self,
        workflow: Workflow,
        step: WorkflowStep,
        context: ActionContext,
        note: "partial[StepResult]",
    ) -> StepResult:
        """Run a step; its failure does not stop the next."""
        try:
            result = context.deadline.run(
                partial(_run_action, step, context, self._names(workflow))
            )
            self._accept(workflow, step, context, result)
        except Exception as error:
            return note(problem=_error_text(error))
        return note(result=result)

    def _accept(
        self,
        workflow: Workflow,
        step: WorkflowStep,
        context: ActionContext,
        result: Mapping[str, Any] | None,
    ) -> None:
        """Apply the results of an action."""
        shown = (result or {}).get("inject_context")
        self.turn, self.learns = context.turn, context.learns
        if step.into is not None:
            context.set(step.into, None if result is None else dict(result))
        self._set(context.changes, is_project=workflow.origin.is_project)
        if shown:
            self._show(str(shown), workflow)

    def _set(self, changes: Mapping[str, Any], *, is_project: bool) -> None:
        if not is_project:
            self.changes.update(changes)
            self.variables = self.variables.with_changes(changes)
        elif changes:
            changed = self.project_variables.with_changes(changes)
            check_variable("variables", changed.own_values)
            self.project_variables = changed
            self.changes[PROJECT_VARIABLES] = changed.own_values

    def _show(self, text: str, workflow: Workflow) -> None:
        is_project = workflow.origin.is_project
        shown = _quote_project_text(text, workflow.document) if is_project else text
        room = self._room()
        if room is not None and len(shown) > room:
            raise InvalidInput("inject_context", f"{len(shown)} characters, and {room} are left")
        self.shown.append(shown)
        if is_project:
            self.project_files[workflow.document.path.name] = None
        else:
            self.own_shown.append(shown)

    def _room(self) -> int | None:
        """How many characters the client still takes."""
        if self.event.room is None:
            return None
        used = sum(len(text) + len(_GAP) for text in self.shown)
        return max(self.event.room - used, 0)

    def _context(self, workflow: Workflow, within: Deadline) -> ActionContext:
        return ActionContext(
            event=self.event,
            memory=self.memory,
            variables=self._visible_variables(workflow),
            origin=workflow.origin,
            deadline=within,
            room=self._room(),
            turn=self.turn,
            learns=self.learns,
        )

    def _visible_variables(self, workflow: Workflow) -> SessionVariables:
        return self.project_variables if workflow.origin.is_project else self.variables

    def _names(self, workflow: Workflow) -> dict[str, Any]:
        """The names that expressions of a file can use."""
        return {
            "event": self.event.data,
            "variables": self._visible_variables(workflow),
            "session": self.event.session,
            "project": self.event.project,
        }


def _due_steps(
    event: WorkflowEvent, lifecycle: Lifecycle
) -> Iterator[tuple[Workflow, WorkflowStep]]:
    for workflow in lifecycle.workflows:
        for step in workflow.document.steps.get(event.trigger, ()):
            yield workflow, step


def _run_action(
    step: WorkflowStep, context: ActionContext, names: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Fill and check the arguments of a step, and call its action."""
    action = find_action(step.action, context.origin)
    arguments = fill_template(step.arguments, names)
    check_arguments(step.action, action, arguments)
    return action(context, **arguments)


def _quote_project_text(text: str, document: LifecycleFile) -> str:
    """Quote the text of a project's file, with a heading that names the file."""
    lines = [f"| {neutralize_line(line)}" for line in text.splitlines()]
    name = neutralize_line(document.path.name).replace("]", "\\]")  # a bracket ends the heading
    heading = f"{PROJECT_TEXT} {name}, not from the user]"
    return "\n".join([heading, *lines])


def _load_variables(
    event: WorkflowEvent, lifecycle: Lifecycle, memory: ActionMemory, deadline: Deadline
) -> tuple[SessionVariables, SessionVariables]:
    """The initial values of files and the session's values; a project's are separate."""
    own: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    for workflow in lifecycle.workflows:
        values = theirs if workflow.origin.is_project else own
        values |= workflow.document.variables
    try:
        kept = dict(deadline.run(lambda: memory.sessions.variables(event.session)))
    except Exception as error:
        _log.warning("the variables were not read: %s", _error_text(error))
        kept = {}
    of_project = kept.pop(PROJECT_VARIABLES, None)
    theirs |= of_project if isinstance(of_project, Mapping) else {}
    ledger = partial(_read_ledger, event, memory, deadline)
    return SessionVariables(own | kept, ledger), SessionVariables(theirs, ledger)


def _read_ledger(event: WorkflowEvent, memory: ActionMemory, deadline: Deadline) -> list[str]:
    """The memories that the session was shown and still has."""
    try:
        report = deadline.run(lambda: memory.sessions.get(event.session))
    except NotFound:
        return []
    except Exception as error:
        _log.warning("the ledger was not read: %s", _error_text(error))
        return []
    return list(dict.fromkeys(each.memory for each in report.ledger if each.pruned_at is None))


def _error_text(error: Exception) -> str:
    """A short description of an error."""
    if isinstance(error, TimeoutError):
        return "it took too long"
    return str(error) or type(error).__name__
