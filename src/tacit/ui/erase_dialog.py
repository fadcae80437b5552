"""The dialog that erases something for good, once a person has typed a word."""

from collections.abc import Awaitable, Callable

from tacit.ui.kit.buttons import ButtonStyle, button, dialog, toast
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.elements import add_text, box
from tacit.writing.erasure import Erasure

_CONFIRM_WORD = "ERASE"


def open_erase_dialog(
    title: str,
    warning: str,
    erase: Callable[[], Awaitable[Erasure]],
    reload: Callable[[], Awaitable[None]],
) -> None:
    """Ask for the word, erase, say what was erased, and show the page again."""
    shown, inside = dialog(title)

    async def go_on() -> None:
        if word.value != _CONFIRM_WORD:
            word.show_problem(f"Type {_CONFIRM_WORD} to go on.")
            return
        erasure = await erase()
        shown.close()
        toast(_erasure_text(erasure))
        await reload()

    async def leave() -> None:
        shown.close()

    with inside:
        add_text(warning, tag="p")
        word = Control(ControlKind.TEXT, f"Type {_CONFIRM_WORD}", "")
        with box("actions"):
            button("Cancel", leave)
            button("Erase for good", go_on, ButtonStyle.DANGER)
    shown.open()


def _erasure_text(erasure: Erasure) -> str:
    """What was erased, and what could not be reached."""
    gone = [
        f"{count:,} {kind.replace('_', ' ')}" for kind, count in erasure.removed.items() if count
    ]
    left = "; ".join(erasure.not_reached)
    return f"Erased: {', '.join(gone) or 'nothing'}.{' Not reached: ' + left if left else ''}"
