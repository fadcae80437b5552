"""Steps, one after the other: whatever goes wrong in one, the others are taken."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tacit.errors import InvalidInput, NotFound
from tacit.runtime.deadline import Deadline
from tacit.workflows.action import ActionContext
from tacit.workflows.arguments import check_arguments
from tacit.workflows.document import Step
from tacit.workflows.event import Event
from tacit.workflows.expression import holds
from tacit.workflows.library import Lifecycle, Workflow
from tacit.workflows.memory import Memory
from tacit.workflows.outcome import Outcome, StepResult
from tacit.workflows.registry import find_action
from tacit.workflows.template import filled
from tacit.workflows.variables import Variables

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
    course = _Course(event, memory, within, _variables(event, lifecycle, memory, within))
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
    shown: list[str] = field(default_factory=list)
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
        elif step.when is not None and not holds(step.when, self._names()):
            self.results.append(note(skipped=f"not when {step.when}"))
        else:
            left = self.deadline.seconds
            within = Deadline(left if is_last else left / 2)
            self._note(self._tried(step, self._context(workflow, within), note))

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
            results=tuple(self.results),
            turn=self.turn,
            learns=self.learns,
        )

    def _note(self, result: StepResult) -> None:
        if result.problem is not None:
            _log.warning("%s: %s: %s", result.workflow, result.action, result.problem)
        self.results.append(result)

    def _tried(self, step: Step, context: ActionContext, note: "partial[StepResult]") -> StepResult:
        """Take the step; nothing that it does or raises stands in the way of the next."""
        try:
            result = context.deadline.run(partial(_taken, step, context, self._names()))
            self._accept(step, context, result)
        except Exception as error:
            return note(problem=_spelled(error))
        return note(result=result)

    def _accept(self, step: Step, context: ActionContext, result: Mapping[str, Any] | None) -> None:
        """Take over what an action leaves."""
        shown = (result or {}).get("inject_context")
        self.turn, self.learns = context.turn, context.learns
        if step.into is not None:
            context.set(step.into, None if result is None else dict(result))
        self._set(context.changes)
        if shown:
            self._show(str(shown))

    def _set(self, changes: Mapping[str, Any]) -> None:
        self.changes.update(changes)
        self.variables = self.variables.changed(changes)

    def _show(self, text: str) -> None:
        room = self._room()
        if room is not None and len(text) > room:
            raise InvalidInput("inject_context", f"{len(text)} characters, and {room} are left")
        self.shown.append(text)

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
            variables=self.variables,
            origin=workflow.origin,
            deadline=within,
            room=self._room(),
            turn=self.turn,
            learns=self.learns,
        )

    def _names(self) -> dict[str, Any]:
        """What expressions speak of."""
        return {
            "event": self.event.data,
            "variables": self.variables,
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
    arguments = filled(_permitted(step, context), names)
    check_arguments(step.action, action, arguments)
    return action(context, **arguments)


def _permitted(step: Step, context: ActionContext) -> Mapping[str, Any]:
    """The arguments of a step that its file may give; the prompt does not wait for the others."""
    permitted = {
        name: value
        for name, value in step.arguments.items()
        if context.origin.may_give(step.action, name)
    }
    for name in step.arguments.keys() - permitted.keys():
        _log.warning("%s: %s is ignored: a project's files cannot give it", step.action, name)
    return permitted


def _variables(event: Event, lifecycle: Lifecycle, memory: Memory, deadline: Deadline) -> Variables:
    """What files begin with and what the session has kept since."""
    values: dict[str, Any] = {}
    for workflow in lifecycle.workflows:
        values |= workflow.document.variables
    try:
        values |= deadline.run(lambda: memory.variables(event.session))
    except Exception as error:
        _log.warning("the variables were not read: %s", _spelled(error))
    return Variables(values, partial(_ledger, event, memory, deadline))


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
