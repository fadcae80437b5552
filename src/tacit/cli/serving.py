"""The command that starts the server."""

from contextlib import closing
from typing import Annotated

import typer
from rich.panel import Panel
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.output import notices
from tacit.cli.readiness import ready_embedder
from tacit.cli.sample import SAMPLE, fill
from tacit.engine import Tacit
from tacit.engine.configuration import live_configuration
from tacit.errors import TacitError
from tacit.telemetry.logs import LogFormat, LogLevel, configure

_EXTRA = "the server needs more than is installed; run: pip install 'tacit[server]'"


def serve(
    host: Annotated[
        str, typer.Option(envvar="TACIT_HOST", help="Where to listen; others need keys.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, envvar="TACIT_PORT", help="0 for any that is free.")
    ] = 8377,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A name that the server goes by, as in the address; repeat."),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Processes that serve together, for more cores.")
    ] = 1,
    sample: Annotated[
        bool, typer.Option("--sample", help="With a workspace 'sample' to look at.")
    ] = False,
    log_format: Annotated[
        LogFormat, typer.Option(envvar="TACIT_LOG_FORMAT", help="text or json.")
    ] = LogFormat.TEXT,
    log_level: Annotated[
        LogLevel, typer.Option(envvar="TACIT_LOG_LEVEL", help="debug, info, warning or error.")
    ] = LogLevel.INFO,
    db: opt.Db = None,
) -> None:
    """Serve memory to other programs over HTTP.

    It listens on this machine only, unless a host is named; then callers need keys. Told to stop,
    it finishes what it has begun.
    """
    try:
        from tacit.server import running
    except ImportError as error:
        raise TacitError(f"{_EXTRA} ({error.name} is missing)") from error
    configure(log_format, log_level)
    with closing(live_configuration(None)) as live:
        tacit = Tacit.open(db, embedder=ready_embedder(), config=live)
        with tacit:
            if sample:
                fill(tacit.in_workspace(SAMPLE))
            options = running.Options(
                host=host, port=port, hosts=tuple(allow_host or ()), workers=workers
            )
            running.serve(tacit, live, options, lambda url: _announce(url, sample=sample))


def _announce(url: str, *, sample: bool) -> None:
    """Where to look, for people; programs read the log."""
    lines = [
        f"Tacit listens on {url}",
        "",
        f"  curl {url}/v1/status",
        f"  curl {url}/openapi.json      what there is to ask",
    ]
    if sample:
        asked = "user_request=how+do+users+log+in"
        lines += [f"  curl -H 'Tacit-Workspace: {SAMPLE}' '{url}/v1/memory/context?{asked}'"]
    lines += ["", "Ctrl-C stops it, after what it has begun."]
    notices().print(Panel(Text("\n".join(lines)), border_style="cyan", expand=False))


COMMANDS = {"serve": serve}
