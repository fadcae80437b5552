"""The history of a memory on its page."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tacit.core.memory.audit import AuditEntry
from tacit.ui.addresses import memory_at
from tacit.ui.difference import sides
from tacit.ui.kit.card import badge, card
from tacit.ui.kit.compared import GONE, compared
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.pages.memories.chronicle import Chapter, chronicle
from tacit.ui.pages.memories.fields import LABELS
from tacit.ui.pages.memories.form import Difference
from tacit.ui.pages.memories.graph import relation_words
from tacit.ui.visit import Visit

Words = Mapping[str, str]
"""What the memories say that a history may name."""

_TIMES = frozenset({"valid_from", "valid_to", "expires_at", "created_at"})


def show_history(visit: Visit, entries: Sequence[AuditEntry], words: Words) -> None:
    """Every change: who, when, and what was and is."""
    with card("History", "Every change, newest first."), box("memory-history", "ol"):
        for chapter in chronicle(entries):
            with box(tag="li"):
                _chapter(visit, chapter, words)


def _chapter(visit: Visit, chapter: Chapter, words: Words) -> None:
    with box("row"):
        say(chapter.title, tag="strong")
        badge(f"by {chapter.by}")
        moment(chapter.at)
    if chapter.link is not None:
        with box("row"):
            say(relation_words(chapter.link.relation), "quiet")
            other = chapter.link.target
            link(words.get(other, "another memory"), memory_at(visit, other), "breaking")
    for each in chapter.differences:
        _difference(visit, each)


def _difference(visit: Visit, each: Difference) -> None:
    with box("memory-difference"):
        say(LABELS.get(each.field, each.field), "quiet")
        if each.field == "content" and each.old and each.new:
            was, now = sides(str(each.old), str(each.new))
            with box("stack"):
                compared(was, GONE)
                compared(now)
        else:
            with box("row"):
                if each.old is not None:
                    _value(visit, each.field, each.old)
                    say("→", aria_label="became")
                _value(visit, each.field, each.new)


def _value(visit: Visit, name: str, value: Any) -> None:
    if value is None:
        say("nothing", "quiet")
    elif name in _TIMES:
        moment(str(value))
    elif name in ("superseded_by", "successor"):
        link("a newer memory", memory_at(visit, str(value)))
    elif isinstance(value, bool):
        say("yes" if value else "no")
    elif isinstance(value, list):
        say(", ".join(map(str, value)) or "none", "breaking")
    else:
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        say(said, "breaking kept")
