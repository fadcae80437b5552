"""What is going on, on stderr, so that stdout holds the tables alone."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from benchmarks.context import Say


@contextmanager
def progress(name: str) -> Iterator[Say]:
    """A line that changes on a terminal, or a line for each step elsewhere."""
    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        yield lambda step: console.print(f"{name}: {step}")
        return
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as line:
        task = line.add_task(name, total=None)
        yield lambda step: line.update(task, description=f"{name}: {step}")
