"""The sessions page: the sessions that were active last."""

from collections.abc import Sequence

from nicegui import ui

from tacit.core.errors import NotFound
from tacit.core.sessions import ListedSession
from tacit.ui.api_calls import call_api
from tacit.ui.kit.buttons import button
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, card, empty, table
from tacit.ui.kit.elements import add_text, box, link, timestamp
from tacit.ui.navigation import INSPECTOR, SESSIONS, session_link
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext
from tacit.ui.pages.sessions.session import build_session_page as session

_PAGE_SIZE = 25


async def build_list_page(context: PageContext) -> None:
    """A page of sessions, and a box to open one by its id."""
    after = context.query.get("after")
    found = await call_api(context.tacit.sessions.list, limit=_PAGE_SIZE + 1, after=after)
    if not found and after is None:
        empty(
            "No sessions yet",
            "A session begins with an agent's first turn. The Inspector shows what one would get.",
            [("Open the Inspector", context.link(INSPECTOR.path))],
        )
        return
    _build_search(context)
    shown = found[:_PAGE_SIZE]
    with card(classes="sessions"):
        _build_table(context, shown)
        _build_paging(context, shown, is_more=len(found) > _PAGE_SIZE)


def _build_search(context: PageContext) -> None:
    async def open_it() -> None:
        id = str(control.value or "").strip()
        if not id:
            control.show_problem("Say which session.")
            return
        try:
            await call_api(context.tacit.sessions.get, id)
        except NotFound:
            control.show_problem("There is no session with this id in this workspace.")
            return
        ui.navigate.to(session_link(context, id))

    with box("row ends"):
        control = Control(ControlKind.SEARCH, "Find a session by its id", "", on_enter=open_it)
        button("Open", open_it)


def _build_table(context: PageContext, found: Sequence[ListedSession]) -> None:
    headings = ("Session", "Turns", "Who spoke", "Last active", "Began", "State")
    with table("Sessions", headings, numbers=["Turns"]):
        for each in found:
            _build_row(context, each)


def _build_row(context: PageContext, session: ListedSession) -> None:
    with box(tag="tr"):
        with box("breaking", "th", scope="row"):
            link(session.id, session_link(context, session.id))
        add_text(f"{session.turns:,}", "number", "td")
        add_text(", ".join(session.speakers) or "–", "breaking", "td")
        with box(tag="td"):
            timestamp(session.updated_at)
        with box(tag="td"):
            timestamp(session.created_at)
        with box(tag="td"):
            if session.is_paused:
                badge("Paused", "warn")
            else:
                add_text("Served", "quiet")


def _build_paging(context: PageContext, shown: Sequence[ListedSession], *, is_more: bool) -> None:
    after = context.query.get("after")
    if after is None and not is_more:
        return
    with box("row"):
        if after is not None:
            link("Newest", context.link(SESSIONS.path), "button plain")
        if is_more:
            last = shown[-1].cursor
            link("Older", context.link(SESSIONS.path, after=last), "button plain")


PAGES = (
    PageRoute(SESSIONS, build_list_page),
    PageRoute(SESSIONS, session, path=f"{SESSIONS.path}/{{id:path}}", title="Session {id}"),
)
