"""A conflict in words: what each side says, what speaks for it, and how it was resolved."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tacit.core.kinds import LEARNED_BY, Scope
from tacit.core.memory import Memory
from tacit.search.conflicts import Conflict
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
    """What the rules recommend, and why."""
    recommended = conflict.recommended
    if recommended.keep is None:
        return f"No rule decides: {recommended.reason}."
    return f"One is recommended: {recommended.reason}."


def owner_text(memory: Memory) -> str:
    """Who owns a memory."""
    if memory.scope is Scope.ORG:
        return f"everybody in {memory.scope_id}" if memory.scope_id else "everybody"
    whose = f"{memory.scope} {memory.scope_id}" if memory.scope_id else f"the {memory.scope}"
    return f"{whose}, for agent {memory.agent} only" if memory.agent else whose


def author_text(memory: Memory) -> str:
    """Who wrote a memory, and how far that is trusted."""
    how = "learned from a conversation" if LEARNED_BY in memory.metadata else "written"
    return f"{memory.source}, {memory.trust}, {how}"


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
