"""Asking the server from a page: beside the loop, and with an answer to everything that fails."""

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, ParamSpec, TypeVar

from nicegui import context, ui

from tacit.core.errors import InvalidInput, NotAllowed, TacitError

_log = logging.getLogger("tacit.ui")

Given = ParamSpec("Given")
Value = TypeVar("Value")

_THREADS = ThreadPoolExecutor(32, "tacit-ui")
"""Those of the pages alone: a server in this process needs its own to answer them."""

_TELLING_MS = 20_000
_UNKNOWN = "Something went wrong here; the log of the web UI says more."


async def ask(call: Callable[Given, Value], *args: Given.args, **named: Given.kwargs) -> Value:
    """What a call of the client gives, without holding up other pages."""
    try:
        return await asyncio.get_running_loop().run_in_executor(
            _THREADS, functools.partial(copy_context().run, call, *args, **named)
        )
    except RuntimeError as error:
        if "closed" in str(error):  # the browser signed out in another tab
            raise NotAllowed("you are signed out; reload the page and sign in") from error
        raise


def words_of(error: Exception) -> str:
    """What a person is told of an error: what was wrong and what to do, never what is inside."""
    if isinstance(error, InvalidInput):
        return f"{error.field}: {error.problem}"
    if isinstance(error, TacitError):
        return str(error)
    _log.error("a page failed", exc_info=error)
    return _UNKNOWN


def notify_of(error: Exception) -> None:
    """Tell the person at the page that what they did has failed, for long enough to read it."""
    ui.notify(
        words_of(error),
        type="negative",
        position="top",
        timeout=_TELLING_MS,
        close_button="Close",
        multi_line=True,
    )


def handled(act: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[None]]:
    """A handler of a page's event whose failure is told at the page.

    It stands on the page itself: what it builds again may be the part that it was called from.
    """

    @functools.wraps(act)
    async def handler(*args: Any, **named: Any) -> None:
        with context.client:
            try:
                await act(*args, **named)
            except Exception as error:
                notify_of(error)

    return handler
