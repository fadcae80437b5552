"""Where a memory was used: the last turns that showed it."""

from collections.abc import Iterable

from nicegui.element import Element

from tacit.core.memory.record import Memory
from tacit.core.receipt.receipt import Receipt
from tacit.turn.block import shorten
from tacit.ui.addresses import receipt_at
from tacit.ui.asking import ask
from tacit.ui.kit.button import button
from tacit.ui.kit.card import card
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.pages.memories.details import times
from tacit.ui.rooms import INSPECTOR
from tacit.ui.visit import Visit

_LOOKED_AT = 100
_LABEL = 120


def show_uses(visit: Visit, memory: Memory) -> None:
    """The turns that showed a memory, and the way to see whether another one would."""
    with card("Turns that showed it"):
        with box("stack") as place:
            _tell(visit, memory, place)
        if not memory.forgotten:
            asking = visit.link(INSPECTOR.path, **audience(memory))
            link("Would it be shown? Ask the inspector", asking)


def audience(memory: Memory) -> dict[str, str]:
    """For whom one has to ask to be shown a memory."""
    named = {str(memory.scope): memory.scope_id, "agent": memory.agent or ""}
    return {name: value for name, value in named.items() if value}


def showing(receipts: Iterable[Receipt], id: str) -> list[Receipt]:
    """The turns whose block has a memory in it."""
    return [each for each in receipts if any(one.memory == id for one in each.injected)]


def _tell(visit: Visit, memory: Memory, place: Element) -> None:
    """How often it was used, as far as that is known, and a button to look for the turns."""
    if memory.access_count == 0 and not memory.forgotten:
        say("No turn has used it yet.", "quiet", "p")
        return

    async def look() -> None:
        found = showing(await ask(visit.tacit.receipts, limit=_LOOKED_AT), memory.id)
        place.clear()
        with place:
            say(f"Among the last {_LOOKED_AT} turns.", "quiet", "p")
            _list(visit, found)

    if not memory.forgotten:
        say(f"It was used {times(memory.access_count)}.", tag="p")
    button(f"Look through the last {_LOOKED_AT} turns", look)


def _list(visit: Visit, receipts: list[Receipt]) -> None:
    if not receipts:
        say("None of them did.", tag="p")
    with box("memory-links", "ul"):
        for receipt in receipts:
            with box(tag="li"), box("words"):
                moment(receipt.at, short=True)
                words = shorten(receipt.query, _LABEL) or "a turn without words"
                link(words, receipt_at(visit, receipt.id), "breaking")
