"""How processes reach the daemon: where it listens, and one HTTP request to it.

Every hook starts here, so only the fastest parts of the standard library are imported.
"""

import json
import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from tacit.core.errors import InvalidInput, TacitError, Unanswered
from tacit.runtime.own_folder import ensure_own_folder, runtime_folder, temporary_folder
from tacit.version import __version__

# Where the daemon listens


TCP_VARIABLE = "TACIT_HOOKS_TCP"
_PATHS = ("TACIT_DB", "TACIT_CONFIG")
_OTHER_VARIABLES = ("TACIT_EMBEDDER", "HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
_LONGEST_SOCKET_PATH = 100


class DaemonAddress(NamedTuple):
    """A private folder, and the name that all files of one daemon begin with."""

    folder: Path
    name: str
    is_tcp: bool

    @property
    def socket(self) -> Path:
        """The Unix socket."""
        return self.folder / f"{self.name}.sock"

    @property
    def port_file(self) -> Path:
        """The file with port and token, where there are no Unix sockets."""
        return self.folder / f"{self.name}.json"

    @property
    def marker(self) -> Path:
        """The file that exists while the daemon listens."""
        return self.port_file if self.is_tcp else self.socket

    @property
    def lock(self) -> Path:
        """The file that a daemon locks while it runs."""
        return self.folder / f"{self.name}.lock"

    def ensure_folder(self) -> "DaemonAddress":
        """Create the folder; refuse one that others own or can enter."""
        ensure_own_folder(self.folder)
        return self


def daemon_address(environment: Mapping[str, str]) -> DaemonAddress:
    """The address of the daemon for the database and settings in this environment."""
    is_tcp = not hasattr(socket, "AF_UNIX") or environment.get(TCP_VARIABLE) == "1"
    address = DaemonAddress(
        folder=runtime_folder(environment), name=_name(environment), is_tcp=is_tcp
    )
    if not is_tcp and len(os.fsencode(address.socket)) > _LONGEST_SOCKET_PATH:
        return address._replace(folder=temporary_folder())
    return address


def absolute_paths(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with absolute paths, for a process that starts in another folder."""
    paths = {name: environment[name] for name in _PATHS if environment.get(name)}
    return {**environment, **{name: _absolute_path(path) for name, path in paths.items()}}


def _name(environment: Mapping[str, str]) -> str:
    """A name for each combination of version, database and settings."""
    known = absolute_paths(environment)
    parts = (__version__, *(known.get(name, "") for name in (*_PATHS, *_OTHER_VARIABLES)))
    told = "\0".join(parts).encode(errors="surrogateescape")
    return f"{crc32(told):08x}{crc32(told[::-1], len(told)):08x}"


def _absolute_path(path: str) -> str:
    """An absolute path; server addresses stay as they are."""
    is_path = "://" not in path and path != ":memory:"
    return str(Path(path).absolute()) if is_path else path


# One request to the daemon


_LOOPBACK = "127.0.0.1"
_CHUNK = 65_536
_LARGEST_RESPONSE = 16 * 1024 * 1024


class DaemonResponse(NamedTuple):
    """A response; a document that is no JSON object is empty."""

    status: int
    document: dict[str, Any]


def send_request(
    address: DaemonAddress,
    method: str,
    path: str,
    body: dict[str, Any] | None = None,
    *,
    seconds: float,
) -> DaemonResponse:
    """Send a request and wait for its response; OSError where nobody listens."""
    end = time.monotonic() + seconds
    line, headers = _connect(address, seconds)
    with line:
        sent = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}"
        head += f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
        line.settimeout(_time_left(end))
        line.sendall(head.encode() + sent)
        return _parse_response(_receive_all(line, end))


def _connect(address: DaemonAddress, seconds: float) -> tuple[socket.socket, str]:
    """Connect to the daemon; with the header that authorizes."""
    if address.is_tcp:
        port, token = _read_port_and_token(address)
        line = socket.create_connection((_LOOPBACK, port), timeout=seconds)
        return line, f"Authorization: Bearer {token}\r\n"
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        line.settimeout(seconds)
        line.connect(str(address.socket))
    except OSError:
        line.close()
        raise
    return line, ""


def _read_port_and_token(address: DaemonAddress) -> tuple[int, str]:
    """Read the port and the token from the daemon's file."""
    try:
        known = json.loads(address.port_file.read_bytes())
        return int(known["port"]), str(known["token"])
    except (ValueError, KeyError, TypeError):
        raise ConnectionRefusedError("the daemon has not said yet where it listens") from None


def _time_left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise Unanswered("the daemon takes too long; see its log")
    return left


def _receive_all(line: socket.socket, end: float) -> bytes:
    """Everything until the other side closes the connection."""
    pieces: list[bytes] = []
    size = 0
    while size <= _LARGEST_RESPONSE:
        line.settimeout(_time_left(end))
        try:
            piece = line.recv(_CHUNK)
        except TimeoutError:
            continue
        if not piece:
            return b"".join(pieces)
        pieces.append(piece)
        size += len(piece)
    raise Unanswered("the daemon does not end its answer; see its log")


def _parse_response(received: bytes) -> DaemonResponse:
    if not received:
        raise ConnectionResetError("the daemon ended before it answered")
    head, _, body = received.partition(b"\r\n\r\n")
    try:
        status = int(head.split(maxsplit=2)[1])
        document = json.loads(body)
    except (ValueError, IndexError):
        raise Unanswered("the daemon does not answer as it should; see its log") from None
    return DaemonResponse(status, document if isinstance(document, dict) else {})


# What hooks and daemon log of a failure


def describe_error(error: BaseException) -> str:
    """The type and place of a failure, without user text; our own errors with their message."""
    if isinstance(error, TacitError) and not isinstance(error, InvalidInput):
        return f"{type(error).__name__}: {error}"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = os.path.basename(trace.tb_frame.f_code.co_filename)  # noqa: PTH119
    return f"{type(error).__name__} in {file}, line {trace.tb_lineno}"
