"""`tacit hook CLIENT`: reads an event from standard input, prints what the client should show.

A prompt waits for this process, so it imports only the standard library and lets the daemon do the
work. No failure reaches the client: it gets no output then, and the exit code is 0.
"""

import json
import math
import os
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tacit.core.errors import PlaceRefused
from tacit.integrations.hooks.daemon_client import (
    DaemonAddress,
    absolute_paths,
    daemon_address,
    describe_error,
    send_request,
)

if TYPE_CHECKING:
    from subprocess import Popen


CLIENTS = ("claude-code", "codex", "gemini")

TIMEOUT_VARIABLE = "TACIT_HOOKS_SECONDS"

_SECONDS = 5.0
_LONGEST_TIMEOUT = 600.0
_SETTINGS_FOLDERS = {"claude-code": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME"}
_SHORTER_TIMEOUTS = {"SessionEnd": 1.0}
_POLL_SECONDS = 0.02
_OK = 200
_MEGABYTE = 1024 * 1024
_LONGEST_EVENT = 10 * _MEGABYTE
_LONGEST_LOG = 2 * _MEGABYTE
_USAGE_ERROR = 1
"""Not 2, which would block a prompt if a client ever saw it."""


def main(arguments: list[str]) -> None:
    """Serve one event and exit; with code 0 whenever a client called it."""
    client = arguments[0] if arguments else ""
    if sys.stdin is not None and sys.stdin.isatty():
        os.write(2, _usage(client).encode())
        os._exit(_USAGE_ERROR)
    begun = time.monotonic()
    try:
        _exit_after(_timeout(), begun)
        _serve(client, begun)
    except BaseException as error:
        _log(f"the hook failed: {describe_error(error)}")
    os._exit(0)


def _usage(client: str) -> str:
    if client in CLIENTS:
        return (
            f"{client} calls this by itself, and writes an event to standard input."
            f" To set that up: tacit install {client}\n"
        )
    return f"write: tacit hook CLIENT, where CLIENT is one of {', '.join(CLIENTS)}\n"


def _serve(client: str, begun: float) -> None:
    if client not in CLIENTS:
        _log(f"a hook was called for a client that is none of {', '.join(CLIENTS)}")
        return
    event = _read_event()
    if event is None:
        return
    seconds = timeout_for(str(event.get("hook_event_name")))
    _exit_after(seconds, begun)
    body = {
        "event": event,
        "cwd": _working_folder(),
        "user": os.environ.get("TACIT_USER") or None,
        "workspace": os.environ.get("TACIT_WORKSPACE") or "default",
        "seconds": seconds,
        "settings_folder": os.environ.get(_SETTINGS_FOLDERS.get(client, "")) or None,
    }
    answer = _handle_by_daemon(client, body, begun + seconds)
    if answer is None:
        _handle_here(client, body)
    else:
        _write(1, answer)


def timeout_for(event: str) -> float:
    """How many seconds the hook may take for an event."""
    return min(_timeout(), _SHORTER_TIMEOUTS.get(event, math.inf))


def _timeout() -> float:
    """How many seconds the hook may take at most."""
    with suppress(ValueError):
        named = float(os.environ.get(TIMEOUT_VARIABLE, _SECONDS))
        return named if 0 < named <= _LONGEST_TIMEOUT else _SECONDS
    return _SECONDS


def _exit_after(seconds: float, begun: float) -> None:
    """Exit when the time is over, whatever the process is doing."""

    def end() -> None:
        time.sleep(max(begun + seconds - time.monotonic(), 0))
        _log(f"the hook took longer than {seconds:g} seconds, and was given up")
        os._exit(0)

    threading.Thread(target=end, daemon=True).start()


def _read_event() -> dict[str, Any] | None:
    """Read the event from standard input; None if it is unusable."""
    written = b"" if sys.stdin is None else sys.stdin.buffer.read(_LONGEST_EVENT + 1)
    if len(written) > _LONGEST_EVENT:
        _log(f"an event of more than {_LONGEST_EVENT // _MEGABYTE} MB was left alone")
        return None
    try:
        event = json.loads(written)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        _log("the client wrote something that is no event")
        return None
    return event


def _working_folder() -> str | None:
    """The current folder, unless it is gone."""
    with suppress(OSError):
        return os.getcwd()  # noqa: PTH109
    return None


def _handle_by_daemon(client: str, body: dict[str, Any], end: float) -> str | None:
    """Let the daemon handle the event, started if necessary; None if it cannot be reached."""
    try:
        address = daemon_address(os.environ).ensure_folder()
    except PlaceRefused as error:
        _log(f"there is no place for the daemon: {error}")
        return None
    try:
        return _ask_daemon(address, client, body, end)
    except OSError:
        return _handle_by_new_daemon(address, client, body, end)


def _ask_daemon(address: DaemonAddress, client: str, body: dict[str, Any], end: float) -> str:
    answer = send_request(address, "POST", f"/hooks/{client}", body, seconds=end - time.monotonic())
    if answer.status != _OK:
        _log(f"the daemon refused an event ({answer.status})")
        return ""
    return str(answer.document.get("stdout") or "")


def _handle_by_new_daemon(
    address: DaemonAddress, client: str, body: dict[str, Any], end: float
) -> str | None:
    """Start a daemon and let it handle the event; None if it does not start."""
    daemon = _start_daemon()
    while not daemon.poll():
        if address.marker.exists():
            with suppress(OSError):
                return _ask_daemon(address, client, body, end)
        time.sleep(_POLL_SECONDS)
    _log("the daemon did not start; the hook works without it")
    return None


def _start_daemon() -> "Popen[bytes]":
    """Start a daemon that outlives this process and inherits only its environment."""
    from subprocess import DEVNULL, Popen

    return Popen(
        [sys.executable, "-P", "-m", "tacit", "daemon", "run"],
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        cwd=os.path.expanduser("~"),  # noqa: PTH111
        env=absolute_paths(os.environ),
        start_new_session=True,
    )


def _handle_here(client: str, body: dict[str, Any]) -> None:
    """Handle the event in this process; output of libraries is discarded."""
    out = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    from tacit.integrations.hooks.in_process import handle_in_process

    handle_in_process(client, body, lambda answer: _write(out, answer))


def _write(out: int, answer: str) -> None:
    left = answer.encode(errors="replace")
    while left:
        left = left[os.write(out, left) :]


def _log(message: str) -> None:
    """Write one line to the daemon's log, unless the log is too large."""
    with suppress(Exception):
        from tacit.runtime.files import default_log_path

        path = default_log_path()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        if os.fstat(file).st_size < _LONGEST_LOG:
            os.write(file, f"{now} WARNING {message}\n".encode(errors="replace"))
        os.close(file)
