"""Reset: let a session be shown everything again."""

from collections.abc import Mapping
from typing import Any

from tacit.integrations.workflows.action import ActionContext


def reset_memory_injection_tracking(context: ActionContext) -> Mapping[str, Any]:
    """Let everything come again that the session was shown."""
    reset = context.memory.reset_memory_injection_tracking(context.event.session)
    return {"memory_tracking_reset": True, "previous_count": reset.cleared}
