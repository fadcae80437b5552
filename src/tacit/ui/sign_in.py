"""The sign-in page, and the routes that sign a browser in and out."""

from collections.abc import Callable
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from nicegui import ui

from tacit.core.errors import InvalidInput, NotAllowed, TacitError
from tacit.runtime.addresses import Networks, client_address
from tacit.runtime.limits import RateLimiter
from tacit.ui.api_calls import call_api
from tacit.ui.browser_sessions import BrowserSessions
from tacit.ui.kit.display import card, notice
from tacit.ui.kit.elements import add_text, box
from tacit.ui.navigation import OVERVIEW, SIGN_IN, SIGN_OUT
from tacit.ui.page import apply_theme, requested_theme, session_cookie_name

_DAY_SECONDS = 24 * 3600
_MAX_FORM_FIELDS = 2
_ATTEMPTS_PER_MINUTE = 30
"""Failed attempts of one address; five may come at once."""

_PROBLEMS = {
    "key": "This key is not known here, or was revoked.",
    "server": "The server does not answer; try again when it runs.",
}


def sign_in_routes(browser_sessions: BrowserSessions, trusted: Callable[[], Networks]) -> APIRouter:
    """The routes that forms post to; `trusted` returns the proxies that are believed."""
    router = APIRouter()
    limiter = RateLimiter()

    @router.post(SIGN_IN)
    async def sign_in(request: Request) -> Response:
        address = _client_address(request, trusted())
        wait = limiter.wait(address, _ATTEMPTS_PER_MINUTE)
        if wait:
            text = f"Too many attempts to sign in. Try again in {wait} seconds."
            return PlainTextResponse(text, 429, {"Retry-After": str(wait)})
        form = await request.form(max_files=0, max_fields=_MAX_FORM_FIELDS)
        path = safe_path(str(form.get("next", OVERVIEW.path)))
        try:
            token = await call_api(browser_sessions.sign_in, str(form.get("key", "")))
        except (NotAllowed, InvalidInput):
            return _redirect_with_problem("key", path)
        except TacitError:
            return _redirect_with_problem("server", path)
        limiter.give_back(address)
        browser_sessions.sign_out(request.cookies.get(session_cookie_name(request)))
        answer = RedirectResponse(path, 303)
        answer.set_cookie(
            session_cookie_name(request),
            token,
            max_age=_DAY_SECONDS,
            httponly=True,
            samesite="lax",
            secure=_is_encrypted(request),
        )
        return answer

    @router.post(SIGN_OUT)
    async def sign_out(request: Request) -> Response:
        browser_sessions.sign_out(request.cookies.get(session_cookie_name(request)))
        answer = RedirectResponse(SIGN_IN, 303)
        answer.delete_cookie(session_cookie_name(request))
        return answer

    return router


def register_sign_in_page() -> None:
    """Register the sign-in page."""

    @ui.page(SIGN_IN, title="Sign in · Tacit")
    def page(request: Request) -> None:
        apply_theme(requested_theme(request))
        path = safe_path(request.query_params.get("next", OVERVIEW.path))
        with box("alone"), card():
            add_text("Tacit", "name", "p")
            add_text("Sign in", tag="h1")
            add_text("This server asks for a key. Whoever runs it can make you one:", tag="p")
            add_text("tacit keys add me --every-workspace --role admin", "code", "code")
            add_text("With the --db of the server, if it was started with one.", "quiet", "p")
            if problem := _PROBLEMS.get(request.query_params.get("problem", "")):
                notice(problem, "bad")
            with box("stack", "form", method="post", action=SIGN_IN):
                box(tag="input", type="hidden", name="next", value=path)
                with box("control"):
                    add_text("Key", "label", "label", for_="key")
                    box(
                        tag="input",
                        id="key",
                        name="key",
                        type="password",
                        autocomplete="current-password",
                        required=True,
                        autofocus=True,
                        placeholder="tacit_…",
                    )
                add_text("Sign in", "button primary", "button", type="submit")


def _client_address(request: Request, trusted: Networks) -> str:
    peer = request.client.host if request.client else ""
    return client_address(peer, request.headers.getlist("x-forwarded-for"), trusted)


def _is_encrypted(request: Request) -> bool:
    """Whether the browser used TLS, perhaps to a proxy; a false claim harms only the sender."""
    claimed = request.headers.get("x-forwarded-proto", request.url.scheme)
    return claimed.rpartition(",")[2].strip().lower() == "https"


def safe_path(path: str) -> str:
    """A path of the web UI; the overview instead of anything else."""
    is_own = path.startswith("/") and not path.startswith(("//", "/\\"))
    return path if is_own and path.isprintable() else OVERVIEW.path


def _redirect_with_problem(problem: str, path: str) -> Response:
    return RedirectResponse(f"{SIGN_IN}?problem={problem}&next={quote(path, safe='')}", 303)
