"""All fields of a memory, told."""

import json
from datetime import datetime

from nicegui.element import Element

from tacit.core.memory.record import Memory
from tacit.ui.addresses import memory_at
from tacit.ui.kit.bar import bar
from tacit.ui.kit.card import badge, card
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.pages.memories.fields import LABELS
from tacit.ui.pages.memories.row import whose
from tacit.ui.visit import Visit


def show_details(visit: Visit, memory: Memory) -> None:
    """What is known of a memory besides its words."""
    with card("Details"):
        bar(memory.importance, "Importance")
        bar(memory.confidence, "Confidence")
        with box("rows memory-details", "dl"):
            _tell("Whose", whose(memory))
            _tell(LABELS["source"], _author(memory))
            _tell("Trust", str(memory.trust))
            if memory.tags:
                with _row("Tags"), box("row"):
                    for tag in memory.tags:
                        badge(tag)
            _times(visit, memory)
            _origin(memory)
            if memory.metadata:
                with _row("Metadata"):
                    say(json.dumps(memory.metadata, ensure_ascii=False, indent=2), "passage", "pre")
            with _row("Id"):
                say(memory.id, "code breaking")


def times(count: int) -> str:
    """How often something happened."""
    return "not yet" if count == 0 else "once" if count == 1 else f"{count:,} times"


def _author(memory: Memory) -> str:
    return f"{memory.source}{', in a person’s own words' if memory.explicit else ''}"


def _times(visit: Visit, memory: Memory) -> None:
    _when("Written", memory.created_at)
    _when("Changed", memory.updated_at)
    if not memory.forgotten:  # the history, which is left of a forgotten one, does not tell
        with _row("Used"):
            say(times(memory.access_count))
            if memory.last_accessed_at is not None:
                say(", last ")
                moment(memory.last_accessed_at)
    for name in ("valid_from", "valid_to", "expires_at"):
        if (at := getattr(memory, name)) is not None:
            _when(LABELS[name], at)
    if memory.superseded_by is not None:
        with _row(LABELS["superseded_by"]):
            link("a newer memory", memory_at(visit, memory.superseded_by))


def _origin(memory: Memory) -> None:
    for name, value in memory.origin.to_dict().items():
        if value is None:
            continue
        with _row(f"Said in {name}" if name in ("session", "file", "url") else f"Origin, {name}"):
            if name == "time":
                moment(str(value))
            else:
                say(str(value), "breaking")


def _when(name: str, at: datetime) -> None:
    with _row(name):
        moment(at)


def _tell(name: str, said: str) -> None:
    with _row(name):
        say(said, "breaking")


def _row(name: str) -> Element:
    say(name, tag="dt")
    return box(tag="dd")
