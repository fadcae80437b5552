"""The command `tacit proxy`: one provider behind a port of its own, with memory in between."""

import logging
from contextlib import closing
from functools import partial
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.configuration import live_configuration
from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.options import prepare_embedder
from tacit.cli.output import notices
from tacit.core.errors import TacitError
from tacit.core.kinds import check_choice
from tacit.runtime.addresses import to_local_url
from tacit.runtime.files import default_database_path
from tacit.runtime.logs import LogFormat, LogLevel, configure_logging
from tacit.settings.proxy import check_upstream

_log = logging.getLogger("tacit.proxy")

_EXTRA = "the proxy needs more than is installed; run: pip install 'tacit[server]'"


def proxy(
    upstream: Annotated[
        str, typer.Option(help="The provider's URL, such as https://api.openai.com.")
    ],
    provider: Annotated[
        str | None,
        typer.Option(help="openai or anthropic; else each request tells by its headers."),
    ] = None,
    user: Annotated[str | None, typer.Option(help="The user of requests that name none.")] = None,
    project: Annotated[
        str | None, typer.Option(help="The project of requests that name none.")
    ] = None,
    host: Annotated[
        str, typer.Option(envvar="TACIT_HOST", help="Where to listen; others need keys.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, envvar="TACIT_PORT", help="0 for any that is free.")
    ] = 8379,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A name that the proxy goes by, as in the address; repeat."),
    ] = None,
    log_format: Annotated[
        LogFormat, typer.Option(envvar="TACIT_LOG_FORMAT", help="text or json.")
    ] = LogFormat.TEXT,
    log_level: Annotated[
        LogLevel, typer.Option(envvar="TACIT_LOG_LEVEL", help="debug, info, warning or error.")
    ] = LogLevel.INFO,
    db: opt.Db = None,
) -> None:
    """Give programs memory by a URL in place of their provider's.

    It serves one provider at the root of its port; the REST API is under /_tacit/. `tacit serve`
    has the same under /openai/ and /anthropic/. It listens on this machine only, unless a host is
    named; then callers need keys.
    """
    try:
        from tacit.api.model_calls.formats.format import Provider
        from tacit.proxy.app import ProxyApp, ProxyOptions
        from tacit.server import serve as running
    except ImportError as error:
        raise TacitError(f"{_EXTRA} ({error.name} is missing)") from error
    serves = ProxyOptions(
        upstream=check_upstream("upstream", upstream),
        provider=None if provider is None else check_choice("provider", Provider, provider),
        user=user,
        project=project,
    )
    location = db or default_database_path()
    with (
        closing(live_configuration(None, database=location)) as live,
        Tacit.open(location, embedder=prepare_embedder(), config=live) as tacit,
    ):
        configure_logging(log_format, log_level)
        options = running.ServerOptions(host=host, port=port, hosts=tuple(allow_host or ()))
        has_keys = tacit.keys.any()
        running.serve(
            tacit,
            live,
            options,
            lambda url: _announce(url, upstream, has_keys=has_keys, log_format=log_format),
            wrap=partial(ProxyApp, options=serves),
        )


def _announce(url: str, upstream: str, *, has_keys: bool, log_format: LogFormat) -> None:
    said = f"Tacit listens on {url}"
    if log_format is LogFormat.JSON:
        _log.warning(said)
        return
    here = to_local_url(url)
    lines = [
        f"{said}, for {upstream}",
        f"  OPENAI_BASE_URL={here}/v1 or ANTHROPIC_BASE_URL={here} gives a program memory",
        f"  tacit ui --url {here}/_tacit shows what it did",
    ]
    if has_keys:
        lines.append("  keys: needed by every caller, in the header Tacit-Key")
    notices().print(Text("\n".join([*lines, "Ctrl-C stops it."]), style="cyan"), soft_wrap=True)


COMMANDS = {"proxy": proxy}
