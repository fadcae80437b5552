"""Commands that serve memory to other programs: serve, ui and mcp."""

import logging
import os
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer
from rich.text import Text

from tacit.api.configuration import live_configuration
from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.options import prepare_embedder
from tacit.cli.output import notices
from tacit.core.errors import InvalidInput, TacitError
from tacit.embedding.minilm.model_files import lacks_model
from tacit.integrations.hooks.project import find_project, read_checkout
from tacit.runtime.addresses import is_loopback, to_local_url
from tacit.runtime.files import default_database_path, machine_name
from tacit.runtime.logs import LogFormat, LogLevel, configure_logging
from tacit.settings.live_config import LiveConfig

if TYPE_CHECKING:
    from tacit.server.serve import MakePages


# mcp


_DEFAULT_WORKSPACE = "default"
_MCP_EXTRA = "the MCP server needs more than is installed; run: pip install 'tacit[mcp]'"


def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP instead of standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option(help="With --http: where to listen.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="With --http: 0 for any that is free.")
    ] = 8378,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Without the tools that write.")
    ] = False,
    url: Annotated[
        str | None, typer.Option(help="Use the memory of a running server; TACIT_KEY opens it.")
    ] = None,
    project: Annotated[
        str | None, typer.Option(help="The project to work in; else that of the current folder.")
    ] = None,
    db: opt.Db = None,
    workspace: opt.Workspace = _DEFAULT_WORKSPACE,
) -> None:
    """Offer memory to an agent as MCP tools.

    Coding CLIs start it themselves. The project is that of the current folder; with --url it is the
    path of the folder, since a server knows no places. TACIT_AGENT and TACIT_USER say who asks.
    """
    try:
        from tacit.integrations.mcp.caller import McpCaller
        from tacit.integrations.mcp.server import HttpOptions, serve_http, serve_stdio
    except ImportError as error:
        raise TacitError(f"{_MCP_EXTRA} ({error.name} is missing)") from error
    if http and url:
        raise InvalidInput("url", "leave out --http, or start it where the memories are")
    configure_logging(LogFormat.TEXT, LogLevel.WARNING)
    who = McpCaller(
        agent=os.environ.get("TACIT_AGENT") or None, user=os.environ.get("TACIT_USER") or None
    )
    folder = Path.cwd()
    if url:
        place = replace(who, project=project or _remote_project(url, folder))
        named = None if workspace == _DEFAULT_WORKSPACE else workspace
        with Tacit.connect(url, workspace=named) as remote:
            serve_stdio(remote, place, read_only=read_only)
        return
    location = db or default_database_path()
    with (
        closing(live_configuration(None, database=location)) as live,
        Tacit.open(location, workspace, embedder=_mcp_embedder(), config=live) as tacit,
    ):
        place = replace(who, project=project, find_project=lambda: find_project(tacit, folder).id)
        if project is None:
            _print_notice(find_project(tacit, folder).notice)
        if http:
            options = HttpOptions(host=host, port=port, read_only=read_only)
            serve_http(tacit, place, options, lambda: live.current().server, _announce_mcp)
        else:
            serve_stdio(tacit, place, read_only=read_only)


def _mcp_embedder() -> str:
    """The embedder that is named; a client does not wait for a model to be fetched."""
    name = os.environ.get("TACIT_EMBEDDER") or "minilm"
    if not lacks_model(name):
        return name
    notices().print("Going on without vectors; tacit model pull gets the model.", markup=False)
    return "none"


def _remote_project(url: str, folder: Path) -> str:
    """A folder as a server knows it, which others may use who have folders of the same path."""
    path = read_checkout(folder).path
    return path if is_loopback(urlsplit(url).hostname or "") else f"{machine_name()}:{path}"


def _print_notice(notice: str) -> None:
    if notice:
        notices().print(notice, markup=False, soft_wrap=True)


def _announce_mcp(url: str) -> None:
    notices().print(Text(f"Tacit listens on {url}\nCtrl-C stops it.", style="cyan"), soft_wrap=True)


# The sample workspace of `tacit serve --sample`


SAMPLE_WORKSPACE = "sample"

_SAMPLE_MEMORIES = (
    {"content": "We chose JWT over session tokens for the API", "type": "decision"},
    {"content": "The billing service ships on 14 March", "type": "event"},
    {"content": "4 spaces", "type": "preference", "key": "editor.indent"},
    {"content": "2 spaces", "type": "preference", "key": "editor.indent"},
    {"content": "Invoices go out from billing@shop.example", "type": "fact"},
    {"content": "Staging has 4 replicas, production 12", "type": "fact"},
    {"content": "Ann owns the migration, Ben the rollback plan", "type": "fact"},
    {"content": "Never deploy on Fridays", "type": "constraint", "pinned": True},
    {"content": "Write the runbook for the payment gateway", "type": "todo"},
    {"content": "Cut the checkout's p95 below 300 ms this quarter", "type": "goal"},
    {"content": "The payment gateway timed out twice in May", "type": "observation"},
    {"content": "The office is in Lisbon", "type": "fact"},
    {"content": "The office is in Porto", "type": "fact"},
)
_SAMPLE_TALK = ("How do users of the API log in?", "Who owns the migration?", "thanks!")
_SAMPLE_ASIDES = (
    ("ann-monday", "we're on the new staging database in Frankfurt now, Ben moved it on Sunday"),
    ("ann-friday", "the rollback drill took nine minutes today, half of it waiting for DNS"),
)
"""What Ann says in passing: kept as it was said."""
_SAMPLE_DEADLINE_MS = 60_000
"""The first turns of a process load the model, and nobody waits for their answers."""


def fill_sample(tacit: Tacit) -> None:
    """Put the sample into an empty workspace; one that has something stays as it is."""
    if tacit.list(state=None, limit=1):
        return
    written = tacit.memories.remember_all(_SAMPLE_MEMORIES)
    tacit.memories.link(written[8].id, written[10].id, "caused_by", weight=0.8)
    history: list[object] = []
    for text in _SAMPLE_TALK:
        history = _take_sample_turn(tacit, session="sample-talk", text=text, history=history)
    for session, text in _SAMPLE_ASIDES:
        _take_sample_turn(tacit, session=session, text=text, history=[], user="ann")
    tacit.learn()  # whoever opens a page finds what was said


def _take_sample_turn(tacit: Tacit, **said: Any) -> list[object]:
    """Take a turn and return the history after it."""
    with tacit.turn(**said, deadline_ms=_SAMPLE_DEADLINE_MS) as turn:
        turn.commit("(the model answers)")
    return turn.history


# serve


_log = logging.getLogger("tacit.server")

_SERVER_EXTRA = "the server needs more than is installed; run: pip install 'tacit[server]'"


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
        from tacit.proxy.app import ProxyApp
        from tacit.server import serve as running

        make_pages = _load_ui() if ui and workers == 1 else None
    except ImportError as error:
        raise TacitError(f"{_SERVER_EXTRA} ({error.name} is missing)") from error
    location = db or default_database_path()
    with closing(live_configuration(None, database=location)) as live:
        tacit = Tacit.open(location, embedder=prepare_embedder(), config=live)
        with tacit:
            if sample:
                fill_sample(tacit.workspace.open(SAMPLE_WORKSPACE))
            configure_logging(log_format, log_level)
            options = running.ServerOptions(
                host=host, port=port, hosts=tuple(allow_host or ()), workers=workers
            )
            about = _startup_lines(
                tacit, live, sample=sample, pages=_pages(ui, workers, sample=sample)
            )
            running.serve(
                tacit,
                live,
                options,
                lambda url: _announce_server(url, about, log_format),
                make_pages,
                ProxyApp,
            )


def _load_ui() -> "MakePages":
    """Makes the web UI; what that needs is not loaded without it."""
    from tacit.ui.app import create_ui_app

    return create_ui_app


def _pages(ui: bool, workers: int, *, sample: bool) -> list[str]:
    """Where the web UI is; it keeps what each browser sees, so it is in one process only."""
    if not ui:
        return []
    if workers > 1:
        return ["tacit ui --url URL shows it in a browser"]
    return [f"open URL{f'/?workspace={SAMPLE_WORKSPACE}' if sample else ''} in a browser"]


def _startup_lines(
    tacit: Tacit, live: LiveConfig, *, sample: bool, pages: Sequence[str]
) -> list[str]:
    """What is served, by which settings, and what to try; an address stands for itself."""
    store, config = tacit.workspace.describe(), live.current()
    files = " and ".join(str(each) for each in (config.path, config.base_path) if each)
    place = store.get("path") or f"{store['backend']}, in this process only"
    workspaces = len(tacit.workspace.names())
    held = f"workspaces: {workspaces}" if workspaces else "new, nothing in it yet"
    key = " -H 'Authorization: Bearer tacit_…'" if tacit.keys.any() else ""
    lines = [
        f"memories in {place} ({held})",
        f"settings in {files}" if files else "settings: built in, no tacit.toml",
        "keys: needed by every caller" if key else "keys: none, so only this machine may ask",
        "",
        *pages,
        "OPENAI_BASE_URL=URL/openai/v1 or ANTHROPIC_BASE_URL=URL/anthropic gives a program memory",
        f"curl{key} URL/v1/status",
        "curl URL/openapi.json",
    ]
    if sample:
        lines += [f"curl{key} -H 'Tacit-Workspace: {SAMPLE_WORKSPACE}' URL/v1/memories"]
        lines += [f"curl{key} -H 'Tacit-Workspace: {SAMPLE_WORKSPACE}' -G URL/v1/memory/context \\"]
        lines += ["    --data-urlencode 'user_request=How do users of the API log in?'"]
    return lines


_ADDRESS = re.compile(r"\bURL\b")


def _announce_server(url: str, about: Sequence[str], log_format: LogFormat) -> None:
    """Where to look; where the log is read by programs, one line of it."""
    said = f"Tacit listens on {url}"
    if log_format is LogFormat.JSON:
        _log.warning(said)
        return
    lines = [said, *(f"  {_ADDRESS.sub(to_local_url(url), line)}" for line in about)]
    lines += ["Ctrl-C stops it."]
    notices().print(Text("\n".join(lines), style="cyan"), soft_wrap=True)


# ui


_UI_EXTRA = "the web UI needs more than is installed; run: pip install 'tacit[server]'"


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
        raise TacitError(f"{_UI_EXTRA} ({error.name} is missing)") from error
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
    serve_ui(options, lambda own: _announce_ui(own, url))


def _announce_ui(own: str, url: str) -> None:
    lines = [f"The web UI of {url} is at {to_local_url(own)}", "Ctrl-C stops it."]
    notices().print(Text("\n".join(lines), style="cyan"), soft_wrap=True)


COMMANDS = {
    "mcp": mcp,
    "serve": serve,
    "ui": ui,
}
