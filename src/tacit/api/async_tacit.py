"""Tacit for async programs: every call of `Tacit` or of `RemoteTacit`, in a thread."""

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tacit.api.async_iteration import iterated
from tacit.api.async_turn import AsyncTurn
from tacit.api.tacit import Tacit

if TYPE_CHECKING:
    from tacit.api.client.remote import RemoteTacit


class AsyncTacit:
    """The same methods as `Tacit`, each to be awaited; there is no second implementation.

    What they give to iterate, such as `watch`, is for `async for`.
    """

    def __init__(self, tacit: "Tacit | RemoteTacit") -> None:
        self._tacit = tacit

    @classmethod
    async def open(cls, *args: Any, **kwargs: Any) -> Self:
        """Open a store, with the arguments of `Tacit.open`."""
        return cls(await asyncio.to_thread(Tacit.open, *args, **kwargs))

    @classmethod
    async def connect(cls, *args: Any, **kwargs: Any) -> Self:
        """A memory at a server, with the arguments of `Tacit.connect`."""
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
            return iterated(result) if isinstance(result, Iterator) else result

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
