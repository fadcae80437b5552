"""Pages for what cannot be shown: an address that leads nowhere, and a page that failed."""

from fastapi import Request, Response
from nicegui import Client, ui
from nicegui.page import page as nicegui_page

from tacit.ui.asking import words_of
from tacit.ui.frame import theme_only
from tacit.ui.kit.card import card, notice
from tacit.ui.kit.element import box, link, say
from tacit.ui.page import theme_of
from tacit.ui.rooms import OVERVIEW


async def not_found(request: Request, _: Exception) -> Response:
    """The page for an address that leads nowhere."""
    with Client(nicegui_page(""), request=request) as client:
        ui.page_title("Not found · Tacit")
        theme_only(theme_of(request))
        with box("alone"), card():
            say("There is no such page", tag="h1")
            say("The address may be mistyped, or the page has moved.", "quiet", "p")
            link("Go to the overview", OVERVIEW.path, "button primary")
    return client.build_response(request, 404)


def page_failed(error: Exception) -> None:
    """The page in place of one that failed; what is inside stays in the log."""
    ui.page_title("Tacit")
    with box("alone"), card():
        say("This page cannot be shown", tag="h1")
        notice(words_of(error), "bad")
        link("Go to the overview", OVERVIEW.path, "button primary")
