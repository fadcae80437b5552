"""The pages that the menu lists, who may open each, and links to single objects."""

from dataclasses import dataclass
from urllib.parse import quote

from tacit.core.episodes import is_episode_id
from tacit.core.keys import Role
from tacit.ui.page_context import PageContext


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSpec:
    """A page: its path, name, description, menu group, and who may open it."""

    path: str
    name: str
    about: str
    group: str
    role: Role = Role.READ
    server_wide: bool = False
    for_every_user: bool = False

    def is_open_to(self, context: PageContext) -> bool:
        """Whether the viewer may open the page."""
        return context.may(
            self.role, server_wide=self.server_wide, for_every_user=self.for_every_user
        )


SIGN_IN, SIGN_OUT = "/sign-in", "/sign-out"
"""Not listed in the menu."""

_WATCH, _MEMORY, _STEER, _SERVER, _HELP = "Monitor", "Memory", "Configure", "Server", "Help"

OVERVIEW = PageSpec(
    path="/",
    name="Overview",
    about="What memory did lately: turns, tokens, time and growth.",
    group=_WATCH,
)
INSPECTOR = PageSpec(
    path="/inspector",
    name="Inspector",
    about="Ask as an agent would, and see what memory shows, what it leaves out, and why.",
    group=_WATCH,
)
SESSIONS = PageSpec(
    path="/sessions",
    name="Sessions",
    about="Conversations turn by turn: which blocks stand, what they hold, what was decided.",
    group=_WATCH,
)
CHANGES = PageSpec(
    path="/changes",
    name="Changes",
    about="What memory replaced, merged, hid or let expire by itself. One click undoes it.",
    group=_WATCH,
)
MEMORIES = PageSpec(
    path="/memories",
    name="Memories",
    about="Everything that is remembered: find it, change it, and see what became of it.",
    group=_MEMORY,
)
PROFILE = PageSpec(
    path="/profile",
    name="Profile",
    about="What is known of a person, by kind, and as text for a system prompt.",
    group=_MEMORY,
)
SAID = PageSpec(
    path="/said",
    name="Said",
    about="What people said in their conversations, kept as they said it.",
    group=_MEMORY,
)
CONFLICTS = PageSpec(
    path="/conflicts",
    name="Conflicts",
    about="Memories that cannot all be current. Decide once; the reason is kept.",
    group=_MEMORY,
)
REVIEW = PageSpec(
    path="/review",
    name="Review",
    about="Changes that wait for a person, beside what they would change.",
    group=_MEMORY,
)
DOCUMENTS = PageSpec(
    path="/documents",
    name="Documents",
    about="Folders that are searched beside the memories.",
    group=_MEMORY,
)
SETTINGS = PageSpec(
    path="/settings",
    name="Settings",
    about="The defaults of every agent, in force from the next turn on.",
    group=_STEER,
    server_wide=True,
)
AGENTS = PageSpec(
    path="/agents",
    name="Agents",
    about="What single agents do differently.",
    group=_STEER,
    server_wide=True,
)
PROMPT = PageSpec(
    path="/prompt",
    name="Prompt layers",
    about="The directives that a grounded prompt begins with, and where each line is from.",
    group=_STEER,
    role=Role.ADMIN,
    for_every_user=True,
)
KEYS = PageSpec(
    path="/keys",
    name="Keys",
    about="API keys and permissions.",
    group=_SERVER,
    role=Role.ADMIN,
    server_wide=True,
)
HEALTH = PageSpec(
    path="/server",
    name="Health",
    about="Server status and problems.",
    group=_SERVER,
)
WELCOME = PageSpec(
    path="/welcome",
    name="Getting started",
    about="From nothing to a first injected memory, in a minute.",
    group=_HELP,
)

MENU = (
    OVERVIEW,
    INSPECTOR,
    SESSIONS,
    CHANGES,
    MEMORIES,
    PROFILE,
    SAID,
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


# Links to the pages of single objects.


def memory_link(context: PageContext, id: str) -> str:
    """The address of a memory's page, or of what was said."""
    if is_episode_id(id):
        return context.link(SAID.path, episode=id)
    return context.link(f"{MEMORIES.path}/{id}")


def profile_link(context: PageContext, user: str) -> str:
    """The address of a user's profile; an empty name is that of the person without one."""
    return context.link(PROFILE.path, user=user or None)


def session_link(context: PageContext, id: str) -> str:
    """The address of a session's page; the id may hold any characters."""
    return context.link(f"{SESSIONS.path}/{quote(id, safe='')}")


def agent_link(context: PageContext, id: str) -> str:
    """The address of an agent's page; the id may hold any characters."""
    return context.link(f"{AGENTS.path}/{quote(id, safe='')}")


def receipt_link(context: PageContext, id: str) -> str:
    """The address of the inspector with the receipt of a turn."""
    return context.link(INSPECTOR.path, receipt=id)
