"""Whether some words stand in a text, whatever their case and the spaces between them."""

from collections.abc import Iterable


def stand_in(words: str, texts: Iterable[str]) -> bool:
    """Whether any of the texts has these words; no words stand in none."""
    wanted = _folded(words)
    return bool(wanted) and any(wanted in _folded(text) for text in texts)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
