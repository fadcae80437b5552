"""Commands of the hooks: the daemon (run, status, stop) and hook, which coding CLIs call."""

import logging
import os
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any

import typer

from tacit.cli import options as opt
from tacit.cli.output import console, format_time, notices, print_json
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import TacitError, Unanswered
from tacit.integrations.hooks.daemon_client import DaemonAddress, daemon_address, send_request
from tacit.integrations.hooks.sender import CLIENTS, main
from tacit.runtime.files import default_log_path
from tacit.runtime.logs import log_to_file

# daemon


_log = logging.getLogger("tacit.daemon")

_EXTRA = "the daemon needs more than is installed; run: pip install 'tacit[hooks]'"
_ASK_SECONDS = 3.0
_STOP_SECONDS = 10.0
_POLL_SECONDS = 0.05


class DaemonAction(StrEnum):
    """What can be done with the daemon."""

    RUN = "run"
    STATUS = "status"
    STOP = "stop"


def daemon(
    action: Annotated[
        DaemonAction,
        typer.Argument(
            help="run: serve hooks until there is nothing to do; status: whether it runs, since"
            " when and on what; stop: end it."
        ),
    ],
    as_json: opt.Json = False,
) -> None:
    """Run, show or stop the process behind the hooks.

    Hooks start it by themselves, and it stops by itself. The exit code of status is 1 where none
    runs.
    """
    _ACTIONS[action](daemon_address(os.environ), as_json)


def _run(address: DaemonAddress, as_json: bool) -> None:
    os.umask(0o077)
    log_to_file(default_log_path())
    try:
        was_needed = _run_here(address.ensure_folder())
    except TacitError as error:
        _log.error("the daemon cannot start: %s", error)
        raise
    except Exception:
        _log.exception("the daemon failed")
        raise
    if as_json:
        print_json({"ran": was_needed})
    elif not was_needed:
        notices().print("Another one runs already; see: tacit daemon status")


def _run_here(address: DaemonAddress) -> bool:
    try:
        from tacit.integrations.daemon import run_daemon
    except ImportError as error:
        raise TacitError(f"{_EXTRA} ({error.name} is missing)") from error
    return run_daemon(address)


def _status(address: DaemonAddress, as_json: bool) -> None:
    known = _ask_status(address)
    log = str(default_log_path())
    told = {
        "running": known is not None,
        "socket": str(address.marker),
        "log": log,
        **(known or {}),
    }
    if as_json:
        print_json(told)
    elif known is None:
        console().print("No daemon runs; a hook starts one.", style="bright_black")
        console().print(f"log       {escape_unseen(log)}", markup=False, soft_wrap=True)
    else:
        _print_status(told)
    if known is None:
        raise typer.Exit(1)


def _print_status(told: Mapping[str, Any]) -> None:
    since = format_time(datetime.fromisoformat(told["since"]))
    lines = {
        "daemon": f"process {told['pid']}, Tacit {told['version']}, since {since}",
        "events": f"{told['served']} served, none for {told['idle_seconds']} seconds",
        "socket": told["socket"],
        "database": told["database"],
        "log": told["log"],
    }
    for name, value in lines.items():
        console().print(f"{name:<9} {escape_unseen(value)}", markup=False, soft_wrap=True)


def _stop(address: DaemonAddress, as_json: bool) -> None:
    known = _ask_status(address)
    if known is not None:
        os.kill(known["pid"], signal.SIGTERM)
        _wait_for_exit(address, known["pid"])
    if as_json:
        print_json({"stopped": known is not None})
    else:
        console().print("Stopped." if known else "No daemon runs.")


def _wait_for_exit(address: DaemonAddress, pid: int) -> None:
    end = time.monotonic() + _STOP_SECONDS
    while address.marker.exists():
        if time.monotonic() > end:
            raise Unanswered(f"process {pid} takes long to stop; wait, or end it with: kill {pid}")
        time.sleep(_POLL_SECONDS)


def _ask_status(address: DaemonAddress) -> dict[str, Any] | None:
    """The daemon's status, or None if none runs."""
    with suppress(OSError):
        answer = send_request(address, "GET", "/daemon", seconds=_ASK_SECONDS)
        if answer.status != HTTPStatus.OK:
            raise Unanswered(f"the daemon answers {answer.status}; see {default_log_path()}")
        return answer.document
    return None


_ACTIONS: Mapping[DaemonAction, Callable[[DaemonAddress, bool], None]] = {
    DaemonAction.RUN: _run,
    DaemonAction.STATUS: _status,
    DaemonAction.STOP: _stop,
}


# hook, which `entry` dispatches before anything is loaded


def hook(
    client: Annotated[str, typer.Argument(help=f"Who calls: {', '.join(CLIENTS)}.")],
) -> None:
    """Serve an event of a coding CLI; the CLI calls it, not you.

    The event comes on standard input, as JSON. What the CLI should show its model goes to standard
    output, and nothing else does. The exit code is 0 whatever happens.
    """
    main([client])


COMMANDS = {
    "daemon": daemon,
    "hook": hook,
}
