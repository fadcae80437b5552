"""The frame around every page: the menu, the workspace, the theme and who is there."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from urllib.parse import urlencode

from nicegui import ui

from tacit.ui.kit.card import badge
from tacit.ui.kit.control import Control, Kind
from tacit.ui.kit.element import box, heading, link, say
from tacit.ui.kit.toast import AREA
from tacit.ui.rooms import OVERVIEW, ROOMS, SIGN_OUT, Room
from tacit.ui.visit import WORKSPACE, Visit

THEMES = {"auto": "System", "light": "Light", "dark": "Dark"}
THEME_COOKIE = "tacit_theme"

_IS_DARK = {"auto": None, "light": False, "dark": True}


@contextmanager
def frame(visit: Visit, room: Room, *, title: str | None = None) -> Iterator[None]:
    """The frame of a page, to be filled with its content."""
    ui.page_title(f"{title or room.name} · Tacit")
    ui.dark_mode(_IS_DARK.get(visit.theme))
    link("Skip to the content", "#content", "skip")
    with box("frame"):
        with box("side", "header"):
            _brand(visit)
            with box("menu", "nav", aria_label="Pages", id="menu"):
                _menu(visit, room)
                _corner(visit)
        with box("content", id="content", tabindex="-1"):
            with box("title"), box("words"):
                heading(title or room.name, 1)
                say(room.about, "quiet", "p")
            yield
    box(AREA, aria_live="polite")


def theme_only(theme: str) -> None:
    """The look of a page without a frame."""
    ui.dark_mode(_IS_DARK.get(theme))


def _brand(visit: Visit) -> None:
    with box("brand"):
        link("Tacit", visit.link(OVERVIEW.path), "name")
        badge("Experimental", "accent", title="Settings and pages may still change.")
        opener = say("Menu", "button quiet opener", "button", type="button", aria_controls="menu")
        opener.props["aria-expanded"] = "false"
        opener.on(
            "click",
            js_handler="""(event) => {
                const isOpen = document.body.classList.toggle("menu-open");
                event.currentTarget.setAttribute("aria-expanded", String(isOpen));
            }""",
        )


def _menu(visit: Visit, here: Room) -> None:
    shown = [room for room in ROOMS if room.admits(visit)]
    for group, rooms in groupby(shown, key=lambda room: room.group):
        say(group, "group", "p")
        with box(tag="ul"):
            for room in rooms:
                with box(tag="li"):
                    current = "page" if room is here else None
                    link(room.name, visit.link(room.path), aria_current=current)


def _corner(visit: Visit) -> None:
    """The workspace that is looked at, the theme, and who looks."""
    with box("corner"):
        if len(visit.workspaces) > 1:
            _workspaces(visit)
        else:
            say(f"Workspace {visit.workspace}", "quiet")
        _themes(visit)
        if visit.status.keys_needed:
            _signed_in(visit)


def _workspaces(visit: Visit) -> None:
    def go() -> None:
        aim = json.dumps(f"{visit.path}?{urlencode({WORKSPACE: control.value})}")
        ui.run_javascript(f"location.href = {aim}")

    control = Control(
        Kind.SELECT, "Workspace", visit.workspace, options=visit.workspaces, on_change=go
    )


def _themes(visit: Visit) -> None:
    shown = ui.dark_mode(_IS_DARK.get(visit.theme))

    def change() -> None:
        theme = str(control.value)
        shown.value = _IS_DARK[theme]
        kept = f"{THEME_COOKIE}={theme}; path=/; max-age=31536000; SameSite=Lax"
        ui.run_javascript(f"document.cookie = {json.dumps(kept)}")

    control = Control(Kind.SELECT, "Theme", visit.theme, options=THEMES, on_change=change)


def _signed_in(visit: Visit) -> None:
    status = visit.status
    who = f"agent {status.agent}" if status.agent else f"role {status.role}"
    bound = f", user {status.user}" if status.user else ""
    say(f"Signed in, {who}{bound}", "quiet")
    with box(tag="form", method="post", action=SIGN_OUT):
        say("Sign out", "button plain", "button", type="submit")
