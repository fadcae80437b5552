"""Having the model ready before a command needs it, in sight of the person who waits."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from tacit.cli.output import notices
from tacit.cli.visible import visible
from tacit.core.errors import ModelUnavailable
from tacit.embedding.embedder import Progress as Watch
from tacit.embedding.minilm.model_files import ModelCache
from tacit.embedding.registry import open_embedder


def ready_embedder() -> str:
    """The name of the embedder to use: the chosen one, or none if its model cannot be had."""
    name = os.environ.get("TACIT_EMBEDDER") or "minilm"
    if name != "minilm" or ModelCache.of_user().is_complete():
        return name
    notices().print("Getting the embedding model, once: 83 MB.", style="bright_black")
    try:
        with bar() as watch:
            open_embedder(name, watch)
    except ModelUnavailable as error:
        notices().print(f"Going on without vectors. {visible(str(error))}", markup=False)
        return "none"
    return name


@contextmanager
def bar() -> Iterator[Watch]:
    """A progress bar on standard error; nothing where nobody looks."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    watched = notices()
    hidden = not watched.is_terminal
    with Progress(
        *columns, TimeRemainingColumn(), console=watched, transient=True, disable=hidden
    ) as progress:
        task = progress.add_task("", total=None)
        yield lambda stage, done, total: progress.update(
            task, description=stage, completed=done, total=total or None
        )
