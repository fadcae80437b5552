"""`AsyncTacit`: every call of `Tacit` or `RemoteTacit` for async programs, run in a thread."""

import asyncio
import functools
import inspect
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tacit.api.tacit import Tacit
from tacit.core.receipt import Receipt
from tacit.turn.commit import CommitResult, Turn

if TYPE_CHECKING:
    from tacit.api.client.remote import RemoteTacit


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
        """The text that memory added to the context, if any."""
        return self._open_turn.block

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

    async def roll_back(self) -> None:
        """Cancel the turn; nothing of it is kept."""
        await asyncio.to_thread(self._open_turn.roll_back)

    async def __aenter__(self) -> Self:
        self._turn = await asyncio.to_thread(self._begin)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.roll_back()

    @property
    def _open_turn(self) -> Turn:
        if self._turn is None:
            raise RuntimeError("the turn has not begun; use: async with tacit.turn(...) as turn")
        return self._turn


class AsyncTacit:
    """The same methods as `Tacit`, each to be awaited; there is no second implementation.

    Methods that return iterators, such as `watch`, return async iterators.
    """

    def __init__(self, tacit: "Tacit | RemoteTacit") -> None:
        self._tacit = tacit

    @classmethod
    async def open(cls, *args: Any, **kwargs: Any) -> Self:
        """Open a store, with the arguments of `Tacit.open`."""
        return cls(await asyncio.to_thread(Tacit.open, *args, **kwargs))

    @classmethod
    async def connect(cls, *args: Any, **kwargs: Any) -> Self:
        """Connect to a server, with the arguments of `Tacit.connect`."""
        return cls(await asyncio.to_thread(Tacit.connect, *args, **kwargs))

    @property
    def workspace(self) -> str:
        """The tenant that every call reads and writes."""
        return self._tacit.workspace

    def in_workspace(self, name: str) -> "AsyncTacit":
        """The same store for another tenant."""
        return AsyncTacit(self._tacit.in_workspace(name))

    def turn(self, **asked: Any) -> AsyncTurn:
        """Begin a turn with the arguments of `Tacit.turn`: `async with tacit.turn(...) as turn`."""
        return AsyncTurn(functools.partial(self._tacit.turn, **asked))

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        kind = type(self._tacit)
        if name.startswith("_") or not inspect.isfunction(getattr(kind, name, None)):
            raise AttributeError(f"AsyncTacit has no method {name!r}")
        method = getattr(self._tacit, name)

        @functools.wraps(method)
        async def call(*args: Any, **kwargs: Any) -> Any:
            result = await asyncio.to_thread(method, *args, **kwargs)
            return iterate_in_thread(result) if isinstance(result, Iterator) else result

        return call

    def __dir__(self) -> list[str]:
        methods = [name for name, _ in inspect.getmembers(type(self._tacit), inspect.isfunction)]
        return sorted({*super().__dir__(), *methods})

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self._tacit.close)


_AHEAD = 100
"""Items fetched ahead of the consumer."""


async def iterate_in_thread(source: Iterator[Any]) -> AsyncIterator[Any]:
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
