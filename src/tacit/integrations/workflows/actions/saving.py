"""Saving: a statement that a workflow wants kept."""

from collections.abc import Mapping
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, Scope, Trust
from tacit.integrations.workflows.action import ActionContext

_OPEN_TO_STRANGERS = (Scope.SESSION, Scope.PROJECT)


def memory_save(
    context: ActionContext,
    content: str,
    type: str = "fact",
    key: str | None = None,
    scope: str = "project",
    importance: float | None = None,
    tags: list[str] | None = None,
) -> Mapping[str, Any]:
    """Keep a statement; it counts as a tool's word, not as a person's.

    What a project's file has saved is untrusted: it is shown only where the user wants such.
    """
    whose = check_field("scope", scope)
    if context.origin.is_strange and whose not in _OPEN_TO_STRANGERS:
        problem = "a project's files save for the project or the session only; write scope: project"
        raise InvalidInput("scope", problem)
    written = context.memory.remember(
        content,
        by=Actor.TOOL,
        type=type,
        key=key,
        scope=whose,
        scope_id=_owner(context, whose),
        importance=importance,
        tags=tags or (),
        origin={"session": context.event.session},
        trust=Trust.UNTRUSTED if context.origin.is_strange else None,
    )
    return {"saved": True, "id": written.id, "status": str(written.status)}


def _owner(context: ActionContext, scope: Scope) -> str:
    event = context.event
    owners = {Scope.SESSION: event.session, Scope.PROJECT: event.project, Scope.USER: event.user}
    owner = owners.get(scope)
    if owner is None and scope is Scope.PROJECT:
        raise InvalidInput("scope", "there is no project here; write scope: user")
    return owner or ""
