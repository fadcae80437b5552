"""The guard of what is unsaved: the browser asks before the page is left."""

import json

from nicegui import ui


class Unsaved:
    """The parts of a page that hold something unsaved."""

    def __init__(self) -> None:
        self._parts: set[str] = set()

    def mark(self, part: str, is_unsaved: bool) -> None:
        """Say whether a part holds something unsaved; the browser hears of it if that is new."""
        before = bool(self._parts)
        if is_unsaved:
            self._parts.add(part)
        else:
            self._parts.discard(part)
        if bool(self._parts) != before:
            ui.run_javascript(f"window.tacitUnsaved = {json.dumps(not before)}")
