"""What callers give, checked and ready to be sent."""

from tacit.memory import Actor, check


def said_by(by: Actor | str, usual: Actor = Actor.USER) -> dict[str, str]:
    """Who asks; the usual one goes without saying, and with an agent's key is that agent."""
    actor = check("by", by)
    return {} if actor is usual else {"by": str(actor)}


def memory_path(id: str, what: str = "") -> str:
    """The path of a memory, or of something about it."""
    return f"/v1/memories/{check('id', id)}" + (f"/{what}" if what else "")
