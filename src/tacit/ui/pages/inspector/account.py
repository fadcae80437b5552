"""The account of a turn, drawn: its block, its funnel and its candidates."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui.element import Element
from nicegui.events import GenericEventArguments

from tacit.ui.asking import handled


class Account(Element, component="account.js"):
    """Draws what `telling.told` says, and hears which memory is of no use, or is after all."""

    def __init__(
        self,
        told: dict[str, Any],
        *,
        on_mark: Callable[[str], Awaitable[None]],
        on_unmark: Callable[[str], Awaitable[None]],
        on_more: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__()
        self.props["told"] = told

        async def marked(event: GenericEventArguments) -> None:
            await on_mark(str(event.args))

        async def unmarked(event: GenericEventArguments) -> None:
            await on_unmark(str(event.args))

        async def asked_for_more(_: GenericEventArguments) -> None:
            await on_more()

        self.on("mark", handled(marked))
        self.on("unmark", handled(unmarked))
        self.on("more", handled(asked_for_more))

    def tell(self, told: dict[str, Any]) -> None:
        """Draw something else in its place."""
        self.props["told"] = told
        self.update()
