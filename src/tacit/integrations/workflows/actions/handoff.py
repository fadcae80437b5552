"""The hand-off: what a compaction would lose, in a few lines."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from tacit.core.kinds import MemoryType, Scope, Trust
from tacit.core.memory import Memory
from tacit.integrations.workflows.action import ActionContext
from tacit.language.redaction.text import clip
from tacit.language.structure.neutral import neutralised
from tacit.language.structure.templates import HANDOFF as HEADING

HANDOFF = "handoff"
"""The variable that keeps the hand-off until it is injected."""

_MOST = 5
_LONGEST = 190
_READ = 20_000
_PATH = re.compile(r"(?<![\w/.:~-])(?:[\w.~-]*/)+[\w.-]*\.\w{1,8}\b")
_WHERE: Mapping[MemoryType, tuple[Scope, ...]] = {
    MemoryType.GOAL: (Scope.SESSION, Scope.PROJECT, Scope.USER),
    MemoryType.TODO: (Scope.SESSION, Scope.PROJECT, Scope.USER),
    MemoryType.DECISION: (Scope.SESSION, Scope.PROJECT),
}
_TITLES = {
    MemoryType.GOAL: "Goal",
    MemoryType.TODO: "Open todos",
    MemoryType.DECISION: "Decisions",
}


def extract_handoff_context(context: ActionContext) -> Mapping[str, Any]:
    """Keep the goal, the todos, the decisions and the files at hand for after a compaction."""
    sections = [(title, _statements(context, type)) for type, title in _TITLES.items()]
    sections.append(("Files", list(islice(_files(context), _MOST))))
    lines = [line for title, items in sections for line in _lines(title, items)]
    text = "\n".join([HEADING, *lines]) if lines else None
    context.set(HANDOFF, text)
    return {"handoff_extracted": text is not None, "characters": len(text or "")}


def _lines(title: str, items: Sequence[str]) -> Iterator[str]:
    if items:
        yield f"{title}:"
        yield from (f"- {neutralised(_clipped(item))}" for item in items)


def _clipped(text: str) -> str:
    """A statement on one line, with an end that says if there was more."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else clip(line, _LONGEST - 1).rstrip() + "…"


def _statements(context: ActionContext, type: MemoryType) -> list[str]:
    """What is current of a type, the latest first."""
    owners = _owners(context)
    found = [
        memory
        for scope in _WHERE[type]
        if owners[scope] is not None
        for memory in _listed(context, type, scope, owners[scope] or "")
    ]
    latest = sorted(found, key=lambda memory: memory.updated_at, reverse=True)
    return [memory.content for memory in latest[: 1 if type is MemoryType.GOAL else _MOST]]


def _owners(context: ActionContext) -> Mapping[Scope, str | None]:
    event = context.event
    return {
        Scope.SESSION: event.session,
        Scope.PROJECT: event.project,
        Scope.USER: event.user or "",
    }


def _listed(context: ActionContext, type: MemoryType, scope: Scope, owner: str) -> Iterable[Memory]:
    agent = context.event.agent
    listed = context.memory.list(
        types=[type], scope=scope, scope_id=owner, agent=agent, limit=_MOST
    )
    is_shown = (None, agent)
    return [each for each in listed if each.agent in is_shown and each.trust is not Trust.UNTRUSTED]


def _files(context: ActionContext) -> Iterator[str]:
    """The files at hand, the latest first, each once."""
    seen: dict[str, None] = dict.fromkeys(_named(context.event.data.get("files")))
    for message in reversed(context.event.context):
        named = _PATH.findall(str(message.get("content") or "")[-_READ:])
        seen.update(dict.fromkeys(reversed(named)))
    yield from seen


def _named(files: Any) -> list[str]:
    """The files that the client names, the latest first."""
    return [str(each) for each in files] if isinstance(files, list | tuple) else []
