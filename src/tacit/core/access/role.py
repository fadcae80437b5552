"""How much a key allows."""

from enum import StrEnum


class Role(StrEnum):
    """Each may do what those before it may."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def allows(self, other: "Role") -> bool:
        """Whether who has this role may do what needs the other."""
        ranks = tuple(Role)
        return ranks.index(self) >= ranks.index(other)
