"""The sessions that were active last."""

from collections.abc import Sequence

from nicegui import ui

from tacit.core.conversation.listed import ListedSession
from tacit.core.errors import NotFound
from tacit.ui.addresses import session_at
from tacit.ui.asking import ask
from tacit.ui.kit.button import button
from tacit.ui.kit.card import badge, card, empty
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, link, say
from tacit.ui.kit.moment import moment
from tacit.ui.kit.table import table
from tacit.ui.rooms import INSPECTOR, SESSIONS
from tacit.ui.visit import Visit

_PAGE = 25


async def build(visit: Visit) -> None:
    """A page of sessions, and a way to one by its id."""
    after = visit.query.get("after")
    found = await ask(visit.tacit.sessions, limit=_PAGE + 1, after=after)
    if not found and after is None:
        empty(
            "No sessions yet",
            "A session begins with an agent's first turn. The Inspector shows what one would get.",
            [("Open the Inspector", visit.link(INSPECTOR.path))],
        )
        return
    _search(visit)
    shown = found[:_PAGE]
    with card(classes="sessions"):
        _table(visit, shown)
        _pages(visit, shown, is_more=len(found) > _PAGE)


def _search(visit: Visit) -> None:
    async def open_it() -> None:
        id = str(control.value or "").strip()
        if not id:
            control.object_to("Say which session.")
            return
        try:
            await ask(visit.tacit.session, id)
        except NotFound:
            control.object_to("There is no session with this id in this workspace.")
            return
        ui.navigate.to(session_at(visit, id))

    with box("row ends"):
        control = Control(Kind.SEARCH, "Find a session by its id", "", on_enter=open_it)
        button("Open", open_it)


def _table(visit: Visit, found: Sequence[ListedSession]) -> None:
    headings = ("Session", "Turns", "Who spoke", "Last active", "Began", "State")
    with table("Sessions", headings, numbers=["Turns"]):
        for each in found:
            _row(visit, each)


def _row(visit: Visit, session: ListedSession) -> None:
    with box(tag="tr"):
        with box("breaking", "th", scope="row"):
            link(session.id, session_at(visit, session.id))
        say(f"{session.turns:,}", "number", "td")
        say(", ".join(session.speakers) or "–", "breaking", "td")
        with box(tag="td"):
            moment(session.updated_at)
        with box(tag="td"):
            moment(session.created_at)
        with box(tag="td"):
            if session.is_paused:
                badge("Paused", "warn")
            else:
                say("Served", "quiet")


def _pages(visit: Visit, shown: Sequence[ListedSession], *, is_more: bool) -> None:
    after = visit.query.get("after")
    if after is None and not is_more:
        return
    with box("row"):
        if after is not None:
            link("Newest", visit.link(SESSIONS.path), "button plain")
        if is_more:
            last = shown[-1].cursor
            link("Older", visit.link(SESSIONS.path, after=last), "button plain")
