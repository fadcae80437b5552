"""Stored text in a block: shown as text, never as the block's own structure."""

from tacit.render.characters import hidden, revealed
from tacit.render.marks import bare, marked


def neutralised(text: str) -> str:
    """One line that shows a stored text; harmless text is shown as it is."""
    return revealed(marked(text))


def restored(text: str) -> str:
    """The stored text that `neutralised` showed."""
    return bare(hidden(text))
