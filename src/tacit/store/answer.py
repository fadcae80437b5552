"""The answer to a request, kept so that the same request again gets the same answer."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the request with this key was answered; `status` is None while it is worked on.

    `fingerprint` tells whether two requests that name one key are the same, and `at` when it was
    claimed.
    """

    key: str
    fingerprint: bytes
    at: datetime
    status: int | None = None
    body: bytes = b""
