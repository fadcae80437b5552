"""The table of memories: rows are data, drawn by the browser, so that a page of them is light."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nicegui.element import Element
from nicegui.events import GenericEventArguments


class Table(Element, component="table.js"):
    """Memories in rows; `on_select` hears of the ids that are selected, here and on other pages."""

    def __init__(self, *, selectable: bool, on_select: Callable[[Sequence[str]], Any]) -> None:
        super().__init__()
        self.props["selectable"] = selectable
        self.props["rows"] = []
        self.props["selected"] = []
        self.props["relevance"] = False

        def selected(event: GenericEventArguments) -> None:
            on_select([str(id) for id in event.args["ids"]])

        self.on("select", selected)

    def show(self, rows: Sequence[dict[str, Any]], selected: Iterable[str] = ()) -> None:
        """Show other rows, with those selected that still are."""
        self.props["rows"] = list(rows)
        self.props["relevance"] = any(row["relevance"] is not None for row in rows)
        self.props["selected"] = list(selected)
        self.update()
