"""Browser sessions: which browser signed in with which key.

Keys stay in the memory of this process and are never written anywhere.
"""

import secrets
import time
from collections import Counter
from dataclasses import dataclass, replace
from threading import Lock

from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import NotAllowed, TacitError
from tacit.core.keys import parse_key_id

_IDLE_SECONDS = 12 * 3600
_MAX_SESSIONS = 1_000
_MAX_SESSIONS_PER_KEY = 20


@dataclass(frozen=True, slots=True)
class _BrowserSession:
    """A signed-in browser: the id of its key, its client, and when it was last seen."""

    key: str
    tacit: RemoteTacit
    seen: float


class BrowserSessions:
    """Browsers that signed in, by a random token; idle ones are dropped."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._anonymous = RemoteTacit.connect(url, key="")
        self._sessions: dict[str, _BrowserSession] = {}
        self._lock = Lock()

    def client_for(self, token: str | None) -> RemoteTacit:
        """The client of a browser; one without a key if the browser has not signed in."""
        with self._lock:
            self._forget_idle()
            session = self._sessions.get(token or "")
            if token is None or session is None:
                return self._anonymous
            self._sessions[token] = replace(session, seen=time.monotonic())
            return session.tacit

    def sign_in(self, key: str) -> str:
        """Check a key with the server, and return the token of a new session."""
        id = parse_key_id(key.strip())
        if id is None:
            raise NotAllowed("this is no key of Tacit; one looks like tacit_…")
        tacit = RemoteTacit.connect(self._url, key.strip())
        try:
            tacit.server.status()
        except TacitError:
            tacit.close()
            raise
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._sessions[token] = _BrowserSession(id, tacit, time.monotonic())
            self._forget_idle()
        return token

    def sign_out(self, token: str | None) -> None:
        """End the session of a browser."""
        with self._lock:
            session = self._sessions.pop(token or "", None)
        if session is not None:
            session.tacit.close()

    def close(self) -> None:
        """End all sessions."""
        for token in list(self._sessions):
            self.sign_out(token)
        self._anonymous.close()

    def _forget_idle(self) -> None:
        """Drop idle sessions, and the least recent ones above the limits."""
        until, left = time.monotonic() - _IDLE_SECONDS, _MAX_SESSIONS
        kept: Counter[str] = Counter()
        for token, session in sorted(self._sessions.items(), key=_last_seen, reverse=True):
            if session.seen >= until and left and kept[session.key] < _MAX_SESSIONS_PER_KEY:
                kept[session.key] += 1
                left -= 1
            else:
                self._sessions.pop(token).tacit.close()


def _last_seen(each: tuple[str, _BrowserSession]) -> float:
    return each[1].seen
