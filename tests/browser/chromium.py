"""A real Chromium, the one of the machine, and a person at it."""

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 390, "height": 844}
_GRAVE = ("serious", "critical")

expect.set_options(timeout=30_000)


def executable():
    """Where the browser is; CHROMIUM names another."""
    named = os.environ.get("CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser")


@dataclass
class Person:
    """Somebody at a browser: a page, where the server is, and what went wrong in the console."""

    page: Page
    url: str
    errors: list[str] = field(default_factory=list)

    def go(self, path="/"):
        """Open a page, and wait until it is connected."""
        self.page.goto(self.url + path)
        self.page.wait_for_selector("h1")
        self.page.wait_for_function("window.did_handshake === true")
        return self.page

    def findings(self):
        """What axe finds that would keep somebody from using the page."""
        found = Axe().run(self.page).response["violations"]
        return [
            (each["id"], [node["html"][:200] for node in each["nodes"]])
            for each in found
            if each["impact"] in _GRAVE
        ]

    def is_too_wide(self):
        """Whether the page scrolls sideways."""
        room = "document.documentElement"
        return self.page.evaluate(f"{room}.scrollWidth > {room}.clientWidth")


@contextmanager
def person(browser, url, *, theme="light", size=None, zone="Europe/Berlin"):
    """Somebody with a browser of their own, whose console is heard."""
    context = browser.new_context(
        viewport=size or WIDE, color_scheme=theme, timezone_id=zone, locale="en-GB"
    )
    page = context.new_page()
    somebody = Person(page, url)
    page.on("console", lambda told: told.type == "error" and somebody.errors.append(told.text))
    page.on("pageerror", lambda error: somebody.errors.append(str(error)))
    try:
        yield somebody
    finally:
        context.close()
