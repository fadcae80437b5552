"""The command that shows the web UI of a server that runs elsewhere."""

from contextlib import closing
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.configuration import live_configuration
from tacit.cli.output import notices
from tacit.core.errors import TacitError
from tacit.runtime.addresses import to_local_url
from tacit.runtime.logs import LogFormat, LogLevel, configure_logging

_EXTRA = "the web UI needs more than is installed; run: pip install 'tacit[server]'"


def ui(
    url: Annotated[
        str, typer.Option(envvar="TACIT_URL", help="The server to look at.")
    ] = "http://127.0.0.1:8377",
    host: Annotated[
        str, typer.Option(help="Where to listen; for others, the server must ask for keys.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 for any that is free.")] = 8378,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A name that the pages go by, as in the address; repeat."),
    ] = None,
    log_level: Annotated[
        LogLevel, typer.Option(envvar="TACIT_LOG_LEVEL", help="debug, info, warning or error.")
    ] = LogLevel.INFO,
) -> None:
    """Show the web UI of a server that runs elsewhere.

    `tacit serve` has it by itself. This is for a server with several processes, or on another
    machine; people sign in with a key of that server, if it asks for keys.
    """
    try:
        from tacit.ui.app import UiOptions, serve_ui
    except ImportError as error:
        raise TacitError(f"{_EXTRA} ({error.name} is missing)") from error
    configure_logging(LogFormat.TEXT, log_level)
    with closing(live_configuration(None)) as live:
        trusted = live.current().server.proxy_networks
    options = UiOptions(
        url=url,
        host=host,
        port=port,
        hosts=tuple(allow_host or ()),
        trusted_proxies=trusted,
    )
    serve_ui(options, lambda own: _announce(own, url))


def _announce(own: str, url: str) -> None:
    lines = [f"The web UI of {url} is at {to_local_url(own)}", "Ctrl-C stops it."]
    notices().print(Text("\n".join(lines), style="cyan"), soft_wrap=True)


COMMANDS = {"ui": ui}
