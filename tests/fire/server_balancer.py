"""A balancer in front of several servers: each connection goes to the next one that takes it."""

import asyncio
import contextlib
import itertools
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_KEY = re.compile(rb"\r\nidempotency-key: (\S+)\r\n", re.IGNORECASE)
_CHUNK = 65_536


@dataclass
class Balancer:
    """Knows which server was given each request last, by its idempotency key."""

    backends: Sequence[int]
    url: str = ""
    served: dict[str, int] = field(default_factory=dict)
    _next: Iterator[int] = field(default_factory=itertools.count)
    _open: set[asyncio.Task] = field(default_factory=set)

    async def listen(self, is_ready: threading.Event, stop: asyncio.Event) -> None:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        is_ready.set()
        await stop.wait()
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._open.add(task)
        try:
            with contextlib.suppress(ConnectionError):
                await self._connect(reader, writer)
        finally:
            await _closed(writer)
            self._open.discard(task)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port, backend_reader, backend_writer = await self._connected()
        try:
            head = await reader.read(_CHUNK)
            if found := _KEY.search(head):
                self.served[found[1].decode()] = port
            backend_writer.write(head)
            await asyncio.gather(_pass_on(reader, backend_writer), _pass_on(backend_reader, writer))
        finally:
            await _closed(backend_writer)

    async def _connected(self) -> tuple[int, asyncio.StreamReader, asyncio.StreamWriter]:
        """The next server, or the one after it where that one is down."""
        first = next(self._next)
        for offset in range(len(self.backends)):
            port = self.backends[(first + offset) % len(self.backends)]
            with contextlib.suppress(ConnectionError):
                return port, *await asyncio.open_connection("127.0.0.1", port)
        raise ConnectionRefusedError("all servers are down")


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until one side ends; whoever waits for the other learns of it."""
    with contextlib.suppress(ConnectionError):
        while part := await reader.read(_CHUNK):
            writer.write(part)
            await writer.drain()
    writer.close()


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


@contextlib.contextmanager
def balanced(backends: Sequence[int]) -> Iterator[Balancer]:
    """A balancer on a thread of its own."""
    balancer, is_ready, stop = Balancer(backends), threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()
    work = balancer.listen(is_ready, stop)
    thread = threading.Thread(target=lambda: _run(loop, work), daemon=True)
    thread.start()
    is_ready.wait()
    try:
        yield balancer
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()


def _run(loop, work) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(work)
