"""Who holds which key, remembered for a moment so that not every request asks the store."""

import threading
import time
from collections.abc import Callable
from hashlib import sha256

from tacit.access import Key
from tacit.engine.keys import Keyring

_SECONDS = 1.0
_MOST = 10_000


class Keyholders:
    """The keys behind tokens; a key that was revoked opens nothing a second later."""

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
        self._are_keys: tuple[float, bool] = (float("-inf"), False)

    def remembered(self, token: str) -> tuple[bool, Key | None]:
        """Whether a token was looked up a moment ago, and the key that was found."""
        at, key = self._known.get(_name(token), (float("-inf"), None))
        return self._monotonic() - at < _SECONDS, key

    def holding(self, token: str) -> Key | None:
        """The key that a token opens."""
        key, now = self._keyring.holding(token), self._monotonic()
        with self._lock:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[_name(token)] = (now, key)
        return key

    def remembers_whether_needed(self) -> tuple[bool, bool]:
        """Whether it was looked up a moment ago if a key is needed, and what was found."""
        at, needed = self._are_keys
        return self._is_exposed or self._monotonic() - at < _SECONDS, self._is_exposed or needed

    def are_needed(self) -> bool:
        """Whether nobody comes in without a key: there is one, or others can reach the server."""
        needed = self._is_exposed or self._keyring.any()
        self._are_keys = (self._monotonic(), needed)
        return needed


def _name(token: str) -> bytes:
    return sha256(token.encode(errors="surrogatepass")).digest()
