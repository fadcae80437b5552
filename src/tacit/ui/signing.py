"""Signing in with a key, and out again."""

from collections.abc import Callable
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from nicegui import ui

from tacit.core.errors import InvalidInput, NotAllowed, TacitError
from tacit.runtime.addresses import Networks, client_address
from tacit.runtime.limits import Limiter
from tacit.ui.asking import ask
from tacit.ui.frame import theme_only
from tacit.ui.kit.card import card, notice
from tacit.ui.kit.element import box, say
from tacit.ui.page import cookie_of, theme_of
from tacit.ui.rooms import OVERVIEW, SIGN_IN, SIGN_OUT
from tacit.ui.visitors import Visitors

_DAY_SECONDS = 24 * 3600
_MOST_FIELDS = 2
_TRIES_PER_MINUTE = 30
"""Attempts of one address that fail; five may come at once."""

_PROBLEMS = {
    "key": "This key is not known here, or was revoked.",
    "server": "The server does not answer; try again when it runs.",
}


def routes(visitors: Visitors, trusted: Callable[[], Networks]) -> APIRouter:
    """What the forms of the pages send; `trusted` are the proxies that name a browser's address."""
    router = APIRouter()
    limiter = Limiter()

    @router.post(SIGN_IN)
    async def sign_in(request: Request) -> Response:
        address = _address(request, trusted())
        wait = limiter.wait(address, _TRIES_PER_MINUTE)
        if wait:
            said = f"Too many attempts to sign in. Try again in {wait} seconds."
            return PlainTextResponse(said, 429, {"Retry-After": str(wait)})
        form = await request.form(max_files=0, max_fields=_MOST_FIELDS)
        aim = own_path(str(form.get("next", OVERVIEW.path)))
        try:
            token = await ask(visitors.sign_in, str(form.get("key", "")))
        except (NotAllowed, InvalidInput):
            return _back("key", aim)
        except TacitError:
            return _back("server", aim)
        limiter.give_back(address)
        visitors.sign_out(request.cookies.get(cookie_of(request)))
        answer = RedirectResponse(aim, 303)
        answer.set_cookie(
            cookie_of(request),
            token,
            max_age=_DAY_SECONDS,
            httponly=True,
            samesite="lax",
            secure=_is_encrypted(request),
        )
        return answer

    @router.post(SIGN_OUT)
    async def sign_out(request: Request) -> Response:
        visitors.sign_out(request.cookies.get(cookie_of(request)))
        answer = RedirectResponse(SIGN_IN, 303)
        answer.delete_cookie(cookie_of(request))
        return answer

    return router


def register() -> None:
    """Let the page to sign in be found."""

    @ui.page(SIGN_IN, title="Sign in · Tacit")
    def page(request: Request) -> None:
        theme_only(theme_of(request))
        aim = own_path(request.query_params.get("next", OVERVIEW.path))
        with box("alone"), card():
            say("Tacit", "name", "p")
            say("Sign in", tag="h1")
            say("This server asks for a key. Whoever runs it can make you one:", tag="p")
            say("tacit keys add me --every-workspace --role admin", "code", "code")
            say("With the --db of the server, if it was started with one.", "quiet", "p")
            if problem := _PROBLEMS.get(request.query_params.get("problem", "")):
                notice(problem, "bad")
            with box("stack", "form", method="post", action=SIGN_IN):
                box(tag="input", type="hidden", name="next", value=aim)
                with box("control"):
                    say("Key", "label", "label", for_="key")
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
                say("Sign in", "button primary", "button", type="submit")


def _address(request: Request, trusted: Networks) -> str:
    peer = request.client.host if request.client else ""
    return client_address(peer, request.headers.getlist("x-forwarded-for"), trusted)


def _is_encrypted(request: Request) -> bool:
    """Whether the browser came by TLS, perhaps to a proxy; who claims it falsely harms nobody."""
    claimed = request.headers.get("x-forwarded-proto", request.url.scheme)
    return claimed.rpartition(",")[2].strip().lower() == "https"


def own_path(aim: str) -> str:
    """A path of these pages; whatever else was asked for, the first page."""
    is_own = aim.startswith("/") and not aim.startswith(("//", "/\\"))
    return aim if is_own and aim.isprintable() else OVERVIEW.path


def _back(problem: str, aim: str) -> Response:
    return RedirectResponse(f"{SIGN_IN}?problem={problem}&next={quote(aim, safe='')}", 303)
