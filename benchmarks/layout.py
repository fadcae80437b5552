"""How many memories are measured, and over how many workspaces they are spread."""

from dataclasses import dataclass
from functools import cached_property

from benchmarks.sentences import make_sentences

_MOST_WORKSPACES = 1_000
_PER_WORKSPACE = 100


@dataclass(frozen=True)
class Layout:
    """So many memories over so many workspaces."""

    size: int
    spread: bool

    @property
    def workspaces(self) -> list[str]:
        """Their names."""
        most = min(_MOST_WORKSPACES, self.size // _PER_WORKSPACE) if self.spread else 1
        return [f"workspace-{number}" for number in range(most)]

    @property
    def name(self) -> str:
        """A heading for a column."""
        return f"{_short(self.size)} in {_short(len(self.workspaces))}"

    @cached_property
    def texts(self) -> list[str]:
        """What is remembered."""
        return make_sentences(self.size)

    @property
    def shares(self) -> dict[str, list[str]]:
        """What each workspace remembers of it."""
        names = self.workspaces
        return {name: self.texts[number :: len(names)] for number, name in enumerate(names)}


def _short(count: int) -> str:
    return f"{count // 1_000}k" if count >= 1_000 else str(count)
