"""The marks on a memory: messages for which somebody said that it is of no use."""

from nicegui.element import Element

from tacit.core.conversation.mark import MarkAuthor, Marked
from tacit.core.memory.record import Memory
from tacit.ui.asking import ask
from tacit.ui.kit.button import button
from tacit.ui.kit.card import card
from tacit.ui.kit.element import box, say
from tacit.ui.kit.moment import moment
from tacit.ui.kit.toast import toast
from tacit.ui.visit import Visit


async def show_marks(visit: Visit, memory: Memory) -> None:
    """Since when it counts less for some messages, and how to take that back; else nothing."""
    if not memory.forgotten:
        await _fill(visit, memory, box("stack"))


async def _fill(visit: Visit, memory: Memory, place: Element) -> None:
    marks = await ask(visit.tacit.marks, memory.id)
    place.clear()
    place.set_visibility(bool(marks))
    if not marks:
        return
    with (
        place,
        card("Marked as not useful", "It counts less for messages like those it was marked at."),
    ):
        for mark in marks:
            with box("spread"):
                with box("stack"):
                    moment(mark.at)
                    say(told_of_author(mark.author), "quiet")
                if visit.may_take_back(mark.author):
                    _taking_back(visit, memory, mark, place)


def told_of_author(author: MarkAuthor) -> str:
    """Who made a mark, and in whose turns it counts."""
    if not author.is_person:
        whose = f" for user {author.user}" if author.user is not None else ""
        return f"by agent {author.agent}{whose}; counts in its turns only"
    through = f" through agent {author.agent}" if author.agent is not None else ""
    if author.user is not None:
        return f"by user {author.user}{through}; counts in their turns only"
    return f"by a person{through}"


def _taking_back(visit: Visit, memory: Memory, mark: Marked, place: Element) -> None:
    async def take_back() -> None:
        await ask(visit.tacit.unmark, mark.id)
        toast("The mark is taken back.")
        await _fill(visit, memory, place)

    button("Take back", take_back)
