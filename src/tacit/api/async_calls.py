"""Calls of `AsyncTacit`, derived from calls of `Tacit` with their signature and documentation.

`remember = awaited(BaseTacit.remember)` runs `remember` of the wrapped object in a thread.
"""

import asyncio
import inspect
import threading
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Callable,
    Coroutine,
    Iterator,
)
from contextlib import suppress
from functools import partial, update_wrapper
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from tacit.core.receipt import Receipt
from tacit.turn.commit import Chunk, CommitResult, Turn

Params = ParamSpec("Params")
Result = TypeVar("Result")
Call = TypeVar("Call", bound=Callable[..., Any])


def awaited(
    method: Callable[Concatenate[Any, Params], Result],
) -> Callable[Concatenate[Any, Params], Coroutine[Any, Any, Result]]:
    """A call that runs a method in a thread."""

    async def call(self: Any, /, *args: Params.args, **kwargs: Params.kwargs) -> Result:
        run = find_call(self._wrapped, method.__name__)
        result: Result = await asyncio.to_thread(run, *args, **kwargs)
        return result

    return _document(call, method)


def iterated(
    method: Callable[Concatenate[Any, Params], Iterator[Result]],
) -> Callable[Concatenate[Any, Params], Coroutine[Any, Any, AsyncGenerator[Result, None]]]:
    """A call that runs a method in a thread, and then its iterator."""

    async def call(
        self: Any, /, *args: Params.args, **kwargs: Params.kwargs
    ) -> AsyncGenerator[Result, None]:
        run = find_call(self._wrapped, method.__name__)
        return iterate_in_thread(await asyncio.to_thread(run, *args, **kwargs))

    return _document(call, method)


def async_turn(
    method: Callable[Concatenate[Any, Params], Turn],
) -> Callable[Concatenate[Any, Params], "AsyncTurn"]:
    """A call that begins a turn in a thread, once it is entered."""

    def call(self: Any, /, *args: Params.args, **kwargs: Params.kwargs) -> AsyncTurn:
        return AsyncTurn(partial(find_call(self._wrapped, method.__name__), *args, **kwargs))

    return _document(call, method)


def find_call(tacit: object, name: str) -> Callable[..., Any]:
    """A call of the wrapped object, or an error that says that it has none."""
    found: Callable[..., Any] | None = getattr(tacit, name, None)
    if found is None:
        kind = type(tacit).__name__
        raise AttributeError(f"this AsyncTacit wraps a {kind}, which has no call {name!r}")
    return found


def _document(call: Call, method: Callable[..., Any]) -> Call:
    update_wrapper(call, method)
    call.__doc__ = method.__doc__ or inspect.getdoc(method)
    return call


class AsyncTurn:
    """`Turn` for async programs, run in a thread: `async with tacit.turn(...) as turn:`."""

    def __init__(self, begin: Callable[[], Turn]) -> None:
        self._begin = begin
        self._turn: Turn | None = None

    @property
    def messages(self) -> list[Any]:
        """The history, the injected block and the new messages, ready to send."""
        return self._open_turn.messages

    @property
    def block(self) -> str | None:
        """The text that memory added to the context, if any: standing rules first."""
        return self._open_turn.block

    @property
    def blocks(self) -> dict[str, str]:
        """The same by block: the text of each by its id, in the order in which they stand."""
        return self._open_turn.blocks

    @property
    def receipt(self) -> Receipt:
        """What was injected, what was not, and why."""
        return self._open_turn.receipt

    @property
    def history(self) -> list[Any]:
        """The history to continue with after a commit; before it, the old history."""
        return self._open_turn.history

    async def commit(self, reply: Any = ()) -> CommitResult:
        """End the turn with the reply, and record what was shown."""
        return await asyncio.to_thread(self._open_turn.commit, reply)

    def stream(self, chunks: AsyncIterable[Chunk]) -> AsyncIterator[Chunk]:
        """Pass on the chunks of a reply, and commit the turn with them at their end.

        A stream that breaks off, or that nobody reads on, is committed with what was seen of it.
        """
        return self._open_turn.stream(chunks)

    async def roll_back(self) -> None:
        """Cancel the turn; nothing of it is kept."""
        await asyncio.to_thread(self._open_turn.roll_back)

    async def __aenter__(self) -> Self:
        begun = await asyncio.to_thread(self._begin)
        self._turn = begun.__enter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self._open_turn.__exit__, kind, error, trace)

    @property
    def _open_turn(self) -> Turn:
        if self._turn is None:
            raise RuntimeError("the turn has not begun; use: async with tacit.turn(...) as turn")
        return self._turn


_AHEAD = 100
"""Items fetched ahead of the consumer."""


async def iterate_in_thread(source: Iterator[Result]) -> AsyncGenerator[Result, None]:
    """Iterate a blocking iterator in a thread, for async programs.

    The thread is a daemon, so that an iterator that blocks forever does not delay exit.
    """
    items: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
    room = threading.Semaphore(_AHEAD)
    is_over = threading.Event()
    loop = asyncio.get_running_loop()

    def put(kind: str, item: Any = None) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens
            loop.call_soon_threadsafe(items.put_nowait, (kind, item))

    def run() -> None:
        try:
            for item in source:
                put("item", item)
                room.acquire()
                if is_over.is_set():
                    return
            put("end")
        except Exception as error:
            put("error", error)

    threading.Thread(target=run, name="tacit-iteration", daemon=True).start()
    try:
        while (entry := await items.get())[0] == "item":
            room.release()
            yield entry[1]
        if entry[0] == "error":
            raise entry[1]
    finally:
        is_over.set()
        room.release()
