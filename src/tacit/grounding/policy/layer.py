"""One layer of a policy: what a file says, or why it says nothing."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path


class Kind(StrEnum):
    """What a layer is, in the order that layers stand in a policy."""

    ROLE = "role"
    GLOBAL = "global"
    WORKSPACE = "workspace"
    CONTEXT = "context"
    SOUL = "soul"
    SKILL = "skill"
    ACTIONS = "actions"


class State(StrEnum):
    """What became of a file when the layers were looked for."""

    READ = "read"
    SHADOWED = "shadowed"
    SURPLUS = "surplus"
    """There are enough skills without it."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """What one file has to say; without a source it is ours."""

    kind: Kind
    name: str
    """Of a role or a skill its own; else that of the kind."""
    source: Path | None
    text: str = ""
    state: State = State.READ
    note: str = ""
    """What shadows it, what is wrong with it, or that it was too long."""

    @property
    def title(self) -> str:
        """What it is, in a word or two."""
        return str(self.kind) if self.name == self.kind else f"{self.kind} {self.name}"

    @property
    def mention(self) -> "Layer":
        """The same without what it says, to name it by."""
        return replace(self, text="")


def spelled(name: str) -> str:
    """The name of a file as text, whatever its bytes are."""
    return name.encode(errors="backslashreplace").decode()
