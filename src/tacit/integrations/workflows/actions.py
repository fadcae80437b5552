"""The built-in actions of workflows; packages offer others the same way."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.explanations import explain_empty_turn
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, MemoryType, Scope, Trust
from tacit.core.memory import Memory
from tacit.integrations.workflows.action import ActionContext, RecallTurn
from tacit.integrations.workflows.events import WorkflowTrigger
from tacit.language.neutralization import neutralize_line
from tacit.language.prompt_templates import HANDOFF as HEADING
from tacit.language.redaction.redact import clip_redacted
from tacit.settings.injection import MIN_BLOCK_CHARACTERS

# extract_handoff_context: what a compaction would lose, in a few lines


HANDOFF_VARIABLE = "handoff"
"""The variable that keeps the hand-off until it is injected."""

_MOST_ITEMS = 5
_LONGEST_ITEM = 190
_LONGEST_READ = 20_000
_PATH = re.compile(r"(?<![\w/.:~-])(?:[\w.~-]*/)+[\w.-]*\.\w{1,8}\b")
_HANDOFF_SCOPES: Mapping[MemoryType, tuple[Scope, ...]] = {
    MemoryType.GOAL: (Scope.SESSION, Scope.PROJECT, Scope.USER),
    MemoryType.TODO: (Scope.SESSION, Scope.PROJECT, Scope.USER),
    MemoryType.DECISION: (Scope.SESSION, Scope.PROJECT),
}
_HANDOFF_TITLES = {
    MemoryType.GOAL: "Goal",
    MemoryType.TODO: "Open todos",
    MemoryType.DECISION: "Decisions",
}


def extract_handoff_context(context: ActionContext) -> Mapping[str, Any]:
    """Keep the goal, the todos, the decisions and the files at hand for after a compaction."""
    sections = [
        (title, _current_statements(context, type)) for type, title in _HANDOFF_TITLES.items()
    ]
    sections.append(("Files", list(islice(_find_files(context), _MOST_ITEMS))))
    lines = [line for title, items in sections for line in _section_lines(title, items)]
    text = "\n".join([HEADING, *lines]) if lines else None
    context.set(HANDOFF_VARIABLE, text)
    return {"handoff_extracted": text is not None, "characters": len(text or "")}


def _section_lines(title: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield f"{title}:"
        yield from (f"- {neutralize_line(_clip_line(item))}" for item in items)


def _clip_line(text: str) -> str:
    """A statement on one line, with an ellipsis if it was cut."""
    line = " ".join(text.split())
    return (
        line
        if len(line) <= _LONGEST_ITEM
        else clip_redacted(line, _LONGEST_ITEM - 1).rstrip() + "…"
    )


def _current_statements(context: ActionContext, type: MemoryType) -> list[str]:
    """Current statements of a type, the latest first."""
    owners = _scope_owners(context)
    found = [
        memory
        for scope in _HANDOFF_SCOPES[type]
        if owners[scope] is not None
        for memory in _list_memories(context, type, scope, owners[scope] or "")
    ]
    latest = sorted(found, key=lambda memory: memory.updated_at, reverse=True)
    return [memory.content for memory in latest[: 1 if type is MemoryType.GOAL else _MOST_ITEMS]]


def _scope_owners(context: ActionContext) -> Mapping[Scope, str | None]:
    event = context.event
    return {
        Scope.SESSION: event.session,
        Scope.PROJECT: event.project,
        Scope.USER: event.user or "",
    }


def _list_memories(
    context: ActionContext, type: MemoryType, scope: Scope, owner: str
) -> Iterable[Memory]:
    agent = context.event.agent
    listed = context.memory.list(
        types=[type], scope=scope, scope_id=owner, agent=agent, limit=_MOST_ITEMS
    )
    is_shown = (None, agent)
    return [each for each in listed if each.agent in is_shown and each.trust is not Trust.UNTRUSTED]


def _find_files(context: ActionContext) -> Iterator[str]:
    """The files at hand, the latest first, each once."""
    seen: dict[str, None] = dict.fromkeys(_files_of_event(context.event.data.get("files")))
    for message in reversed(context.event.context):
        named = _PATH.findall(str(message.get("content") or "")[-_LONGEST_READ:])
        seen.update(dict.fromkeys(reversed(named)))
    yield from seen


def _files_of_event(files: Any) -> list[str]:
    """The files that the client names, the latest first."""
    return [str(each) for each in files] if isinstance(files, list | tuple) else []


def inject_context(context: ActionContext, text: str | None) -> Mapping[str, Any]:
    """Show the model a text; an empty one is not shown, nor one that the client does not take."""
    shown = (text or "").strip()
    is_too_long = context.room is not None and len(shown) > context.room
    if not shown or is_too_long:
        return {"injected": False, "characters": len(shown)}
    return {"inject_context": shown, "injected": True, "characters": len(shown)}


def memory_extract(context: ActionContext) -> Mapping[str, Any]:
    """Learn from the turn; at the end of a session, let the model read the rest of it."""
    if context.event.trigger is WorkflowTrigger.SESSION_END:
        return {"waiting": context.memory.end_session(context.event.session)}
    context.learns = True
    return {"learns": True}


# memory_recall_relevant: what the agent should know for a prompt


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
    if context.event.trigger is not WorkflowTrigger.BEFORE_AGENT:
        raise InvalidInput(
            "action", f"recall answers prompts; put it under {WorkflowTrigger.BEFORE_AGENT}"
        )
    if context.turn is not None:
        raise InvalidInput("action", "the turn has begun already; recall once for each prompt")
    prompt = str(context.event.data.get("prompt") or "")
    if not prompt.strip():
        return _recall_result(0, 0, None, ())
    settings = {
        "project": project_id or context.event.project,
        "max_total": limit,
        "min_importance": min_importance,
    }
    turn = _fit_turn(context, prompt, settings)
    if context.deadline.has_passed:
        turn.roll_back()
        raise TimeoutError
    context.turn = turn.receipt.id if turn.is_open else None
    count, filtered = len(turn.receipt.injected), turn.receipt.filtered
    if not count and turn.receipt.skipped is None:
        reason = explain_empty_turn(turn.receipt)
        _log.debug("memory_recall_relevant: %s", reason[0].upper() + reason[1:])
    return _recall_result(count, filtered, turn.block, turn.receipt.degraded)


def _fit_turn(context: ActionContext, prompt: str, settings: Mapping[str, Any]) -> RecallTurn:
    """Begin a turn whose block fits the client's limit."""
    turn = _start_turn(context, prompt, settings)
    if context.room is None or len(turn.block or "") <= context.room:
        return turn
    turn.roll_back()
    if context.room < MIN_BLOCK_CHARACTERS:
        return _start_turn(context, prompt, {"project": settings["project"], "enabled": False})
    return _start_turn(context, prompt, {**settings, "memory_context_max_chars": context.room})


def _start_turn(context: ActionContext, prompt: str, settings: Mapping[str, Any]) -> RecallTurn:
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


def _recall_result(
    count: int, filtered: int, block: str | None, degraded: Sequence[str]
) -> Mapping[str, Any]:
    missing = {"degraded": list(degraded)} if degraded else {}
    if block is None:
        return {"injected": False, "count": 0, "filtered": filtered, **missing}
    shown = {"inject_context": block, "injected": True, "count": count, "filtered": filtered}
    return {**shown, **missing}


def reset_memory_injection_tracking(context: ActionContext) -> Mapping[str, Any]:
    """Let everything come again that the session was shown."""
    reset = context.memory.sessions.reset_memory_injection_tracking(context.event.session)
    return {"memory_tracking_reset": True, "previous_count": reset.cleared}


_PROJECT_SCOPES = (Scope.SESSION, Scope.PROJECT)


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
    if context.origin.is_project and whose not in _PROJECT_SCOPES:
        problem = "a project's files save for the project or the session only; write scope: project"
        raise InvalidInput("scope", problem)
    written = context.memory.remember(
        content,
        by=Actor.TOOL,
        type=type,
        key=key,
        scope=whose,
        scope_id=_save_owner(context, whose),
        importance=importance,
        tags=tags or (),
        origin={"session": context.event.session},
        trust=Trust.UNTRUSTED if context.origin.is_project else None,
    )
    return {"saved": True, "id": written.id, "status": str(written.status)}


def _save_owner(context: ActionContext, scope: Scope) -> str:
    event = context.event
    owners = {Scope.SESSION: event.session, Scope.PROJECT: event.project, Scope.USER: event.user}
    owner = owners.get(scope)
    if owner is None and scope is Scope.PROJECT:
        raise InvalidInput("scope", "there is no project here; write scope: user")
    return owner or ""


def set_variable(context: ActionContext, name: str, value: Any) -> Mapping[str, Any]:
    """Keep a value under a name; null removes it."""
    context.set(name, value)
    return {"name": name, "value": value}
