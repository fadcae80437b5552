"""A change in words: what was done, by whom, why, how sure that was, and how undoing ended."""

from collections.abc import Mapping
from types import MappingProxyType

from tacit.core.changes import Change, ChangeKind
from tacit.core.kinds import Actor
from tacit.ui.text_diff import MarkedText, TextPiece, diff_texts
from tacit.writing.draft import Status, Written

KIND_LABELS: Mapping[ChangeKind, tuple[str, str]] = MappingProxyType(
    {
        ChangeKind.REPLACED: ("Replaced", "warn"),
        ChangeKind.MERGED: ("Merged", "accent"),
        ChangeKind.HIDDEN: ("Hidden", "bad"),
        ChangeKind.EXPIRED: ("Expired", "neutral"),
    }
)
"""How each kind is called, and its tone."""

_AUTHORS: Mapping[Actor, str] = MappingProxyType(
    {
        Actor.SYSTEM: "by memory itself",
        Actor.AGENT: "by an agent",
        Actor.TOOL: "by a tool",
        Actor.IMPORT: "by an import",
    }
)
_BEFORE: Mapping[ChangeKind, str] = MappingProxyType(
    {
        ChangeKind.REPLACED: "No longer current",
        ChangeKind.MERGED: "Merged into the other",
        ChangeKind.HIDDEN: "Not shown any more",
        ChangeKind.EXPIRED: "No longer holds",
    }
)
_MAX_QUOTE = 60


def count_text(found: int, most: int, *, is_first: bool) -> str:
    """How many changes a page shows, and whether there are more."""
    shown = min(found, most)
    named = "1 change" if shown == 1 else f"{shown} changes"
    if found > most:
        return f"{named} on this page, and more"
    return named if is_first else f"{named} on this page"


def author_text(change: Change) -> str:
    """Who did it."""
    return _AUTHORS.get(change.by, f"by {change.by}")


def before_label(change: Change) -> str:
    """What became of the words on the left."""
    return "Holds again" if change.undone else _BEFORE[change.kind]


def reason_text(change: Change) -> str:
    """Why it was done, as a sentence."""
    reason = change.reason[:1].upper() + change.reason[1:]
    return f"{reason}." if reason else ""


def diff_change(change: Change) -> tuple[MarkedText, MarkedText | None]:
    """The words before, and those that stand instead, with what only one of them has marked."""
    if change.other is None:
        return (TextPiece(change.memory.content),), None
    return diff_texts(change.memory.content, change.other.content)


def result_text(written: Written) -> str:
    """How undoing ended."""
    line = " ".join(written.memory.content.split())
    quoted = line if len(line) <= _MAX_QUOTE else f"{line[: _MAX_QUOTE - 1].rstrip()}…"
    if written.status is Status.QUEUED:
        return "This concerns a person's words: it waits for a person."
    if written.status is Status.UNCHANGED:
        return f"“{quoted}” held again already."
    return f"“{quoted}” holds again."
