"""The application that the commands belong to."""

from typing import Annotated

import typer

from tacit.cli.commands import Commands
from tacit.version import __version__

app = typer.Typer(
    name="tacit",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tacit {__version__}")
        raise typer.Exit


@app.callback()
def _tacit(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """The memory your agent doesn't have to ask for."""
