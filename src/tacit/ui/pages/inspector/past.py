"""Past turns, to pick one from: when, where, what was asked, and what came of it."""

from collections.abc import Sequence

from nicegui.element import Element

from tacit.core.receipt.receipt import Receipt
from tacit.turn.block import shorten
from tacit.ui.addresses import receipt_at
from tacit.ui.asking import ask, handled
from tacit.ui.fates import SKIPS
from tacit.ui.kit.card import badge, empty
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.kit.table import table
from tacit.ui.visit import Visit

_MOST = 20
_LONGEST = 120


class PastTurns:
    """The last turns, in a part of the page that folds away; they are read when it opens."""

    def __init__(self, visit: Visit, *, is_open: bool) -> None:
        self._visit = visit
        self._is_read = False
        with box("fold", "details", open=is_open) as folded:
            say("Past turns", tag="summary")
            self._inside: Element = box("stack")
        folded.on("toggle", handled(self.read), [])
        self._folded: Element = folded

    def close(self) -> None:
        """Fold them away."""
        self._folded.run_method("removeAttribute", "open")

    async def read(self) -> None:
        """Read and list them, once."""
        if self._is_read:
            return
        self._is_read = True
        try:
            found = await ask(self._visit.tacit.receipts, limit=_MOST)
        except Exception:
            self._is_read = False
            raise
        with self._inside:
            if found:
                _table(self._visit, found)
            else:
                empty(
                    "No turn has taken place yet",
                    "Ask a message above, or let an agent begin its first turn.",
                )


def result_of(receipt: Receipt) -> tuple[str, str]:
    """What came of a turn, in a word or two, and its tone."""
    count = len(receipt.injected)
    if count:
        return f"{count} injected", "good"
    if receipt.skipped is not None:
        return f"skipped: {SKIPS[receipt.skipped].label}", "neutral"
    return "nothing injected", "neutral"


def _table(visit: Visit, receipts: Sequence[Receipt]) -> None:
    headings = ("Message", "Result", "Left out", "Session", "When")
    with table("Past turns", headings, "past", numbers=["Left out"]):
        for receipt in receipts:
            _row(visit, receipt)


def _row(visit: Visit, receipt: Receipt) -> None:
    text = receipt.query.strip() or "(nothing was said)"
    with box(tag="tr"):
        with box(tag="th", scope="row"):
            link(shorten(text, _LONGEST), receipt_at(visit, receipt.id), "breaking")
        with box(tag="td"):
            badge(*result_of(receipt))
            if receipt.degraded:
                badge("degraded", "warn")
        say(str(len(receipt.candidates) - len(receipt.injected)), "number", "td")
        say(receipt.session, "breaking", "td")
        with box(tag="td"):
            moment(receipt.at, short=True)
