"""Learning: what was said becomes memories."""

from collections.abc import Mapping
from typing import Any

from tacit.integrations.workflows.action import ActionContext
from tacit.integrations.workflows.trigger import Trigger


def memory_extract(context: ActionContext) -> Mapping[str, Any]:
    """Learn from the turn; at the end of a session, let the model read the rest of it."""
    if context.event.trigger is Trigger.SESSION_END:
        return {"waiting": context.memory.end_session(context.event.session)}
    context.learns = True
    return {"learns": True}
