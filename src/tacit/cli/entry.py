"""The console entry point: runs the command and turns failures into a message and an exit code."""

import sys

import typer

from tacit.cli.app import app
from tacit.cli.visible import visible
from tacit.errors import TacitError

BAD_INPUT = 2


def main() -> None:
    """Run `tacit` with the arguments of the process."""
    try:
        app(prog_name="tacit")
    except TacitError as error:
        typer.secho("Error: ", fg=typer.colors.RED, bold=True, err=True, nl=False)
        typer.echo(visible(str(error)), err=True)
        sys.exit(BAD_INPUT)
