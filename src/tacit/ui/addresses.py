"""Where the pages of single things are."""

from urllib.parse import quote

from tacit.ui.rooms import AGENTS, INSPECTOR, MEMORIES, SESSIONS
from tacit.ui.visit import Visit


def memory_at(visit: Visit, id: str) -> str:
    """The page of a memory."""
    return visit.link(f"{MEMORIES.path}/{id}")


def session_at(visit: Visit, id: str) -> str:
    """The page of a session, whatever its id is made of."""
    return visit.link(f"{SESSIONS.path}/{quote(id, safe='')}")


def agent_at(visit: Visit, id: str) -> str:
    """The page of an agent, whatever its id is made of."""
    return visit.link(f"{AGENTS.path}/{quote(id, safe='')}")


def receipt_at(visit: Visit, id: str) -> str:
    """The page that accounts for a turn."""
    return visit.link(INSPECTOR.path, receipt=id)
