"""Where a lifecycle file comes from, and what it may do for that."""

from enum import StrEnum

_OF_OWN_FILES = frozenset({("memory_recall_relevant", "project_id")})
"""Arguments of actions that reach beyond the project of the session."""


class Origin(StrEnum):
    """Whose file it is, from the farthest to the nearest."""

    BUNDLED = "bundled"
    USER = "user"
    PROJECT = "project"

    @property
    def is_strange(self) -> bool:
        """Whether it may be the work of strangers: a project's files come with a clone of it."""
        return self is Origin.PROJECT

    def may_give(self, action: str, argument: str) -> bool:
        """Whether a file of this origin may give an argument to an action."""
        return not (self.is_strange and (action, argument) in _OF_OWN_FILES)
