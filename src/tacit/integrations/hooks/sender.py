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
_COLD_SECONDS = 8.0
"""With a daemon that has to start first; the clients wait for ten."""
_LONGEST_TIMEOUT = 600.0
_SETTINGS_FOLDERS = {"claude-code": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME"}
_SHORTER_TIMEOUTS = {"SessionEnd": 1.0}
_PROMPT_EVENTS = ("UserPromptSubmit", "BeforeAgent")
_POLL_SECONDS = 0.02
_WATCH_SECONDS = 0.5
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
    attempt = _Attempt(client, _timeout())
    try:
        attempt.watch()
        _serve(attempt)
    except BaseException as error:
        attempt.give_up(f"the hook failed: {describe_error(error)}")
    os._exit(0)


class _Attempt:
    """One event on its way to memory: how long it may take, and what is kept if it fails."""

    def __init__(self, client: str, seconds: float) -> None:
        self.client = client
        self.body: dict[str, Any] = {}
        self.stage = "it read the event"
        self._begun = time.monotonic()
        self._seconds = seconds
        self._giving_up = threading.Lock()

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self._begun + self._seconds - time.monotonic()

    def limit(self, seconds: float) -> None:
        """Set how many seconds it may take in all."""
        self._seconds = seconds

    def watch(self) -> None:
        """Exit when the time is over, whatever the process is doing."""
        threading.Thread(target=self._exit_in_time, daemon=True).start()

    def give_up(self, cause: str) -> None:
        """Log why the event got no answer, and have its prompt kept; only once."""
        if not self._giving_up.acquire(blocking=False):
            time.sleep(_LONGEST_TIMEOUT)  # the other thread ends the process
        _log(cause)
        if self.body and str(self.body["event"].get("hook_event_name")) in _PROMPT_EVENTS:
            _spool(self.client, self.body, cause)

    def _exit_in_time(self) -> None:
        while (left := self.left) > 0:
            time.sleep(min(left, _WATCH_SECONDS))
        told = f"{self._seconds:g} seconds while {self.stage}"
        self.give_up(f"the hook took longer than {told}, and was given up")
        os._exit(0)


def _usage(client: str) -> str:
    if client in CLIENTS:
        return (
            f"{client} calls this by itself, and writes an event to standard input."
            f" To set that up: tacit install {client}\n"
        )
    return f"write: tacit hook CLIENT, where CLIENT is one of {', '.join(CLIENTS)}\n"


def _serve(attempt: _Attempt) -> None:
    if attempt.client not in CLIENTS:
        _log(f"a hook was called for a client that is none of {', '.join(CLIENTS)}")
        return
    event = _read_event()
    if event is None:
        return
    attempt.limit(timeout_for(str(event.get("hook_event_name"))))
    attempt.body = {
        "id": os.urandom(16).hex(),
        "event": event,
        "cwd": _working_folder(),
        "user": os.environ.get("TACIT_USER") or None,
        "workspace": os.environ.get("TACIT_WORKSPACE") or "default",
        "settings_folder": os.environ.get(_SETTINGS_FOLDERS.get(attempt.client, "")) or None,
    }
    answer = _handle_by_daemon(attempt)
    if answer is None:
        _handle_here(attempt)
    else:
        _write(1, answer)


def timeout_for(event: str, usual: float = _SECONDS) -> float:
    """How many seconds the hook may take for an event."""
    return min(_timeout(usual), _SHORTER_TIMEOUTS.get(event, math.inf))


def _timeout(usual: float = _SECONDS) -> float:
    """How many seconds the hook may take at most."""
    with suppress(ValueError):
        named = float(os.environ.get(TIMEOUT_VARIABLE, usual))
        return named if 0 < named <= _LONGEST_TIMEOUT else usual
    return usual


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


def _handle_by_daemon(attempt: _Attempt) -> str | None:
    """Let the daemon handle the event, started if necessary; None if it cannot be reached."""
    try:
        address = daemon_address(os.environ).ensure_folder()
    except PlaceRefused as error:
        _log(f"there is no place for the daemon: {error}")
        return None
    try:
        return _ask_daemon(address, attempt)
    except OSError:
        return _handle_by_new_daemon(address, attempt)


def _ask_daemon(address: DaemonAddress, attempt: _Attempt) -> str:
    attempt.stage = "the daemon handled it"
    left = attempt.left
    body, patience = {**attempt.body, "seconds": left}, left + _WATCH_SECONDS
    answer = send_request(address, "POST", f"/hooks/{attempt.client}", body, seconds=patience)
    if answer.status != _OK:
        attempt.give_up(f"the daemon refused an event ({answer.status})")
        return ""
    return str(answer.document.get("stdout") or "")


def _handle_by_new_daemon(address: DaemonAddress, attempt: _Attempt) -> str | None:
    """Start a daemon and let it handle the event; None if it does not start."""
    attempt.stage = "the daemon started"
    attempt.limit(timeout_for(str(attempt.body["event"].get("hook_event_name")), _COLD_SECONDS))
    daemon = _start_daemon()
    while not daemon.poll():
        if address.marker.exists():
            with suppress(OSError):
                return _ask_daemon(address, attempt)
        time.sleep(_POLL_SECONDS)
    _log("the daemon did not start; the hook works without it")
    return None


def _start_daemon() -> "Popen[bytes]":
    """Start a daemon that outlives this process and inherits only its environment."""
    return _start_detached("tacit", "daemon", "run")


def _spool(client: str, body: dict[str, Any], cause: str) -> None:
    """Have another process redact and keep the prompt; this one writes none of its words."""
    with suppress(Exception):
        spooler = _start_detached("tacit.integrations.hooks.prompt_spooler", is_told=True)
        if spooler.stdin is not None:
            with spooler.stdin as told:
                told.write(json.dumps({"client": client, "body": body, "cause": cause}).encode())


def _start_detached(module: str, *arguments: str, is_told: bool = False) -> "Popen[bytes]":
    from subprocess import DEVNULL, PIPE, Popen

    return Popen(
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=PIPE if is_told else DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        cwd=os.path.expanduser("~"),  # noqa: PTH111
        env=absolute_paths(os.environ),
        start_new_session=True,
    )


def _handle_here(attempt: _Attempt) -> None:
    """Handle the event in this process; output of libraries is discarded."""
    attempt.stage = "it worked without a daemon"
    out = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    from tacit.integrations.hooks.in_process import handle_in_process

    body = {**attempt.body, "seconds": attempt.left}
    handle_in_process(attempt.client, body, lambda answer: _write(out, answer))


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
