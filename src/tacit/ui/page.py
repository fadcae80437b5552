"""Registration of pages: routing, permissions, the frame with the menu, and error pages."""

import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import quote, urlencode

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from nicegui import Client, ui
from nicegui import context as nicegui_context
from nicegui.page import page as nicegui_page
from starlette.background import BackgroundTask

from tacit.core.errors import NotAllowed, TacitError, Unanswered
from tacit.ui.api_calls import call_api, error_message
from tacit.ui.browser_sessions import BrowserSessions
from tacit.ui.kit.buttons import TOAST_AREA
from tacit.ui.kit.control import Control, ControlKind
from tacit.ui.kit.display import badge, card, empty, notice
from tacit.ui.kit.elements import add_text, box, heading, link
from tacit.ui.navigation import MENU, OVERVIEW, SIGN_IN, SIGN_OUT, PageSpec
from tacit.ui.page_context import DEFAULT_WORKSPACE, WORKSPACE_PARAM, PageContext

BuildPage = Callable[[PageContext], Awaitable[None]]
"""Builds the content of a page, inside its frame."""

_BUILD_TIMEOUT_SECONDS = 60.0
"""Longer than the timeout of the client, so that the page can show the client's error."""

_RECONNECT_SECONDS = 60.0
"""How long a page is kept for a browser that lost its connection, with its unsaved changes."""


@dataclass(frozen=True, slots=True)
class PageRoute:
    """A page and the function that builds it; parameters of its path are in the context's query.

    A title may contain parameters of the path: `Agent {id}`.
    """

    spec: PageSpec
    build: BuildPage
    path: str | None = None
    title: str | None = None


def register_page(route: PageRoute, browser_sessions: BrowserSessions) -> None:
    """Register a page at its path."""

    async def show(request: Request) -> Response | None:
        try:
            context = await load_context(request, browser_sessions)
        except NotAllowed as error:
            own = await _load_own_workspace(request, browser_sessions)
            if own is None:
                return _redirect_to_sign_in(request)
            _show_workspace_refused(requested_theme(request), own, error)
            return None
        except TacitError as error:
            _show_server_error(requested_theme(request), error)
            return None
        await _show_page(route, context)
        return None

    ui.page(
        route.path or route.spec.path,
        response_timeout=_BUILD_TIMEOUT_SECONDS,
        reconnect_timeout=_RECONNECT_SECONDS,
    )(show)


async def load_context(request: Request, browser_sessions: BrowserSessions) -> PageContext:
    """Load the context of a request: its client, server status and workspaces."""
    tacit = browser_sessions.client_for(request.cookies.get(session_cookie_name(request)))
    wanted = request.query_params.get(WORKSPACE_PARAM)
    if wanted is not None:
        tacit = tacit.workspace.open(wanted)
    status = await call_api(tacit.server.status)
    known = (
        [DEFAULT_WORKSPACE, *await call_api(tacit.workspace.names)] if status.server_wide else []
    )
    return PageContext(
        tacit=tacit,
        status=status,
        workspaces=tuple(sorted({*known, status.workspace})),
        path=_encoded_path(request),
        query={**request.query_params, **request.path_params},
        theme=requested_theme(request),
    )


async def _load_own_workspace(request: Request, browser_sessions: BrowserSessions) -> str | None:
    """The workspace of the viewer's key, if they asked for another one."""
    if WORKSPACE_PARAM not in request.query_params:
        return None
    tacit = browser_sessions.client_for(request.cookies.get(session_cookie_name(request)))
    try:
        return (await call_api(tacit.server.status)).workspace
    except TacitError:
        return None


def session_cookie_name(request: Request) -> str:
    """The name of the session cookie; it contains the port, because ports share cookies."""
    return f"tacit_ui_{request.url.port or ''}"


def requested_theme(request: Request) -> str:
    """The theme that the browser's cookie asks for."""
    theme = request.cookies.get(THEME_COOKIE, "auto")
    return theme if theme in THEMES else "auto"


async def _show_page(route: PageRoute, context: PageContext) -> None:
    title = route.title and route.title.format_map(context.query)
    with page_frame(context, route.spec, title=title):
        if not route.spec.is_open_to(context):
            empty("Your key does not open this page", _missing_role_text(route.spec))
            return
        with box("body") as body:
            try:
                await route.build(context)
            except Exception as error:
                body.clear()
                with body:
                    notice(error_message(error), "bad", "This page cannot be shown")
                    link("Try again", "", "button plain")


def _missing_role_text(spec: PageSpec) -> str:
    where = " for every workspace" if spec.server_wide else ""
    return f"It needs a key{where} with the role {spec.role}; ask who runs the server."


def _redirect_to_sign_in(request: Request) -> Response:
    """Redirect to the sign-in page and back; deletes the page that was started."""
    query = f"?{request.url.query}" if request.url.query else ""
    asked = quote(_encoded_path(request) + query, safe="")
    drop = BackgroundTask(nicegui_context.client.delete)
    return RedirectResponse(f"{SIGN_IN}?next={asked}", 303, background=drop)


def _show_workspace_refused(theme: str, own: str, error: NotAllowed) -> None:
    title = "Your key does not open this workspace"
    ui.page_title(f"{title} · Tacit")
    apply_theme(theme)
    with box("alone"), card():
        add_text(title, tag="h1")
        notice(error_message(error), "bad")
        link(f"Go to the workspace {own}", OVERVIEW.path, "button primary")


def _show_server_error(theme: str, error: TacitError) -> None:
    is_away = isinstance(error, Unanswered)
    title = "The server does not answer" if is_away else "This page cannot be shown"
    ui.page_title(f"{title} · Tacit")
    apply_theme(theme)
    with box("alone"), card():
        add_text(title, tag="h1")
        notice(error_message(error), "bad")
        if is_away:
            link("Try again", "", "button primary")
        else:
            link("Go to the overview", OVERVIEW.path, "button primary")


def _encoded_path(request: Request) -> str:
    """The path of a request with its special characters encoded."""
    return quote(request.scope["path"])


# The frame around every page.

THEMES = {"auto": "System", "light": "Light", "dark": "Dark"}
THEME_COOKIE = "tacit_theme"

_IS_DARK = {"auto": None, "light": False, "dark": True}


@contextmanager
def page_frame(context: PageContext, spec: PageSpec, *, title: str | None = None) -> Iterator[None]:
    """The frame of a page: menu, title, and an area to fill."""
    ui.page_title(f"{title or spec.name} · Tacit")
    ui.dark_mode(_IS_DARK.get(context.theme))
    link("Skip to the content", "#content", "skip")
    with box("frame"):
        with box("side", "header"):
            _build_brand(context)
            with box("menu", "nav", aria_label="Pages", id="menu"):
                _build_menu(context, spec)
                _build_corner(context)
        with box("content", id="content", tabindex="-1"):
            with box("title"), box("words"):
                heading(title or spec.name, 1)
                add_text(spec.about, "quiet", "p")
            yield
    box(TOAST_AREA, aria_live="polite")


def apply_theme(theme: str) -> None:
    """Set the theme of a page without a frame."""
    ui.dark_mode(_IS_DARK.get(theme))


def _build_brand(context: PageContext) -> None:
    with box("brand"):
        link("Tacit", context.link(OVERVIEW.path), "name")
        badge("Experimental", "accent", title="Settings and pages may still change.")
        opener = add_text(
            "Menu", "button quiet opener", "button", type="button", aria_controls="menu"
        )
        opener.props["aria-expanded"] = "false"
        opener.on(
            "click",
            js_handler="""(event) => {
                const isOpen = document.body.classList.toggle("menu-open");
                event.currentTarget.setAttribute("aria-expanded", String(isOpen));
            }""",
        )


def _build_menu(context: PageContext, here: PageSpec) -> None:
    shown = [spec for spec in MENU if spec.is_open_to(context)]
    for group, specs in groupby(shown, key=lambda spec: spec.group):
        add_text(group, "group", "p")
        with box(tag="ul"):
            for spec in specs:
                with box(tag="li"):
                    current = "page" if spec is here else None
                    link(spec.name, context.link(spec.path), aria_current=current)


def _build_corner(context: PageContext) -> None:
    """The workspace, the theme, and who is signed in."""
    with box("corner"):
        if len(context.workspaces) > 1:
            _build_workspace_select(context)
        else:
            add_text(f"Workspace {context.workspace}", "quiet")
        _build_theme_select(context)
        if context.status.keys_needed:
            _build_sign_out(context)


def _build_workspace_select(context: PageContext) -> None:
    def go() -> None:
        address = json.dumps(f"{context.path}?{urlencode({WORKSPACE_PARAM: control.value})}")
        ui.run_javascript(f"location.href = {address}")

    control = Control(
        ControlKind.SELECT, "Workspace", context.workspace, options=context.workspaces, on_change=go
    )


def _build_theme_select(context: PageContext) -> None:
    shown = ui.dark_mode(_IS_DARK.get(context.theme))

    def change() -> None:
        theme = str(control.value)
        shown.value = _IS_DARK[theme]
        kept = f"{THEME_COOKIE}={theme}; path=/; max-age=31536000; SameSite=Lax"
        ui.run_javascript(f"document.cookie = {json.dumps(kept)}")

    control = Control(ControlKind.SELECT, "Theme", context.theme, options=THEMES, on_change=change)


def _build_sign_out(context: PageContext) -> None:
    status = context.status
    who = f"agent {status.agent}" if status.agent else f"role {status.role}"
    bound = f", user {status.user}" if status.user else ""
    add_text(f"Signed in, {who}{bound}", "quiet")
    with box(tag="form", method="post", action=SIGN_OUT):
        add_text("Sign out", "button plain", "button", type="submit")


# Error pages.


async def show_not_found(request: Request, _: Exception) -> Response:
    """The page for an unknown address."""
    with Client(nicegui_page(""), request=request) as client:
        ui.page_title("Not found · Tacit")
        apply_theme(requested_theme(request))
        with box("alone"), card():
            add_text("There is no such page", tag="h1")
            add_text("The address may be mistyped, or the page has moved.", "quiet", "p")
            link("Go to the overview", OVERVIEW.path, "button primary")
    return client.build_response(request, 404)


def show_page_error(error: Exception) -> None:
    """The page in place of one that failed; internals stay in the log."""
    ui.page_title("Tacit")
    with box("alone"), card():
        add_text("This page cannot be shown", tag="h1")
        notice(error_message(error), "bad")
        link("Go to the overview", OVERVIEW.path, "button primary")
