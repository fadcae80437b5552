"""Moments: shown in the viewer's own zone, by the browser."""

from datetime import datetime

from nicegui.element import Element

from tacit.core.memory.times import rfc3339
from tacit.ui.kit.element import say


def moment(at: datetime | str | None, *, none: str = "–", short: bool = False) -> Element:
    """A time as the viewer's clock tells it; the exact one is its title."""
    if at is None:
        return say(none, "quiet")
    told = at if isinstance(at, str) else rfc3339(at)
    return say(told, "moment", "tacit-time", datetime=told, short=short)
