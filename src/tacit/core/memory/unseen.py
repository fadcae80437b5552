"""How many memories of users a turn does not see because they are not its user's."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from shlex import quote
from typing import Any, Self

MOST_UNSEEN = 1_000
"""Each count stops here, so that a large workspace costs a turn no more than a small one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """Live memories of the scope `user`: those that belong to no user, and those of other users."""

    unowned: int = 0
    others: int = 0

    def hint(self, user: str | None) -> str:
        """What the counts mean for a turn of this user, and what to do; empty if they are zero."""
        command = f"tacit assign --user {quote(user or 'NAME')}"
        them = "it" if self.unowned == 1 else "them"
        told = self.sentence(user, f" ({command} gives {them} an owner)")
        return f"not seen: {told}" if told else ""

    def sentence(self, user: str | None, remedy: str = "") -> str:
        """The counts in words, for a turn of this user; empty if they are zero."""
        parts = []
        if self.unowned:
            parts.append(f"{_memories(self.unowned)} to no user{remedy}")
        if self.others:
            whose = "other users" if user else "users with a name, and this turn named no user"
            parts.append(f"{_memories(self.others)} to {whose}")
        return "; ".join(parts)

    def to_dict(self) -> dict[str, int]:
        """Ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls(unowned=values["unowned"], others=values["others"])


def _memories(count: int) -> str:
    if count == 1:
        return "1 memory belongs"
    return f"{count:,}{' or more' if count >= MOST_UNSEEN else ''} memories belong"
