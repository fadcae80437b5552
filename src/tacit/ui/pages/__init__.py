"""The pages of the web UI, one module or package each.

The `__init__` of a package is the page itself. Its decisions are in modules that do not import
NiceGUI, such as `view_model`.
"""

from tacit.ui.page import PageRoute
from tacit.ui.pages.agents import PAGES as AGENTS
from tacit.ui.pages.changes import PAGE as CHANGES
from tacit.ui.pages.conflicts import PAGE as CONFLICTS
from tacit.ui.pages.documents import PAGE as DOCUMENTS
from tacit.ui.pages.health import PAGE as HEALTH
from tacit.ui.pages.inspector import PAGE as INSPECTOR
from tacit.ui.pages.keys import PAGE as KEYS
from tacit.ui.pages.memories import PAGES as MEMORIES
from tacit.ui.pages.overview import PAGE as OVERVIEW
from tacit.ui.pages.profile import PAGE as PROFILE
from tacit.ui.pages.prompt import PAGE as PROMPT
from tacit.ui.pages.review import PAGE as REVIEW
from tacit.ui.pages.said import PAGE as SAID
from tacit.ui.pages.sessions import PAGES as SESSIONS
from tacit.ui.pages.settings import PAGE as SETTINGS
from tacit.ui.pages.welcome import PAGE as WELCOME

PAGES: tuple[PageRoute, ...] = (
    OVERVIEW,
    WELCOME,
    INSPECTOR,
    *SESSIONS,
    CHANGES,
    *MEMORIES,
    PROFILE,
    SAID,
    CONFLICTS,
    REVIEW,
    DOCUMENTS,
    SETTINGS,
    *AGENTS,
    PROMPT,
    KEYS,
    HEALTH,
)
