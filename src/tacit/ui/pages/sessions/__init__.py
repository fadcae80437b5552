"""Sessions: the conversations that memory serves, and what becomes of them."""

from tacit.ui.page import Page
from tacit.ui.pages.sessions.lately import build as lately
from tacit.ui.pages.sessions.session import build as session
from tacit.ui.rooms import SESSIONS

PAGES = (
    Page(SESSIONS, lately),
    Page(SESSIONS, session, path=f"{SESSIONS.path}/{{id:path}}", title="Session {id}"),
)
