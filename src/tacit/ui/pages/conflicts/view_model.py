"""A conflict in words: what each side says, what speaks for it, and how it was resolved."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tacit.core.kinds import LEARNED_BY, Actor, Scope, Trust
from tacit.core.memory import Memory
from tacit.statements.conflict_list import Conflict
from tacit.ui.text_diff import MarkedText, TextPiece, diff_texts
from tacit.writing.draft import Status, Written

_MAX_QUOTE = 60


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of a decision in words; `superseded` are the memories that were replaced."""

    text: str
    superseded: tuple[Memory, ...] = ()
    is_undoable: bool = False
    is_queued: bool = False


def count_text(found: int, most: int, *, is_first: bool) -> str:
    """How many conflicts a page shows, and whether there are more."""
    shown = min(found, most)
    named = "1 conflict" if shown == 1 else f"{shown} conflicts"
    if found > most:
        return f"{named} on this page, and more"
    return named if is_first else f"{named} on this page"


def diff_contents(conflict: Conflict) -> tuple[MarkedText, ...]:
    """The text of each side; of two, with their own words marked."""
    if len(conflict.memories) == 2:
        return diff_texts(*(memory.content for memory in conflict.memories))
    return tuple((TextPiece(memory.content),) for memory in conflict.memories)


def recommendation_text(conflict: Conflict) -> str:
    """What the rules recommend and why, and what turns show until somebody decides."""
    recommended = conflict.recommended
    if recommended.keep is None:
        shown = "both" if len(conflict.memories) == 2 else "all of them"
        until = f"Until you decide, turns show {shown}, or none if conflict_policy is omit."
        return f"No rule decides: {recommended.reason}. {until}"
    return f"Recommended is the marked one: {recommended.reason}."


def owner_text(memory: Memory) -> str:
    """Who owns a memory."""
    if memory.scope is Scope.ORG:
        return f"everybody in {memory.scope_id}" if memory.scope_id else "everybody"
    whose = f"{memory.scope} {memory.scope_id}" if memory.scope_id else f"the {memory.scope}"
    return f"{whose}, for agent {memory.agent} only" if memory.agent else whose


_AUTHORS: Mapping[Actor, str] = MappingProxyType(
    {
        Actor.USER: "Written by the user",
        Actor.OPERATOR: "Written by an operator",
        Actor.AGENT: "Written by an agent",
        Actor.TOOL: "Written by a tool",
        Actor.IMPORT: "Imported from a file",
        Actor.SYSTEM: "Made by Tacit",
    }
)
_LEARNED_FROM: Mapping[Actor, str] = MappingProxyType(
    {Actor.USER: "Learned from what the user said", Actor.AGENT: "Learned from an agent's reply"}
)
_TRUST: Mapping[Trust, str] = MappingProxyType(
    {
        Trust.TRUSTED: "trusted",
        Trust.UNVERIFIED: "not verified by a person",
        Trust.UNTRUSTED: "not trusted",
    }
)


def author_text(memory: Memory) -> str:
    """Where a memory comes from, and how far it is trusted."""
    learned = _LEARNED_FROM.get(memory.source, "Learned from a conversation")
    origin = learned if LEARNED_BY in memory.metadata else _AUTHORS[memory.source]
    return f"{origin}; {_TRUST[memory.trust]}"


def usage_text(memory: Memory) -> str:
    """How often a memory was used."""
    if not memory.access_count:
        return "never"
    return "once" if memory.access_count == 1 else f"{memory.access_count:,} times"


def to_resolution(written: Sequence[Written], kept: Memory | None) -> Resolution:
    """The result of a decision; `kept` replaced the others, or None if all were kept.

    A decision that somebody else had made before cannot be undone here.
    """
    if any(each.status is Status.QUEUED for each in written):
        return Resolution(
            "What a person wrote is decided by persons: it waits for one.", is_queued=True
        )
    if kept is None:
        are = "Both are" if len(written) == 2 else f"All {len(written)} are"
        is_new = any(each.status is Status.KEPT for each in written)
        return Resolution(f"{are} right; they are no conflict any more.", is_undoable=is_new)
    past = [each.memory for each in written]
    names = ", ".join(quote(each.content) for each in past)
    return Resolution(f"Kept {quote(kept.content)}. Past now: {names}.", tuple(past))


def all_pairs(ids: Iterable[str]) -> list[tuple[str, str]]:
    """All pairs of memories, in the order in which they are linked as compatible."""
    ordered = sorted(ids)
    return [(one, other) for place, one in enumerate(ordered) for other in ordered[place + 1 :]]


def quote(text: str) -> str:
    """The beginning of a text, in quotes."""
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= _MAX_QUOTE else f"“{line[: _MAX_QUOTE - 1].rstrip()}…”"
