"""`tacit hook CLIENT`: an event comes in, what the client should show goes out.

A prompt waits for this process, so it loads next to nothing, and has a daemon do the work. Nothing
that goes wrong here reaches the client: it gets no output then, and never a failure.
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
from tacit.integrations.hooks.exchange import ask
from tacit.integrations.hooks.place import Place, place_of, settled
from tacit.integrations.hooks.trouble import told

if TYPE_CHECKING:
    from subprocess import Popen


CLIENTS = ("claude-code", "codex", "gemini")

PATIENCE_VARIABLE = "TACIT_HOOKS_SECONDS"

_SECONDS = 5.0
_LONGEST_PATIENCE = 600.0
_SETTINGS_FOLDERS = {"claude-code": "CLAUDE_CONFIG_DIR", "codex": "CODEX_HOME"}
_SHORTER = {"SessionEnd": 1.0}
_POLL_SECONDS = 0.02
_OK = 200
_MEGABYTE = 1024 * 1024
_LONGEST_EVENT = 10 * _MEGABYTE
_LONGEST_LOG = 2 * _MEGABYTE
_MISUSED = 1
"""Not 2, which would block a prompt if a client ever saw it."""


def main(arguments: list[str]) -> None:
    """Serve one event; ends the process, and with 0 wherever a client has called it."""
    client = arguments[0] if arguments else ""
    if sys.stdin is not None and sys.stdin.isatty():
        os.write(2, _advice(client).encode())
        os._exit(_MISUSED)
    begun = time.monotonic()
    try:
        _watch(_patience(), begun)
        _serve(client, begun)
    except BaseException as error:
        _note(f"the hook failed: {told(error)}")
    os._exit(0)


def _advice(client: str) -> str:
    if client in CLIENTS:
        return (
            f"{client} calls this by itself, and writes an event to standard input."
            f" To set that up: tacit install {client}\n"
        )
    return f"write: tacit hook CLIENT, where CLIENT is one of {', '.join(CLIENTS)}\n"


def _serve(client: str, begun: float) -> None:
    if client not in CLIENTS:
        _note(f"a hook was called for a client that is none of {', '.join(CLIENTS)}")
        return
    event = _event()
    if event is None:
        return
    seconds = seconds_for(str(event.get("hook_event_name")))
    _watch(seconds, begun)
    body = {
        "event": event,
        "cwd": _folder(),
        "user": os.environ.get("TACIT_USER") or None,
        "workspace": os.environ.get("TACIT_WORKSPACE") or "default",
        "seconds": seconds,
        "settings_folder": os.environ.get(_SETTINGS_FOLDERS.get(client, "")) or None,
    }
    answer = _by_daemon(client, body, begun + seconds)
    if answer is None:
        _alone(client, body)
    else:
        _say(1, answer)


def seconds_for(event: str) -> float:
    """How long a client is kept waiting for an event."""
    return min(_patience(), _SHORTER.get(event, math.inf))


def _patience() -> float:
    """How long it is kept waiting at most."""
    with suppress(ValueError):
        named = float(os.environ.get(PATIENCE_VARIABLE, _SECONDS))
        return named if 0 < named <= _LONGEST_PATIENCE else _SECONDS
    return _SECONDS


def _watch(seconds: float, begun: float) -> None:
    """End the process when its time is over, whatever it does then."""

    def end() -> None:
        time.sleep(max(begun + seconds - time.monotonic(), 0))
        _note(f"the hook took longer than {seconds:g} seconds, and was given up")
        os._exit(0)

    threading.Thread(target=end, daemon=True).start()


def _event() -> dict[str, Any] | None:
    """What the client has written, if it can be used."""
    written = b"" if sys.stdin is None else sys.stdin.buffer.read(_LONGEST_EVENT + 1)
    if len(written) > _LONGEST_EVENT:
        _note(f"an event of more than {_LONGEST_EVENT // _MEGABYTE} MB was left alone")
        return None
    try:
        event = json.loads(written)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        _note("the client wrote something that is no event")
        return None
    return event


def _folder() -> str | None:
    """Where the client works, unless that folder is gone."""
    with suppress(OSError):
        return os.getcwd()  # noqa: PTH109
    return None


def _by_daemon(client: str, body: dict[str, Any], end: float) -> str | None:
    """What the daemon says, started if need be; nothing if it cannot be reached."""
    try:
        place = place_of(os.environ).made()
    except PlaceRefused as error:
        _note(f"there is no place for the daemon: {error}")
        return None
    try:
        return _asked(place, client, body, end)
    except OSError:
        return _by_new_daemon(place, client, body, end)


def _asked(place: Place, client: str, body: dict[str, Any], end: float) -> str:
    answer = ask(place, "POST", f"/hooks/{client}", body, seconds=end - time.monotonic())
    if answer.status != _OK:
        _note(f"the daemon refused an event ({answer.status})")
        return ""
    return str(answer.document.get("stdout") or "")


def _by_new_daemon(place: Place, client: str, body: dict[str, Any], end: float) -> str | None:
    """The same of one that is started now; nothing if it fails, since waiting loads it once."""
    daemon = _started()
    while not daemon.poll():
        if place.sign.exists():
            with suppress(OSError):
                return _asked(place, client, body, end)
        time.sleep(_POLL_SECONDS)
    _note("the daemon did not start; the hook works without it")
    return None


def _started() -> "Popen[bytes]":
    """A daemon that outlives this process and has nothing of it but the environment."""
    from subprocess import DEVNULL, Popen

    return Popen(
        [sys.executable, "-P", "-m", "tacit", "daemon", "run"],
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=DEVNULL,
        cwd=os.path.expanduser("~"),  # noqa: PTH111
        env=settled(os.environ),
        start_new_session=True,
    )


def _alone(client: str, body: dict[str, Any]) -> None:
    """Do the work in this process; what libraries print meanwhile reaches nobody."""
    out = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    from tacit.integrations.hooks.alone import work

    work(client, body, lambda answer: _say(out, answer))


def _say(out: int, answer: str) -> None:
    left = answer.encode(errors="replace")
    while left:
        left = left[os.write(out, left) :]


def _note(message: str) -> None:
    """One line in the log of the daemon, unless nobody has read it for long."""
    with suppress(Exception):
        from tacit.runtime.files.locations import log_file

        path = log_file()
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        if os.fstat(file).st_size < _LONGEST_LOG:
            os.write(file, f"{now} WARNING {message}\n".encode(errors="replace"))
        os.close(file)
