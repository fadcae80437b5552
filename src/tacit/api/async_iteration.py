"""What is iterated in a thread, for async programs."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Any

_AHEAD = 100
"""So many items are fetched before somebody wants them."""


async def iterated(source: Iterator[Any]) -> AsyncIterator[Any]:
    """The items of an iterator that may wait for each of them.

    Its thread is a daemon, so that waiting for an item that never comes holds up nobody.
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
