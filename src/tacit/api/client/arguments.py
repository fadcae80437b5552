"""What callers give, checked and ready to be sent."""

from tacit.api.client.connection import segment
from tacit.core.fields import check_field
from tacit.core.kinds import Actor, Owner, Scope


def said_by(by: Actor | str, usual: Actor = Actor.USER) -> dict[str, str]:
    """Who asks; the usual one goes without saying, and with an agent's key is that agent."""
    actor = check_field("by", by)
    return {} if actor is usual else {"by": str(actor)}


def memory_path(id: str, what: str = "") -> str:
    """The path of a memory, or of something about it."""
    return f"/v1/memories/{check_field('id', id)}" + (f"/{what}" if what else "")


def owner_path(owner: Owner, what: str = "") -> str:
    """The path of a session or a project, or of something about it."""
    kind, name = owner
    path = f"/v1/{kind}s/{segment(name)}"
    return f"{path}/{what}" if what else path


def session_path(name: str, what: str = "") -> str:
    """The path of a session, or of something about it."""
    return owner_path((Scope.SESSION, check_field("session", name)), what)
