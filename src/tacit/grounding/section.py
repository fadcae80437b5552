"""The parts of a prompt, in the order that they stand in it."""

from dataclasses import dataclass
from enum import StrEnum

from tacit.language.neutralization import neutralize_line, neutralize_lines
from tacit.language.prompt_templates import (
    DOCUMENTS_TITLE,
    HINT_TITLE,
    REQUEST_TITLE,
    SUMMARY_TITLE,
    TAIL_TITLE,
    format_excerpt_label,
)
from tacit.language.tokens import estimate_tokens


class Part(StrEnum):
    """What a section holds."""

    USER = "user"
    MEMORY = "memory"
    SUMMARY = "summary"
    TAIL = "tail"
    DOCUMENTS = "documents"
    HINT = "hint"


TITLES = {
    Part.SUMMARY: SUMMARY_TITLE,
    Part.TAIL: TAIL_TITLE,
    Part.DOCUMENTS: DOCUMENTS_TITLE,
    Part.HINT: HINT_TITLE,
}

GAP = "\n\n"
_HEADINGS = {
    **{part: f"{title}\n" for part, title in TITLES.items()},
    Part.USER: f"{REQUEST_TITLE}{GAP}",
}
"""The longer of the two headings that a part can have, so that a budget holds for both."""


def body_tokens(part: Part, tokens: int) -> int:
    """What the heading of a part leaves of its budget to its words."""
    return max(tokens - estimate_tokens(_HEADINGS.get(part, "")), 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One part of a prompt: its title, if it has one, and its words."""

    part: Part
    body: str

    @property
    def text(self) -> str:
        """As it stands in the prompt."""
        title = TITLES.get(self.part)
        return self.body if title is None else f"{title}\n{self.body}"

    @property
    def longest(self) -> str:
        """With the longer of the headings that it can have."""
        return f"{_HEADINGS.get(self.part, '')}{self.body}"

    @property
    def tokens(self) -> int:
        """How much of a prompt it takes."""
        return estimate_tokens(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpted:
    """A passage of a document, and where it stands."""

    source: str
    heading: str
    text: str

    @property
    def label(self) -> str:
        """The line over it in a prompt, which says where it stands."""
        return format_excerpt_label(neutralize_line(self.source), neutralize_line(self.heading))

    @property
    def written(self) -> str:
        """As it stands in a prompt, unable to pass for anything else."""
        return f"{self.label}\n{neutralize_lines(self.text.strip())}"
