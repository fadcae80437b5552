"""Sections of a memory's page: its fields, marks, the turns that used it, and its history."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from nicegui.element import Element

from tacit.core.changes import AuditEntry
from tacit.core.kinds import Scope
from tacit.core.marks import MarkAuthor, Marked
from tacit.core.memory import Memory
from tacit.core.receipt import Receipt
from tacit.turn.block import shorten
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import button, toast
from tacit.ui.kit.display import badge, bar, card
from tacit.ui.kit.elements import REMOVED, add_text, box, link, marked_text, timestamp
from tacit.ui.navigation import INSPECTOR, memory_link, profile_link, receipt_link
from tacit.ui.page_context import PageContext
from tacit.ui.pages.memories.editor import FIELD_LABELS
from tacit.ui.pages.memories.links import relation_label
from tacit.ui.pages.memories.view_model import (
    SUCCESSOR_FIELDS,
    FieldDifference,
    HistoryEntry,
    owner_text,
    successor_text,
    to_history,
)
from tacit.ui.text_diff import diff_texts

MemoryTexts = Mapping[str, str]
"""Texts of memories by id, for links to them."""


def show_details(context: PageContext, memory: Memory, successors: MemoryTexts) -> None:
    """Show all fields of a memory besides its content."""
    with card("Details"):
        bar(memory.importance, "Importance")
        bar(memory.confidence, "Confidence")
        with box("rows memory-details", "dl"):
            _show_owner(context, memory)
            _show_value(FIELD_LABELS["source"], _author_text(memory))
            _show_value("Trust", str(memory.trust))
            if memory.tags:
                with _build_row("Tags"), box("row"):
                    for tag in memory.tags:
                        badge(tag)
            _show_times(context, memory, successors)
            _show_origin(memory)
            if memory.metadata:
                with _build_row("Metadata"):
                    add_text(
                        json.dumps(memory.metadata, ensure_ascii=False, indent=2), "passage", "pre"
                    )
            with _build_row("Id"):
                add_text(memory.id, "code breaking")


def _show_owner(context: PageContext, memory: Memory) -> None:
    is_shown = memory.scope is Scope.USER and context.status.user in (None, memory.scope_id)
    with _build_row("Whose"), box("row"):
        add_text(owner_text(memory), "breaking")
        if is_shown:
            link("Profile", profile_link(context, memory.scope_id))


def times_text(count: int) -> str:
    """How often something happened."""
    return "not yet" if count == 0 else "once" if count == 1 else f"{count:,} times"


def _author_text(memory: Memory) -> str:
    return f"{memory.source}{', in a person’s own words' if memory.explicit else ''}"


def _show_times(context: PageContext, memory: Memory, successors: MemoryTexts) -> None:
    _show_time("Written", memory.created_at)
    _show_time("Changed", memory.updated_at)
    if not memory.forgotten:  # the history, which is left of a forgotten one, does not tell
        with _build_row("Used"):
            add_text(times_text(memory.access_count))
            if memory.last_accessed_at is not None:
                add_text(", last ")
                timestamp(memory.last_accessed_at)
    for name in ("valid_from", "valid_to", "expires_at"):
        if (at := getattr(memory, name)) is not None:
            _show_time(FIELD_LABELS[name], at)
    if memory.superseded_by is not None:
        with _build_row(FIELD_LABELS["superseded_by"]):
            _link_successor(context, memory.superseded_by, successors)


def _link_successor(context: PageContext, id: str, texts: MemoryTexts) -> None:
    link(successor_text(texts, id), memory_link(context, id), "breaking")


_ORIGIN_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "session": "Said in session",
        "file": "Said in file",
        "url": "Said in url",
        "speaker": "Said by",
        "author": "Written by",
        "time": "Said on",
    }
)


def _show_origin(memory: Memory) -> None:
    for name, value in memory.origin.to_dict().items():
        if value is None:
            continue
        with _build_row(_ORIGIN_LABELS.get(name, f"Origin, {name}")):
            if name == "time":
                timestamp(str(value))
            else:
                add_text(str(value), "breaking")


def _show_time(name: str, at: datetime) -> None:
    with _build_row(name):
        timestamp(at)


def _show_value(name: str, text: str) -> None:
    with _build_row(name):
        add_text(text, "breaking")


def _build_row(name: str) -> Element:
    add_text(name, tag="dt")
    return box(tag="dd")


async def show_marks(context: PageContext, memory: Memory) -> None:
    """Show the marks on a memory, if any, and buttons to remove them."""
    if not memory.forgotten:
        await _fill_marks(context, memory, box("stack"))


async def _fill_marks(context: PageContext, memory: Memory, place: Element) -> None:
    marks = await call_api(context.tacit.turns.marks, memory.id)
    place.clear()
    place.set_visibility(bool(marks))
    if not marks:
        return
    with (
        place,
        card("Marked as not useful", "It counts less for messages like those it was marked at."),
    ):
        for mark in marks:
            with box("spread"):
                with box("stack"):
                    timestamp(mark.at)
                    add_text(mark_author_text(mark.author), "quiet")
                if context.may_unmark(mark.author):
                    _build_unmark_button(context, memory, mark, place)


def mark_author_text(author: MarkAuthor) -> str:
    """Who made a mark, and in whose turns it counts."""
    if not author.is_person:
        whose = f" for user {author.user}" if author.user is not None else ""
        return f"by agent {author.agent}{whose}; counts in its turns only"
    through = f" through agent {author.agent}" if author.agent is not None else ""
    if author.user is not None:
        return f"by user {author.user}{through}; counts in their turns only"
    return f"by a person{through}"


def _build_unmark_button(
    context: PageContext, memory: Memory, mark: Marked, place: Element
) -> None:
    async def take_back() -> None:
        await call_api(context.tacit.turns.unmark, mark.id)
        toast("The mark is taken back.")
        await _fill_marks(context, memory, place)

    button("Take back", take_back)


_TIME_FIELDS = frozenset({"valid_from", "valid_to", "expires_at", "created_at"})


def show_history(context: PageContext, entries: Sequence[AuditEntry], texts: MemoryTexts) -> None:
    """Show every change: who, when, and the values before and after."""
    with card("History", "Every change, newest first."), box("memory-history", "ol"):
        for entry in to_history(entries):
            with box(tag="li"):
                _show_entry(context, entry, texts)


def _show_entry(context: PageContext, entry: HistoryEntry, texts: MemoryTexts) -> None:
    with box("row"):
        add_text(entry.title, tag="strong")
        badge(f"by {entry.by}")
        timestamp(entry.at)
    if entry.link is not None:
        with box("row"):
            add_text(relation_label(entry.link.relation), "quiet")
            other = entry.link.target
            link(texts.get(other, "another memory"), memory_link(context, other), "breaking")
    for each in entry.differences:
        _show_difference(context, each, texts)


def _show_difference(context: PageContext, each: FieldDifference, texts: MemoryTexts) -> None:
    with box("memory-difference"):
        add_text(FIELD_LABELS.get(each.field, each.field), "quiet")
        if each.field == "content" and each.old and each.new:
            was, now = diff_texts(str(each.old), str(each.new))
            with box("stack"):
                marked_text(was, REMOVED)
                marked_text(now)
        else:
            with box("row"):
                if each.old is not None:
                    _show_field_value(context, each.field, each.old, texts)
                    add_text("→", aria_label="became")
                _show_field_value(context, each.field, each.new, texts)


def _show_field_value(context: PageContext, name: str, value: Any, texts: MemoryTexts) -> None:
    if value is None:
        add_text("nothing", "quiet")
    elif name in _TIME_FIELDS:
        timestamp(str(value))
    elif name in SUCCESSOR_FIELDS:
        _link_successor(context, str(value), texts)
    elif isinstance(value, bool):
        add_text("yes" if value else "no")
    elif isinstance(value, list):
        add_text(", ".join(map(str, value)) or "none", "breaking")
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        add_text(text, "breaking kept")


_MAX_RECEIPTS = 100
_MAX_MESSAGE = 120


def show_usage(context: PageContext, memory: Memory) -> None:
    """Show the turns that used a memory, and a link to ask the inspector."""
    with card("Turns that showed it"):
        with box("stack") as place:
            _show_usage_count(context, memory, place)
        if not memory.forgotten:
            asking = context.link(INSPECTOR.path, **inspector_query(memory))
            link("Would it be shown? Ask the inspector", asking)


def inspector_query(memory: Memory) -> dict[str, str]:
    """The audience that a memory is visible to, as a query of the inspector."""
    named = {str(memory.scope): memory.scope_id, "agent": memory.agent or ""}
    return {name: value for name, value in named.items() if value}


def receipts_with(receipts: Iterable[Receipt], id: str) -> list[Receipt]:
    """The receipts of turns that injected a memory."""
    return [each for each in receipts if any(one.memory == id for one in each.injected)]


def _show_usage_count(context: PageContext, memory: Memory, place: Element) -> None:
    """Show how often it was used, and a button to search the last turns."""
    if memory.access_count == 0 and not memory.forgotten:
        add_text("No turn has used it yet.", "quiet", "p")
        return

    async def look() -> None:
        found = receipts_with(
            await call_api(context.tacit.turns.list, limit=_MAX_RECEIPTS), memory.id
        )
        place.clear()
        with place:
            add_text(f"Among the last {_MAX_RECEIPTS} turns.", "quiet", "p")
            _list_receipts(context, found)

    if not memory.forgotten:
        add_text(f"It was used {times_text(memory.access_count)}.", tag="p")
    button(f"Look through the last {_MAX_RECEIPTS} turns", look)


def _list_receipts(context: PageContext, receipts: list[Receipt]) -> None:
    if not receipts:
        add_text("None of them did.", tag="p")
    with box("memory-links", "ul"):
        for receipt in receipts:
            with box(tag="li"), box("words"):
                timestamp(receipt.at, short=True)
                text = shorten(receipt.query, _MAX_MESSAGE) or "a turn without words"
                link(text, receipt_link(context, receipt.id), "breaking")
