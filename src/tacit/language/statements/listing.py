"""How the tables of words are written down: as text, with spaces between."""


def word_set(text: str) -> frozenset[str]:
    """The words of a table."""
    return frozenset(text.split())
