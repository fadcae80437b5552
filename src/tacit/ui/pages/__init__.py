"""The pages, one module or folder each."""

from tacit.ui.page import Page
from tacit.ui.pages.agents import PAGES as AGENTS
from tacit.ui.pages.conflicts import PAGE as CONFLICTS
from tacit.ui.pages.documents import PAGE as DOCUMENTS
from tacit.ui.pages.health import PAGE as HEALTH
from tacit.ui.pages.inspector import PAGE as INSPECTOR
from tacit.ui.pages.keys import PAGE as KEYS
from tacit.ui.pages.memories import PAGES as MEMORIES
from tacit.ui.pages.overview import PAGE as OVERVIEW
from tacit.ui.pages.prompt import PAGE as PROMPT
from tacit.ui.pages.review import PAGE as REVIEW
from tacit.ui.pages.sessions import PAGES as SESSIONS
from tacit.ui.pages.settings import PAGE as SETTINGS
from tacit.ui.pages.welcome import PAGE as WELCOME

PAGES: tuple[Page, ...] = (
    OVERVIEW,
    WELCOME,
    INSPECTOR,
    *SESSIONS,
    *MEMORIES,
    CONFLICTS,
    REVIEW,
    DOCUMENTS,
    SETTINGS,
    *AGENTS,
    PROMPT,
    KEYS,
    HEALTH,
)
