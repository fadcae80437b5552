"""The application: all pages behind the guard, over the client of one server."""

from collections.abc import Callable, Iterable
from pathlib import Path

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui

from tacit.runtime.addresses import Networks
from tacit.runtime.hosts import Hosts
from tacit.ui import content_policy, signing
from tacit.ui.guard import Guard
from tacit.ui.page import register
from tacit.ui.pages import PAGES
from tacit.ui.pages.memories import archives
from tacit.ui.trouble import not_found, page_failed
from tacit.ui.visitors import Visitors
from tacit.version import __version__

_STATIC = Path(__file__).parent / "static"
_AT = "/_tacit"
_SHEETS = sorted(sheet.name for sheet in _STATIC.glob("*.css"))


def create_pages(
    url: str, hosts: Iterable[str] = (), trusted: Callable[[], Networks] = tuple
) -> FastAPI:
    """The pages of the server at an address, once in a process; they go by the names `hosts`.

    `trusted` are the proxies in front of them that name the address of a browser.
    """
    visitors = Visitors(url)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.include_router(signing.routes(visitors, trusted))
    app.include_router(archives.routes(visitors))
    nicegui_app.add_static_files(_AT, _STATIC)
    content_policy.install()
    ui.add_head_html(_head(), shared=True)
    signing.register()
    for page in PAGES:
        register(page, visitors)
    nicegui_app.on_page_exception(page_failed)
    nicegui_app.add_exception_handler(404, not_found)
    nicegui_app.on_shutdown(visitors.close)
    ui.run_with(
        app,
        title="Tacit",
        favicon=_STATIC / "favicon.svg",
        dark=None,
        language="en-US",
        tailwind=False,
        binding_refresh_interval=None,
        show_welcome_message=False,
    )
    app.add_middleware(Guard, hosts=Hosts(hosts))
    return app


def _head() -> str:
    """What every page loads: the look of all of them, and the clock of the viewer."""
    looks = [f'<link rel="stylesheet" href="{_AT}/{name}?{__version__}">' for name in _SHEETS]
    return "".join([*looks, f'<script src="{_AT}/tacit.js?{__version__}"></script>'])
