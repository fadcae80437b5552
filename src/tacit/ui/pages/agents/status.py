"""Whether an agent goes by the defaults or by values of its own."""

from nicegui.element import Element

from tacit.ui.kit.card import badge


def status(own: int) -> Element:
    """A badge for an agent with so many settings of its own."""
    return badge("Override", "accent") if own else badge("Using Default")


def counted(own: int) -> str:
    """How many settings an agent has of its own."""
    return "1 setting of its own" if own == 1 else f"{own} settings of its own"
