"""The command that offers memory to agents as tools."""

import os
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.text import Text

from tacit.api.configuration import live_configuration
from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.output import notices
from tacit.core.errors import InvalidInput, TacitError
from tacit.embedding.minilm.model_files import ModelCache
from tacit.integrations.hooks.project import find_project, read_checkout
from tacit.runtime.addresses import is_loopback
from tacit.runtime.files import machine_name
from tacit.runtime.logs import LogFormat, LogLevel, configure_logging

_DEFAULT = "default"
_EXTRA = "the MCP server needs more than is installed; run: pip install 'tacit[mcp]'"


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
    workspace: opt.Workspace = _DEFAULT,
) -> None:
    """Offer memory to an agent as MCP tools.

    Coding CLIs start it themselves. The project is that of the current folder; with --url it is the
    path of the folder, since a server knows no places. TACIT_AGENT and TACIT_USER say who asks.
    """
    try:
        from tacit.integrations.mcp.caller import McpCaller
        from tacit.integrations.mcp.server import HttpOptions, serve_http, serve_stdio
    except ImportError as error:
        raise TacitError(f"{_EXTRA} ({error.name} is missing)") from error
    if http and url:
        raise InvalidInput("url", "leave out --http, or start it where the memories are")
    configure_logging(LogFormat.TEXT, LogLevel.WARNING)
    who = McpCaller(
        agent=os.environ.get("TACIT_AGENT") or None, user=os.environ.get("TACIT_USER") or None
    )
    folder = Path.cwd()
    if url:
        place = replace(who, project=project or _remote_project(url, folder))
        named = None if workspace == _DEFAULT else workspace
        with Tacit.connect(url, workspace=named) as remote:
            serve_stdio(remote, place, read_only=read_only)
        return
    with (
        closing(live_configuration(None)) as live,
        Tacit.open(db, workspace, embedder=_embedder(), config=live) as tacit,
    ):
        place = replace(who, project=project, find_project=lambda: find_project(tacit, folder).id)
        if project is None:
            _tell(find_project(tacit, folder).notice)
        if http:
            options = HttpOptions(host=host, port=port, read_only=read_only)
            serve_http(tacit, place, options, lambda: live.current().server, _announce)
        else:
            serve_stdio(tacit, place, read_only=read_only)


def _embedder() -> str:
    """The embedder that is named; a client does not wait for a model to be fetched."""
    name = os.environ.get("TACIT_EMBEDDER") or "minilm"
    if name != "minilm" or ModelCache.of_user().is_complete():
        return name
    notices().print("Going on without vectors; tacit model pull gets the model.", markup=False)
    return "none"


def _remote_project(url: str, folder: Path) -> str:
    """A folder as a server knows it, which others may use who have folders of the same path."""
    path = read_checkout(folder).path
    return path if is_loopback(urlsplit(url).hostname or "") else f"{machine_name()}:{path}"


def _tell(notice: str) -> None:
    if notice:
        notices().print(notice, markup=False, soft_wrap=True)


def _announce(url: str) -> None:
    notices().print(Text(f"Tacit listens on {url}\nCtrl-C stops it.", style="cyan"), soft_wrap=True)


COMMANDS = {"mcp": mcp}
