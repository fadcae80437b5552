"""What happens now: the last events, and new ones as they come."""

from collections.abc import Awaitable, Callable

from tacit.core.conversation.event import Event
from tacit.core.errors import TacitError
from tacit.ui.addresses import receipt_at
from tacit.ui.asking import ask
from tacit.ui.kit.card import card, empty
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.pages.overview.telling import told
from tacit.ui.visit import Visit
from tacit.ui.watching import watch

_SHOWN = 12
_SECONDS = 2.0


async def feed(visit: Visit, refresh: Callable[[], Awaitable[None]]) -> None:
    """The last events, newest first; `refresh` is called when there are others."""
    last = (await ask(visit.tacit.events, limit=1)).last
    page = await ask(visit.tacit.events, after=max(last - _SHOWN, 0), limit=_SHOWN)
    events = list(page.events)
    with card("Now", "What happens in this workspace, whoever does it."):
        shown = box("feed", aria_live="polite", tabindex="0", role="region", aria_label="Events")

    def show() -> None:
        shown.clear()
        with shown:
            if not events:
                empty("Nothing happened yet", "The first turn or memory appears here by itself.")
            for event in reversed(events):
                _line(visit, event)

    async def look() -> None:
        after = events[-1].number if events else last
        try:
            newer = await ask(visit.tacit.events, after=after, limit=100)
            if not newer.events:
                return
            events[:] = [*events, *newer.events][-_SHOWN:]
            show()
            await refresh()
        except TacitError:
            return  # the server is away for a moment; the next look tells

    show()
    watch(_SECONDS, look)


def _line(visit: Visit, event: Event) -> None:
    with box("event"):
        moment(event.at, short=True)
        receipt = event.data.get("receipt")
        if receipt:
            link(told(event), receipt_at(visit, receipt))
        else:
            say(told(event))
