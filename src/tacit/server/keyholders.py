"""Who holds which key, remembered for a moment so that not every request asks the store."""

import threading
import time
from collections.abc import Callable
from hashlib import sha256

from tacit.api.calls.access import Keyring
from tacit.core.keys import Key

_SECONDS = 1.0
_MOST = 10_000
_NEVER = (float("-inf"), False)


class Keyholders:
    """The keys behind tokens; what another process changes counts a second later."""

    def __init__(
        self,
        keyring: Keyring,
        *,
        is_exposed: bool,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keyring = keyring
        self._is_exposed = is_exposed
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._known: dict[bytes, tuple[float, Key | None]] = {}
        self._are_keys = _NEVER
        self._forgotten = 0

    def remembered(self, token: str) -> tuple[bool, Key | None]:
        """Whether a token was looked up a moment ago, and the key that was found."""
        at, key = self._known.get(_name(token), (float("-inf"), None))
        return self._monotonic() - at < _SECONDS, key

    def holding(self, token: str) -> Key | None:
        """The key that a token opens."""
        forgotten = self._forgotten
        key, now = self._keyring.holding(token), self._monotonic()
        with self._lock:
            if len(self._known) >= _MOST:
                self._known.clear()
            if forgotten == self._forgotten:
                self._known[_name(token)] = (now, key)
        return key

    def remembers_whether_needed(self) -> tuple[bool, bool]:
        """Whether it was looked up a moment ago if a key is needed, and what was found."""
        at, needed = self._are_keys
        return self._is_exposed or self._monotonic() - at < _SECONDS, self._is_exposed or needed

    def are_needed(self) -> bool:
        """Whether nobody comes in without a key: there is one, or others can reach the server."""
        forgotten = self._forgotten
        needed = self._is_exposed or self._keyring.any()
        with self._lock:
            if forgotten == self._forgotten:
                self._are_keys = (self._monotonic(), needed)
        return needed

    def forget(self) -> None:
        """Look everything up again: a key was made or ended here.

        What is being looked up at this moment is not remembered, as it may be out of date.
        """
        with self._lock:
            self._forgotten += 1
            self._known.clear()
            self._are_keys = _NEVER


def _name(token: str) -> bytes:
    return sha256(token.encode(errors="surrogatepass")).digest()
