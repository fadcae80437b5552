"""A page: found by its address, shown to who may see it, and never broken by what fails."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from nicegui import context, ui
from starlette.background import BackgroundTask

from tacit.core.errors import NotAllowed, TacitError, Unanswered
from tacit.ui.asking import ask, words_of
from tacit.ui.frame import THEME_COOKIE, THEMES, frame, theme_only
from tacit.ui.kit.card import card, empty, notice
from tacit.ui.kit.element import box, link, say
from tacit.ui.rooms import OVERVIEW, SIGN_IN, Room
from tacit.ui.visit import DEFAULT_WORKSPACE, WORKSPACE, Visit
from tacit.ui.visitors import Visitors

Build = Callable[[Visit], Awaitable[None]]
"""Fills the frame of a page."""

_BUILDING_SECONDS = 60.0
"""Longer than the client is patient, so that what it says is what is shown."""

_AWAY_SECONDS = 60.0
"""How long a page waits for a browser that lost the connection; what is unsaved stays."""


@dataclass(frozen=True, slots=True)
class Page:
    """A room and what fills it; the rest of its path, if it has one, is in the visit's query.

    A title may have parts of the path in it: `Agent {id}`.
    """

    room: Room
    build: Build
    path: str | None = None
    title: str | None = None


def register(page: Page, visitors: Visitors) -> None:
    """Let a page be found by its address."""

    async def show(request: Request) -> Response | None:
        try:
            visit = await visited(request, visitors)
        except NotAllowed as error:
            own = await _own(request, visitors)
            if own is None:
                return _to_sign_in(request)
            _elsewhere(theme_of(request), own, error)
            return None
        except TacitError as error:
            _without_visit(theme_of(request), error)
            return None
        await _show(page, visit)
        return None

    ui.page(
        page.path or page.room.path,
        response_timeout=_BUILDING_SECONDS,
        reconnect_timeout=_AWAY_SECONDS,
    )(show)


async def visited(request: Request, visitors: Visitors) -> Visit:
    """Who looks at which workspace."""
    tacit = visitors.tacit(request.cookies.get(cookie_of(request)))
    wanted = request.query_params.get(WORKSPACE)
    if wanted is not None:
        tacit = tacit.in_workspace(wanted)
    status = await ask(tacit.server.status)
    known = [DEFAULT_WORKSPACE, *await ask(tacit.workspaces)] if status.server_wide else []
    return Visit(
        tacit=tacit,
        status=status,
        workspaces=tuple(sorted({*known, status.workspace})),
        path=_path(request),
        query={**request.query_params, **request.path_params},
        theme=theme_of(request),
    )


async def _own(request: Request, visitors: Visitors) -> str | None:
    """The workspace that a visitor's key does open, where they asked for another."""
    if WORKSPACE not in request.query_params:
        return None
    tacit = visitors.tacit(request.cookies.get(cookie_of(request)))
    try:
        return (await ask(tacit.server.status)).workspace
    except TacitError:
        return None


def cookie_of(request: Request) -> str:
    """The name of the cookie that tells browsers apart; ports of one machine share cookies."""
    return f"tacit_ui_{request.url.port or ''}"


def theme_of(request: Request) -> str:
    """The theme that a browser wants."""
    theme = request.cookies.get(THEME_COOKIE, "auto")
    return theme if theme in THEMES else "auto"


async def _show(page: Page, visit: Visit) -> None:
    title = page.title and page.title.format_map(visit.query)
    with frame(visit, page.room, title=title):
        if not page.room.admits(visit):
            empty("Your key does not open this page", _needed(page.room))
            return
        with box("body") as body:
            try:
                await page.build(visit)
            except Exception as error:
                body.clear()
                with body:
                    notice(words_of(error), "bad", "This page cannot be shown")
                    link("Try again", "", "button plain")


def _needed(room: Room) -> str:
    where = " for every workspace" if room.server_wide else ""
    return f"It needs a key{where} with the role {room.role}; ask who runs the server."


def _to_sign_in(request: Request) -> Response:
    """Lead to the key and back; nobody will connect to the page that was begun."""
    query = f"?{request.url.query}" if request.url.query else ""
    asked = quote(_path(request) + query, safe="")
    drop = BackgroundTask(context.client.delete)
    return RedirectResponse(f"{SIGN_IN}?next={asked}", 303, background=drop)


def _elsewhere(theme: str, own: str, error: NotAllowed) -> None:
    said = "Your key does not open this workspace"
    ui.page_title(f"{said} · Tacit")
    theme_only(theme)
    with box("alone"), card():
        say(said, tag="h1")
        notice(words_of(error), "bad")
        link(f"Go to the workspace {own}", OVERVIEW.path, "button primary")


def _without_visit(theme: str, error: TacitError) -> None:
    is_away = isinstance(error, Unanswered)
    said = "The server does not answer" if is_away else "This page cannot be shown"
    ui.page_title(f"{said} · Tacit")
    theme_only(theme)
    with box("alone"), card():
        say(said, tag="h1")
        notice(words_of(error), "bad")
        if is_away:
            link("Try again", "", "button primary")
        else:
            link("Go to the overview", OVERVIEW.path, "button primary")


def _path(request: Request) -> str:
    """The path as it stands in an address, whatever ids are made of."""
    return quote(request.scope["path"])
