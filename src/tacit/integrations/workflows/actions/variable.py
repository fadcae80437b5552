"""Variables: what a session keeps from one event to the next."""

from collections.abc import Mapping
from typing import Any

from tacit.integrations.workflows.action import ActionContext


def set_variable(context: ActionContext, name: str, value: Any) -> Mapping[str, Any]:
    """Keep a value under a name; null removes it."""
    context.set(name, value)
    return {"name": name, "value": value}
