"""A command at work: failures become a message and an exit code."""

import io
import json
import logging
import sys
import traceback

import typer

from tacit.cli.app import app
from tacit.cli.visible import visible
from tacit.core.errors import TacitError

FAULT = 1
BAD_INPUT = 2


def run() -> None:
    """Run what the arguments of the process name."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_VisibleFormatter())
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # our own errors say it better
    try:
        app(prog_name="tacit")
    except TacitError as error:
        _complain(error)
        sys.exit(BAD_INPUT)
    except Exception:  # a fault of ours: what its traceback quotes must not steer a terminal either
        sys.stderr.write(visible(traceback.format_exc()))
        sys.exit(FAULT)


class _VisibleFormatter(logging.Formatter):
    """What is logged where nobody configured a log: the message, which cannot steer a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record."""
        return visible(super().format(record))


def _complain(error: TacitError) -> None:
    """On standard error, as JSON where JSON was asked for."""
    if "--json" in sys.argv:
        problem = {"error": type(error).__name__, "message": str(error)}
        typer.echo(json.dumps(problem), err=True)
        return
    typer.secho("Error: ", fg=typer.colors.RED, bold=True, err=True, nl=False)
    typer.echo(visible(str(error)), err=True)
