"""Calls from a page to the server: off the event loop, with errors shown on the page.

`call_api` runs a call of the client in a thread, `LatestCall` drops results that a newer call has
overtaken, `poll` repeats a call while a browser shows the page, and `MemoryCache` reads memories
and episodes by id, each once.
"""

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, ParamSpec, TypeVar

from nicegui import context, ui

from tacit.api.client.remote import RemoteTacit
from tacit.core.episodes import Episode, is_episode_id
from tacit.core.errors import InvalidInput, NotAllowed, NotFound, TacitError
from tacit.core.memory import Memory

_log = logging.getLogger("tacit.ui")

Params = ParamSpec("Params")
Returned = TypeVar("Returned")

_THREADS = ThreadPoolExecutor(32, "tacit-ui")
"""Only for pages: a server in the same process needs its own threads to answer them."""

_NOTICE_MS = 20_000
_UNKNOWN_ERROR = "Something went wrong here; the log of the web UI says more."


async def call_api(
    call: Callable[Params, Returned], *args: Params.args, **named: Params.kwargs
) -> Returned:
    """Run a call of the client in a thread, so that other pages do not wait for it."""
    try:
        return await asyncio.get_running_loop().run_in_executor(
            _THREADS, functools.partial(copy_context().run, call, *args, **named)
        )
    except RuntimeError as error:
        if "closed" in str(error):  # the browser signed out in another tab
            raise NotAllowed("you are signed out; reload the page and sign in") from error
        raise


def error_message(error: Exception) -> str:
    """What a person reads about an error: what was wrong and how to fix it, no internals."""
    if isinstance(error, InvalidInput):
        return f"{error.field}: {error.problem}"
    if isinstance(error, TacitError):
        return str(error)
    _log.error("a page failed", exc_info=error)
    return _UNKNOWN_ERROR


def show_error(error: Exception) -> None:
    """Show an error on the page, for long enough to read it."""
    ui.notify(
        error_message(error),
        type="negative",
        position="top",
        timeout=_NOTICE_MS,
        close_button="Close",
        multi_line=True,
    )


def report_errors(act: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[None]]:
    """Wrap an event handler of a page so that the page shows its errors.

    The handler runs in the slot of the page itself, because it may rebuild the part that it was
    called from.
    """

    @functools.wraps(act)
    async def handler(*args: Any, **named: Any) -> None:
        with context.client:
            try:
                await act(*args, **named)
            except Exception as error:
                show_error(error)

    return handler


Awaited = TypeVar("Awaited")


class LatestCall:
    """Runs overlapping calls and returns only the result of the latest."""

    def __init__(self) -> None:
        self._started = 0

    def cancel(self) -> None:
        """Ignore the results of all calls that are still running."""
        self._started += 1

    async def run(self, work: Awaitable[Awaited]) -> Awaited | None:
        """Await a call; returns None, also on errors, if a newer call was started meanwhile."""
        self.cancel()
        mine = self._started
        try:
            value = await work
        except Exception:
            if mine != self._started:
                return None
            raise
        return value if mine == self._started else None


def poll(seconds: float, load: Callable[[], Awaitable[None]]) -> None:
    """Call `load` at an interval while a browser shows the page."""
    client = context.client

    async def load_if_shown() -> None:
        if client.has_socket_connection:
            await load()

    ui.timer(seconds, load_if_shown, immediate=False)


_BATCH_SIZE = 200


class MemoryCache:
    """Memories and episodes by id; remembers also which ids do not exist."""

    def __init__(self, tacit: RemoteTacit) -> None:
        self._tacit = tacit
        self._memories: dict[str, Memory | None] = {}
        self._episodes: dict[str, Episode | None] = {}

    @property
    def known(self) -> dict[str, Memory]:
        """The memories that exist, by id."""
        return {id: memory for id, memory in self._memories.items() if memory is not None}

    @property
    def known_episodes(self) -> dict[str, Episode]:
        """The episodes that exist and are not forgotten, by id."""
        return {
            id: episode
            for id, episode in self._episodes.items()
            if episode is not None and not episode.forgotten
        }

    def words_of(self, id: str) -> str | None:
        """What a memory or an episode says; None if it is gone."""
        if is_episode_id(id):
            episode = self._episodes.get(id)
            return None if episode is None or episode.forgotten else episode.text
        memory = self._memories.get(id)
        return None if memory is None else memory.content

    async def load(self, ids: Iterable[str]) -> None:
        """Read the memories and episodes that are not cached yet."""
        named = list(dict.fromkeys(ids))
        said = [id for id in named if is_episode_id(id) and id not in self._episodes]
        self._episodes.update(
            zip(said, await asyncio.gather(*map(self._read_episode, said)), strict=True)
        )
        missing = [id for id in named if not is_episode_id(id) and id not in self._memories]
        for start in range(0, len(missing), _BATCH_SIZE):
            piece = missing[start : start + _BATCH_SIZE]
            self._memories.update(dict.fromkeys(piece) | await self._read(piece))

    def clear(self) -> None:
        """Forget everything, so that it is read again."""
        self._memories.clear()
        self._episodes.clear()

    async def _read_episode(self, id: str) -> Episode | None:
        try:
            return await call_api(self._tacit.episodes.get, id)
        except NotFound:
            return None

    async def _read(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Read memories; a server with a lower limit per call gets each half."""
        try:
            return await call_api(self._tacit.memories.get_all, ids)
        except InvalidInput:
            half = len(ids) // 2
            if not half:
                raise
            return await self._read(ids[:half]) | await self._read(ids[half:])
