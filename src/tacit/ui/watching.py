"""Watching the server from a page, as long as a browser shows it."""

from collections.abc import Awaitable, Callable

from nicegui import context, ui


def watch(seconds: float, look: Callable[[], Awaitable[None]]) -> None:
    """Look every so many seconds; while the browser is away, and once it has left, nobody does."""
    client = context.client

    async def look_if_seen() -> None:
        if client.has_socket_connection:
            await look()

    ui.timer(seconds, look_if_seen, immediate=False)
