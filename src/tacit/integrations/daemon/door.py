"""What a daemon listens on, so that nobody but its user comes in."""

import json
import os
import secrets
import socket
from contextlib import suppress
from pathlib import Path
from typing import Self

from tacit.integrations.hooks.place import Place

_LOOPBACK = "127.0.0.1"
_OWN = 0o600


class Door:
    """A socket, and the file by which it is found; who has the lock may make it."""

    def __init__(self, listening: socket.socket, sign: Path, token: str | None = None) -> None:
        self.listening = listening
        self.token = token
        self._sign = sign
        self._known = _identity(sign)

    @classmethod
    def at(cls, place: Place) -> Self:
        """The door at a place; what a daemon that was killed left there goes."""
        place.sign.unlink(missing_ok=True)
        return cls._over_tcp(place) if place.is_tcp else cls._over_unix(place)

    @classmethod
    def _over_unix(cls, place: Place) -> Self:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(str(place.socket))
        place.socket.chmod(_OWN)
        return cls(listening, place.socket)

    @classmethod
    def _over_tcp(cls, place: Place) -> Self:
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listening.bind((_LOOPBACK, 0))
        token = secrets.token_urlsafe(32)
        told = json.dumps({"port": listening.getsockname()[1], "token": token})
        with open(place.address, "x", opener=_own) as file:
            file.write(told)
        return cls(listening, place.address, token)

    @property
    def is_found(self) -> bool:
        """Whether those who look for it still find it, and no other."""
        return _identity(self._sign) == self._known

    def shut(self) -> None:
        """Let nobody find it any more."""
        if self.is_found:
            self._sign.unlink(missing_ok=True)

    def close(self) -> None:
        """Listen no more."""
        self.shut()
        self.listening.close()


def _own(path: str, flags: int) -> int:
    return os.open(path, flags, _OWN)


def _identity(path: Path) -> tuple[int, int] | None:
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None
