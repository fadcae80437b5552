"""Memories that a turn does not see because of their owner, and giving them to its user."""

from collections.abc import Awaitable, Callable

from tacit.core.access.role import Role
from tacit.core.receipt.receipt import Receipt
from tacit.ui.asking import ask
from tacit.ui.kit.button import Look, button
from tacit.ui.kit.card import notice
from tacit.ui.kit.dialog import buttons_of, dialog
from tacit.ui.kit.element import box, say
from tacit.ui.kit.toast import toast
from tacit.ui.visit import Visit
from tacit.writing.assignment import Assignment

_TITLE = "Some memories are not seen by this turn"


def tell_unseen(visit: Visit, receipt: Receipt, on_assigned: Callable[[], Awaitable[None]]) -> None:
    """Say how many belong to no user or to others where that matters, and offer to assign them."""
    unseen = receipt.unseen
    if unseen is None or not (unseen.unowned or (unseen.others and not receipt.injected)):
        return
    with notice(f"{unseen.sentence(receipt.user)}.", "warn", _TITLE):
        if not receipt.user:
            say("Name a user in the form above to ask as that user.", "quiet", "p")
        elif unseen.unowned and visit.may(Role.WRITE, for_every_user=True):
            user = receipt.user

            async def offer() -> None:
                await _offer(visit, user, on_assigned)

            button(f"Assign to {user} …", offer)


async def _offer(visit: Visit, user: str, on_assigned: Callable[[], Awaitable[None]]) -> None:
    """Show what an assignment would do, and do it if the person agrees."""
    planned = await ask(visit.patient.assign, user, dry_run=True)
    shown, inside = dialog(f"Assign what belongs to no user to {user}?")

    async def assign() -> None:
        done = await ask(visit.patient.assign, user)
        toast(_told(done))
        await on_assigned()

    with inside:
        say("This would be done:", tag="p")
        with box(tag="ul"):
            for line in planned.lines or ["nothing is left to assign"]:
                say(line, tag="li")
        say(_ABOUT, "quiet", "p")
        buttons_of(shown, "Assign", assign, Look.PRIMARY)
    shown.open()


def _told(done: Assignment) -> str:
    return f"{'; '.join(done.lines) or 'Nothing was left to assign'}."


_ABOUT = (
    "Every memory that belongs to no user, past and forgotten ones included. Each change is in the"
    " history of its memory."
)
