"""The rooms of the web UI: every page that the menu leads to, and who may enter it."""

from dataclasses import dataclass

from tacit.core.access.role import Role
from tacit.ui.visit import Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A page: its address, its name, what it is for, and what one needs to enter."""

    path: str
    name: str
    about: str
    group: str
    role: Role = Role.READ
    server_wide: bool = False
    for_every_user: bool = False

    def admits(self, visit: Visit) -> bool:
        """Whether a visitor may enter."""
        return visit.may(
            self.role, server_wide=self.server_wide, for_every_user=self.for_every_user
        )


SIGN_IN, SIGN_OUT = "/sign-in", "/sign-out"
"""Where one comes in and goes; no menu leads there."""

_WATCH, _MEMORY, _STEER, _SERVER, _HELP = "Watch", "Memory", "Steer", "Server", "Help"

OVERVIEW = Room(
    path="/",
    name="Overview",
    about="What memory did lately: turns, tokens, time and growth.",
    group=_WATCH,
)
INSPECTOR = Room(
    path="/inspector",
    name="Inspector",
    about="Ask as an agent would, and see what memory shows, what it leaves out, and why.",
    group=_WATCH,
)
SESSIONS = Room(
    path="/sessions",
    name="Sessions",
    about="Conversations turn by turn: which blocks stand, what they hold, what was decided.",
    group=_WATCH,
)
MEMORIES = Room(
    path="/memories",
    name="Memories",
    about="Everything that is remembered: find it, change it, and see what became of it.",
    group=_MEMORY,
)
CONFLICTS = Room(
    path="/conflicts",
    name="Conflicts",
    about="Memories that cannot all be current. Decide once; the reason is kept.",
    group=_MEMORY,
)
REVIEW = Room(
    path="/review",
    name="Review",
    about="Changes that wait for a person, beside what they would change.",
    group=_MEMORY,
)
DOCUMENTS = Room(
    path="/documents",
    name="Documents",
    about="Folders that are searched beside the memories.",
    group=_MEMORY,
)
SETTINGS = Room(
    path="/settings",
    name="Settings",
    about="The defaults of every agent, in force from the next turn on.",
    group=_STEER,
    server_wide=True,
)
AGENTS = Room(
    path="/agents",
    name="Agents",
    about="What single agents do differently.",
    group=_STEER,
    server_wide=True,
)
PROMPT = Room(
    path="/prompt",
    name="Prompt layers",
    about="The directives that a grounded prompt begins with, and where each line is from.",
    group=_STEER,
    role=Role.ADMIN,
    for_every_user=True,
)
KEYS = Room(
    path="/keys",
    name="Keys",
    about="Who may come in, and how far.",
    group=_SERVER,
    role=Role.ADMIN,
    server_wide=True,
)
HEALTH = Room(
    path="/server",
    name="Health",
    about="How the server is, and what is amiss.",
    group=_SERVER,
)
WELCOME = Room(
    path="/welcome",
    name="Getting started",
    about="From nothing to a first injected memory, in a minute.",
    group=_HELP,
)

ROOMS = (
    OVERVIEW,
    INSPECTOR,
    SESSIONS,
    MEMORIES,
    CONFLICTS,
    REVIEW,
    DOCUMENTS,
    SETTINGS,
    AGENTS,
    PROMPT,
    KEYS,
    HEALTH,
    WELCOME,
)
