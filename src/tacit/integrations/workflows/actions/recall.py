"""Recall: what the agent should know for a prompt."""

import logging
from collections.abc import Mapping
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.explanations import explain_empty_turn
from tacit.integrations.workflows.action import ActionContext
from tacit.integrations.workflows.memory import Begun
from tacit.integrations.workflows.trigger import Trigger
from tacit.settings.injection import LEAST_BLOCK_CHARACTERS

_log = logging.getLogger("tacit.workflows")


def memory_recall_relevant(
    context: ActionContext,
    limit: int = 5,
    min_importance: float = 0.3,
    project_id: str | None = None,
) -> Mapping[str, Any] | None:
    """Begin the turn of a prompt, and inject what is relevant and not in view yet.

    `project_id` is the project that the turn belongs to, if not that of the session.
    """
    if context.event.trigger is not Trigger.BEFORE_AGENT:
        raise InvalidInput("action", f"recall answers prompts; put it under {Trigger.BEFORE_AGENT}")
    if context.turn is not None:
        raise InvalidInput("action", "the turn has begun already; recall once for each prompt")
    prompt = str(context.event.data.get("prompt") or "")
    if not prompt.strip():
        return _told(0, 0, None)
    settings = {
        "project": project_id or context.event.project,
        "max_total": limit,
        "min_importance": min_importance,
    }
    turn = _fitting(context, prompt, settings)
    if context.deadline.has_passed:
        turn.roll_back()
        raise TimeoutError
    context.turn = turn.receipt.id if turn.is_open else None
    count, filtered = len(turn.receipt.injected), turn.receipt.filtered
    if not count and turn.receipt.skipped is None:
        reason = explain_empty_turn(turn.receipt)
        _log.debug("memory_recall_relevant: %s", reason[0].upper() + reason[1:])
    return _told(count, filtered, turn.block)


def _fitting(context: ActionContext, prompt: str, settings: Mapping[str, Any]) -> Begun:
    """A turn whose block the client takes."""
    turn = _begun(context, prompt, settings)
    if context.room is None or len(turn.block or "") <= context.room:
        return turn
    turn.roll_back()
    if context.room < LEAST_BLOCK_CHARACTERS:
        return _begun(context, prompt, {"project": settings["project"], "enabled": False})
    return _begun(context, prompt, {**settings, "memory_context_max_chars": context.room})


def _begun(context: ActionContext, prompt: str, settings: Mapping[str, Any]) -> Begun:
    event = context.event
    return context.memory.turn(
        session=event.session,
        text=prompt,
        history=None,
        context=event.context,
        shown=event.shown,
        agent=event.agent,
        user=event.user,
        **settings,
    )


def _told(count: int, filtered: int, block: str | None) -> Mapping[str, Any]:
    if block is None:
        return {"injected": False, "count": 0, "filtered": filtered}
    return {"inject_context": block, "injected": True, "count": count, "filtered": filtered}
