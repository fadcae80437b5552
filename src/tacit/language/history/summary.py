"""The message that stands for what was left out of a history."""

import re
from collections.abc import Sequence

from tacit.core.messages import role_of, text_of
from tacit.language.structure.neutral import neutralised_once
from tacit.language.structure.templates import SUMMARY_PREFIX

_COUNT = re.compile(r"(\d{1,18}) earlier messages were left out to make room\.(?:\n|\Z)")


def is_summary(message: object) -> bool:
    """Whether a message stands for earlier ones."""
    return role_of(message) == "user" and text_of(message).startswith(SUMMARY_PREFIX)


def summary_text(summary: str | None, zone: Sequence[object]) -> str:
    """What stands for a zone: its summary, or else how much is gone and what stood for it before.

    Without a new summary the words of older ones stay, and their counts go into the new one. No
    line of it can pass for another message.
    """
    words = summary if summary and summary.strip() else _left_out(zone)
    return SUMMARY_PREFIX + neutralised_once(words, begins_line=False)


def _left_out(zone: Sequence[object]) -> str:
    older = [_read(message) for message in zone if is_summary(message)]
    count = len(zone) - len(older) + sum(count for count, _ in older)
    marker = f"{count} earlier messages were left out to make room."
    return "\n".join([marker, *(words for _, words in older if words)])


def _read(summary: object) -> tuple[int, str]:
    """How many messages an older summary says are gone, and its words."""
    text = text_of(summary).removeprefix(SUMMARY_PREFIX)
    marker = _COUNT.match(text)
    return (int(marker[1]), text[marker.end() :]) if marker else (0, text)
