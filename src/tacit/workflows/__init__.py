"""Workflows: what is done at which moment of a session, as files say it.

A lifecycle file lists steps under the moments at which they run. One comes with Tacit; a user's own
file of the same name takes its place. A project's files run after these, once the user has agreed.
"""

from tacit.workflows.action import Action, ActionContext
from tacit.workflows.event import Event
from tacit.workflows.library import Library, Lifecycle, Workflow
from tacit.workflows.memory import Memory
from tacit.workflows.origin import Origin
from tacit.workflows.outcome import Outcome, StepResult, project_note
from tacit.workflows.runner import run
from tacit.workflows.trigger import Trigger

__all__ = [
    "Action",
    "ActionContext",
    "Event",
    "Library",
    "Lifecycle",
    "Memory",
    "Origin",
    "Outcome",
    "StepResult",
    "Trigger",
    "Workflow",
    "project_note",
    "run",
]
