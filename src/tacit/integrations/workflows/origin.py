"""Where a lifecycle file comes from, and what it may do for that."""

from enum import StrEnum

_OF_PROJECTS = frozenset({"inject_context", "memory_save", "set_variable"})
"""What a project's files may do. Recall, learning and what a session was shown are the user's."""


class Origin(StrEnum):
    """Whose file it is, from the farthest to the nearest."""

    BUNDLED = "bundled"
    USER = "user"
    PROJECT = "project"

    @property
    def is_strange(self) -> bool:
        """Whether it may be the work of strangers: a project's files come with a clone of it."""
        return self is Origin.PROJECT

    def may_use(self, action: str) -> bool:
        """Whether a file of this origin may use an action, if it is a built-in one."""
        return not self.is_strange or action in _OF_PROJECTS
