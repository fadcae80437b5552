"""Where a lifecycle file comes from, and what it may do for that."""

from enum import StrEnum


class Origin(StrEnum):
    """Whose file it is, from the farthest to the nearest."""

    BUNDLED = "bundled"
    USER = "user"
    PROJECT = "project"

    @property
    def is_strange(self) -> bool:
        """Whether it may be the work of strangers: a project's files come with a clone of it."""
        return self is Origin.PROJECT
