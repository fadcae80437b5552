"""The command that starts the server."""

import logging
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tacit.api.configuration import live_configuration
from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.output import notices
from tacit.cli.readiness import ready_embedder
from tacit.cli.sample import SAMPLE, fill
from tacit.core.errors import TacitError
from tacit.runtime.addresses import to_local_url
from tacit.runtime.logs import LogFormat, LogLevel, configure_logging
from tacit.settings.config.live import LiveConfig

if TYPE_CHECKING:
    from tacit.server.running import MakePages


_log = logging.getLogger("tacit.server")

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
    ui: Annotated[bool, typer.Option(help="With the web UI, for a browser.")] = True,
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

        make_pages = _maker() if ui and workers == 1 else None
    except ImportError as error:
        raise TacitError(f"{_EXTRA} ({error.name} is missing)") from error
    with closing(live_configuration(None)) as live:
        tacit = Tacit.open(db, embedder=ready_embedder(), config=live)
        with tacit:
            if sample:
                fill(tacit.in_workspace(SAMPLE))
            configure_logging(log_format, log_level)
            options = running.Options(
                host=host, port=port, hosts=tuple(allow_host or ()), workers=workers
            )
            about = _about(tacit, live, sample=sample, pages=_pages(ui, workers, sample=sample))
            running.serve(
                tacit, live, options, lambda url: _announce(url, about, log_format), make_pages
            )


def _maker() -> "MakePages":
    """Makes the web UI; what that needs is not loaded without it."""
    from tacit.ui.app import create_ui_app

    return create_ui_app


def _pages(ui: bool, workers: int, *, sample: bool) -> list[str]:
    """Where the web UI is; it keeps what each browser sees, so it is in one process only."""
    if not ui:
        return []
    if workers > 1:
        return ["tacit ui --url URL shows it in a browser"]
    return [f"open URL{f'/?workspace={SAMPLE}' if sample else ''} in a browser"]


def _about(tacit: Tacit, live: LiveConfig, *, sample: bool, pages: Sequence[str]) -> list[str]:
    """What is served, by which settings, and what to try; an address stands for itself."""
    store, path = tacit.describe(), live.current().path
    place = store.get("path") or f"{store['backend']}, in this process only"
    workspaces = len(tacit.workspaces())
    held = f"workspaces: {workspaces}" if workspaces else "new, nothing in it yet"
    key = " -H 'Authorization: Bearer tacit_…'" if tacit.keys.any() else ""
    lines = [
        f"memories in {place} ({held})",
        f"settings in {path}" if path else "settings: built in, no tacit.toml",
        "keys: needed by every caller" if key else "keys: none, so only this machine may ask",
        "",
        *pages,
        f"curl{key} URL/v1/status",
        "curl URL/openapi.json",
    ]
    if sample:
        lines += [f"curl{key} -H 'Tacit-Workspace: {SAMPLE}' URL/v1/memories"]
        lines += [f"curl{key} -H 'Tacit-Workspace: {SAMPLE}' -G URL/v1/memory/context \\"]
        lines += ["    --data-urlencode 'user_request=How do users of the API log in?'"]
    return lines


def _announce(url: str, about: Sequence[str], log_format: LogFormat) -> None:
    """Where to look; where the log is read by programs, one line of it."""
    said = f"Tacit listens on {url}"
    if log_format is LogFormat.JSON:
        _log.warning(said)
        return
    lines = [said, *(f"  {line.replace('URL', to_local_url(url))}" for line in about)]
    lines += ["Ctrl-C stops it."]
    notices().print(Text("\n".join(lines), style="cyan"), soft_wrap=True)


COMMANDS = {"serve": serve}
