"""What a benchmark found, as a table and as JSON."""

from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

Cell = str | int | float | None
Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Rows under columns; notes say how to read them."""

    title: str
    columns: tuple[str, ...]
    rows: list[Row]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}

    def __rich__(self) -> Group:
        table = Table(title=self.title, title_justify="left", title_style="bold", box=box.SIMPLE)
        for column, cell in zip(self.columns, self.rows[0], strict=True):
            words = isinstance(cell, str)
            table.add_column(column, justify="left" if words else "right", no_wrap=words)
        for row in self.rows:
            table.add_row(*map(_written, row))
        notes = (Padding(Text(note, style="dim"), (0, 2), expand=False) for note in self.notes)
        return Group(table, *notes, "")


def _written(cell: Cell) -> Text:
    """Three digits that count; a dash where there is nothing."""
    if cell is None:
        return Text("–")
    if isinstance(cell, float):
        decimals = 0 if abs(cell) >= 100 else 1 if abs(cell) >= 10 else 2
        return Text(f"{cell:,.{decimals}f}")
    return Text(f"{cell:,}" if isinstance(cell, int) else cell)
