"""What it takes to summarise."""

from typing import Protocol


class Summarizer(Protocol):
    """Makes a shorter text of a transcript."""

    def summarize(self, transcript: str, characters: int) -> str:
        """What is worth keeping of a transcript, in at most so many characters."""
        ...
