"""Steps, one after the other: whatever goes wrong in one, the others are taken."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tacit.core.errors import InvalidInput, NotFound
from tacit.integrations.workflows.action import ActionContext, check_variable
from tacit.integrations.workflows.arguments import check_arguments
from tacit.integrations.workflows.document import Document, Step
from tacit.integrations.workflows.event import Event
from tacit.integrations.workflows.expression import holds
from tacit.integrations.workflows.library import Lifecycle, Workflow
from tacit.integrations.workflows.memory import Memory
from tacit.integrations.workflows.outcome import Outcome, StepResult
from tacit.integrations.workflows.registry import find_action
from tacit.integrations.workflows.template import filled
from tacit.integrations.workflows.variables import Variables
from tacit.language.structure.neutral import neutralised
from tacit.language.structure.templates import PROJECT_TEXT
from tacit.runtime.deadline import Deadline

PROJECT_VARIABLES = "tacit.project"
"""The session's variable that keeps those of a project's files; no step can set it by name."""

_GAP = "\n\n"

_log = logging.getLogger("tacit.workflows")


def run(
    event: Event, lifecycle: Lifecycle, memory: Memory, *, deadline: Deadline | float
) -> Outcome:
    """Take the steps that stand under the event's trigger; after the deadline none begins."""
    planned = list(_planned(event, lifecycle))
    if not planned:
        return Outcome()
    within = deadline if isinstance(deadline, Deadline) else Deadline(deadline)
    course = _Course(event, memory, within, *_variables(event, lifecycle, memory, within))
    for number, (workflow, step) in enumerate(planned, start=1):
        course.take(workflow, step, is_last=number == len(planned))
    course.keep()
    return course.outcome()


@dataclass(slots=True)
class _Course:
    """What the steps of one event have come to so far."""

    event: Event
    memory: Memory
    deadline: Deadline
    variables: Variables
    project_variables: Variables
    """Those of a project's files, which neither see nor change the others."""
    shown: list[str] = field(default_factory=list)
    own_shown: list[str] = field(default_factory=list)
    project_files: dict[str, None] = field(default_factory=dict)
    results: list[StepResult] = field(default_factory=list)
    changes: dict[str, Any] = field(default_factory=dict)
    turn: str | None = None
    learns: bool = False

    def take(self, workflow: Workflow, step: Step, *, is_last: bool) -> None:
        """Take a step, if it is due and there is time, and note what came of it.

        One that others wait for may use half of what is left.
        """
        note = partial(StepResult, workflow=workflow.document.name, action=step.action)
        if self.deadline.has_passed:
            self.results.append(note(skipped="no time was left"))
        elif step.when is not None and not holds(step.when, self._names(workflow)):
            self.results.append(note(skipped=f"not when {step.when}"))
        else:
            left = self.deadline.seconds
            within = Deadline(left if is_last else left / 2)
            self._note(self._tried(workflow, step, self._context(workflow, within), note))

    def keep(self) -> None:
        """Write down the variables that were set."""
        if not self.changes:
            return
        try:
            kept = partial(self.memory.set_variables, self.event.session, self.changes)
            self.deadline.run(kept)
        except Exception as error:
            _log.warning("the variables were not kept: %s", _spelled(error))

    def outcome(self) -> Outcome:
        """All that came of the event."""
        return Outcome(
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

    def _tried(
        self, workflow: Workflow, step: Step, context: ActionContext, note: "partial[StepResult]"
    ) -> StepResult:
        """Take the step; nothing that it does or raises stands in the way of the next."""
        try:
            result = context.deadline.run(partial(_taken, step, context, self._names(workflow)))
            self._accept(workflow, step, context, result)
        except Exception as error:
            return note(problem=_spelled(error))
        return note(result=result)

    def _accept(
        self,
        workflow: Workflow,
        step: Step,
        context: ActionContext,
        result: Mapping[str, Any] | None,
    ) -> None:
        """Take over what an action leaves."""
        shown = (result or {}).get("inject_context")
        self.turn, self.learns = context.turn, context.learns
        if step.into is not None:
            context.set(step.into, None if result is None else dict(result))
        self._set(context.changes, is_strange=workflow.origin.is_strange)
        if shown:
            self._show(str(shown), workflow)

    def _set(self, changes: Mapping[str, Any], *, is_strange: bool) -> None:
        if not is_strange:
            self.changes.update(changes)
            self.variables = self.variables.changed(changes)
        elif changes:
            changed = self.project_variables.changed(changes)
            check_variable("variables", changed.values_set)
            self.project_variables = changed
            self.changes[PROJECT_VARIABLES] = changed.values_set

    def _show(self, text: str, workflow: Workflow) -> None:
        is_strange = workflow.origin.is_strange
        shown = _quoted(text, workflow.document) if is_strange else text
        room = self._room()
        if room is not None and len(shown) > room:
            raise InvalidInput("inject_context", f"{len(shown)} characters, and {room} are left")
        self.shown.append(shown)
        if is_strange:
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

    def _visible_variables(self, workflow: Workflow) -> Variables:
        return self.project_variables if workflow.origin.is_strange else self.variables

    def _names(self, workflow: Workflow) -> dict[str, Any]:
        """What expressions of a file speak of."""
        return {
            "event": self.event.data,
            "variables": self._visible_variables(workflow),
            "session": self.event.session,
            "project": self.event.project,
        }


def _planned(event: Event, lifecycle: Lifecycle) -> Iterator[tuple[Workflow, Step]]:
    for workflow in lifecycle.workflows:
        for step in workflow.document.steps.get(event.trigger, ()):
            yield workflow, step


def _taken(
    step: Step, context: ActionContext, names: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """What an action gives for the arguments of its step."""
    action = find_action(step.action, context.origin)
    arguments = filled(step.arguments, names)
    check_arguments(step.action, action, arguments)
    return action(context, **arguments)


def _quoted(text: str, document: Document) -> str:
    """The text of a project's file: said to be one, and each line as text and nothing else."""
    lines = [f"| {neutralised(line)}" for line in text.splitlines()]
    heading = f"{PROJECT_TEXT} {neutralised(document.path.name)}, not from the user]"
    return "\n".join([heading, *lines])


def _variables(
    event: Event, lifecycle: Lifecycle, memory: Memory, deadline: Deadline
) -> tuple[Variables, Variables]:
    """What files begin with and what the session has kept since; a project's stand apart."""
    own: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    for workflow in lifecycle.workflows:
        values = theirs if workflow.origin.is_strange else own
        values |= workflow.document.variables
    try:
        kept = dict(deadline.run(lambda: memory.variables(event.session)))
    except Exception as error:
        _log.warning("the variables were not read: %s", _spelled(error))
        kept = {}
    of_project = kept.pop(PROJECT_VARIABLES, None)
    theirs |= of_project if isinstance(of_project, Mapping) else {}
    ledger = partial(_ledger, event, memory, deadline)
    return Variables(own | kept, ledger), Variables(theirs, ledger)


def _ledger(event: Event, memory: Memory, deadline: Deadline) -> list[str]:
    """The memories that the session was shown and still has."""
    try:
        report = deadline.run(lambda: memory.session(event.session))
    except NotFound:
        return []
    except Exception as error:
        _log.warning("the ledger was not read: %s", _spelled(error))
        return []
    return list(dict.fromkeys(each.memory for each in report.ledger if each.pruned_at is None))


def _spelled(error: Exception) -> str:
    """What went wrong, in a few words."""
    if isinstance(error, TimeoutError):
        return "it took too long"
    return str(error) or type(error).__name__
