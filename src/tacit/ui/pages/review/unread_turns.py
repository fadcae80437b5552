"""The part of the review page with the turns that could not be read."""

from collections.abc import Awaitable, Callable

from tacit.core.open_turn import UnreadTurn
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import button, toast
from tacit.ui.kit.display import card
from tacit.ui.kit.elements import add_text, box, heading, timestamp
from tacit.ui.page_context import PageContext

_MOST = 50
_EXPLANATION = (
    "Nothing could be learned from these turns in three tries, so they were set aside, and those"
    " after them were read. Until you decide, nothing of them is remembered; a week after it was"
    " said, it is dropped."
)
_BUTTONS = (
    "“Read again” puts a turn back into the queue, for another three tries; “Drop” gives it up:"
    " nothing is learned from it."
)


class UnreadTurns:
    """The turns that were set aside, and the decisions on them."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._place = box("stack")

    async def load(self) -> None:
        """Load and show the turns; nothing is shown if there are none."""
        turns = await call_api(self._context.tacit.reviews.unread_turns, limit=_MOST)
        self._place.clear()
        if not turns:
            return
        with self._place:
            heading(f"{len(turns):,} could not be read")
            with box("stack tight"):
                add_text(_EXPLANATION, "quiet", "p")
                if self._context.may_decide:
                    add_text(_BUTTONS, "quiet", "p")
            for turn in turns:
                self._show(turn)

    def _show(self, turn: UnreadTurn) -> None:
        with card(classes="wish"):
            with box("spread"):
                heading(f"Session {turn.session}", 3)
                with box("row quiet"):
                    add_text(f"Said by {turn.user}" if turn.user else "Said")
                    timestamp(turn.at)
            add_text(turn.said, "breaking", "p")
            add_text(f"Why: {turn.problem}", "breaking quiet", "p")
            if self._context.may_decide:
                self._build_buttons(turn)

    def _build_buttons(self, turn: UnreadTurn) -> None:
        tacit, name = self._context.tacit, f"the turn in session {turn.session}"
        with box("row ends ending"):
            button(
                "Read again",
                self._action(tacit.reviews.retry_unread_turn, turn.id, "It is read again soon."),
                aria_label=f"Read again: {name}",
            )
            button(
                "Drop",
                self._action(
                    tacit.reviews.drop_unread_turn, turn.id, "Dropped; nothing is learned."
                ),
                aria_label=f"Drop: {name}",
            )

    def _action(
        self, decide: Callable[[str], None], id: str, done: str
    ) -> Callable[[], Awaitable[None]]:
        async def act() -> None:
            try:
                await call_api(decide, id)
            finally:
                with self._place:
                    await self.load()
            toast(done)

        return act
