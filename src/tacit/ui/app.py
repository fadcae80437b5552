"""The web UI as an application: its pages, static files and middleware.

`create_ui_app` builds it for the process of a server; `serve_ui` runs it as a process of its own,
for a server that runs elsewhere.
"""

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import InvalidInput, NotAllowed
from tacit.runtime.addresses import AllowedHosts, Networks, bind_socket, is_loopback, socket_url
from tacit.runtime.http_server import HttpServer
from tacit.ui.browser_sessions import BrowserSessions
from tacit.ui.page import register_page, show_not_found, show_page_error
from tacit.ui.pages import PAGES
from tacit.ui.pages.memories.import_export import export_routes
from tacit.ui.security import SecurityMiddleware, install_nonces
from tacit.ui.sign_in import register_sign_in_page, sign_in_routes
from tacit.version import __version__

_STATIC = Path(__file__).parent / "static"
_STATIC_PATH = "/_tacit"
_STYLE_SHEETS = sorted(sheet.name for sheet in _STATIC.glob("*.css"))


def create_ui_app(
    url: str, hosts: Iterable[str] = (), trusted: Callable[[], Networks] = tuple
) -> FastAPI:
    """Create the application for the server at a URL; once in a process.

    `hosts` are the host names that requests may use, `trusted` returns the proxies whose forwarding
    headers are believed.
    """
    browser_sessions = BrowserSessions(url)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.include_router(sign_in_routes(browser_sessions, trusted))
    app.include_router(export_routes(browser_sessions))
    nicegui_app.add_static_files(_STATIC_PATH, _STATIC)
    install_nonces()
    ui.add_head_html(_head_html(), shared=True)
    register_sign_in_page()
    for route in PAGES:
        register_page(route, browser_sessions)
    nicegui_app.on_page_exception(show_page_error)
    nicegui_app.add_exception_handler(404, show_not_found)
    nicegui_app.on_shutdown(browser_sessions.close)
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
    nicegui_app.config.socket_io_js_transports = ["websocket"]
    app.add_middleware(SecurityMiddleware, hosts=AllowedHosts(hosts), trusted=trusted)
    return app


def _head_html() -> str:
    """The style sheets and scripts that every page loads."""
    looks = [
        f'<link rel="stylesheet" href="{_STATIC_PATH}/{name}?{__version__}">'
        for name in _STYLE_SHEETS
    ]
    return "".join([*looks, f'<script src="{_STATIC_PATH}/tacit.js?{__version__}"></script>'])


PORT = 8378
LOOPBACK = "127.0.0.1"

_DRAIN_SECONDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class UiOptions:
    """The server to show, where to listen, allowed host names, and trusted proxies."""

    url: str
    host: str = LOOPBACK
    port: int = PORT
    hosts: tuple[str, ...] = ()
    trusted_proxies: Networks = ()


def serve_ui(options: UiOptions, announce: Callable[[str], None]) -> None:
    """Serve the pages until stopped; `announce` is called with the URL once they listen.

    If the host is reachable from other machines, the server must require keys.
    """
    is_exposed = not is_loopback(options.host)
    if is_exposed and not _requires_key(options.url):
        raise InvalidInput(
            "host",
            f"{options.host} can be reached by others, and {options.url} asks nobody for a key;"
            " make one there first: tacit keys add operator --every-workspace --role admin",
        )
    names = options.hosts or (("*",) if is_exposed else (options.host,))
    with closing(bind_socket(options.host, options.port)) as listening:
        pages = create_ui_app(options.url, names, lambda: options.trusted_proxies)
        announced = partial(announce, socket_url(listening))
        HttpServer(pages, announced, drain_seconds=_DRAIN_SECONDS).run([listening])


def _requires_key(url: str) -> bool:
    with RemoteTacit.connect(url, key="") as tacit:
        try:
            tacit.server.status()
        except NotAllowed:
            return True
    return False
