"""Injecting a text of one's own."""

from collections.abc import Mapping
from typing import Any

from tacit.integrations.workflows.action import ActionContext


def inject_context(context: ActionContext, text: str | None) -> Mapping[str, Any]:
    """Show the model a text; an empty one is not shown, nor one that the client does not take."""
    shown = (text or "").strip()
    is_too_long = context.room is not None and len(shown) > context.room
    if not shown or is_too_long:
        return {"injected": False, "characters": len(shown)}
    return {"inject_context": shown, "injected": True, "characters": len(shown)}
