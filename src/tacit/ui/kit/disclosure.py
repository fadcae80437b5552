"""Disclosures: parts of a page that are closed until somebody wants them."""

from nicegui.element import Element

from tacit.ui.kit.card import badge
from tacit.ui.kit.element import box, heading


class Disclosure:
    """A heading that opens what is under it; fill `inside`."""

    def __init__(
        self,
        title: str,
        *,
        level: int = 3,
        note: str | None = None,
        is_open: bool = False,
        classes: str = "",
    ) -> None:
        self._is_sought = False
        with box(f"disclosure {classes}", "details", open=is_open) as self.element:
            with box(tag="summary") as self.summary:
                heading(title, level)
                if note is not None:
                    badge(note)
            self.inside: Element = box("inside")

    def seek(self, is_sought: bool) -> None:
        """Open it while somebody looks for something in it, and close it again afterwards."""
        if is_sought != self._is_sought:
            self._is_sought = is_sought
            self.open(is_sought)

    def open(self, is_open: bool = True) -> None:
        """Open it, or close it, whatever the person did with it before."""
        self.element.run_method("toggleAttribute", "open", is_open)
