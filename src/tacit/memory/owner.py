"""What is paused and resumed: a session or a project, by its name."""

from tacit.errors import InvalidInput
from tacit.memory.fields import check
from tacit.memory.kinds import Owner, Scope


def owner_of(session: str | None, project: str | None) -> Owner:
    """The one thing that is named."""
    if (session is None) == (project is None):
        raise InvalidInput("session", "name a session or a project, and only one of them")
    if session is not None:
        return Scope.SESSION, check("session", session)
    return Scope.PROJECT, check("project", project)
