"""A passage: a piece of a text that says one thing, with the headings it stands under."""

from dataclasses import dataclass

_STARTS_A_LINE = ("```", "~~~", "    ", "<", "|")


@dataclass(frozen=True, slots=True)
class Passage:
    """The line it begins at, from 1 on, the headings above it, and its words.

    One with an objection is no statement, and that is why.
    """

    number: int
    headings: tuple[str, ...]
    text: str
    objection: str = ""

    @property
    def content(self) -> str:
        """The words with their headings in front, so that they can be read by themselves."""
        path = " > ".join(title for title in self.headings if title)
        if not path:
            return self.text
        gap = "\n" if self.text.startswith(_STARTS_A_LINE) else " "
        return f"{path}:{gap}{self.text}"
