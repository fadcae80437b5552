"""What logs, metrics and traces share: the request id, and the figures of a receipt.

Only words of closed sets and numbers are reported, never texts or names.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import uuid4

from tacit.core.receipt import Receipt

# The current request: its log lines and its trace share its id.


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that are told apart; a client can make up any other."""

_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{1,128}")
_current: ContextVar[str | None] = ContextVar("tacit_request_id", default=None)


def new_request_id() -> str:
    """An id that no other request has."""
    return uuid4().hex


def current_request_id() -> str | None:
    """The id of the request that is being served, if one is."""
    return _current.get()


@contextmanager
def request_scope(id: str | None = None) -> Iterator[str]:
    """Serve a request under the client's id, or under a new one where that cannot be used."""
    used = id if id is not None and _ACCEPTED.fullmatch(id) else new_request_id()
    token = _current.set(used)
    try:
        yield used
    finally:
        _current.reset(token)


# What is reported of a receipt.


OTHER = "other"
TURN_PARTS = (
    "session",
    "ledger",
    "pinned",
    "search",
    "episodes",
    "vectors",
    "graph",
    "record",
    OTHER,
)
"""The parts of a turn that can be degraded."""

VERDICTS = ("learned", "known", "merged", "proposed", "restated", "unsure", "unfounded", "empty")
"""What can become of a statement that was found in a conversation."""


def outcome_of(receipt: Receipt) -> str:
    """`injected`, `nothing`, or `skipped:` and why."""
    if receipt.injected:
        return "injected"
    return "nothing" if receipt.skipped is None else f"skipped:{receipt.skipped}"


def degraded_parts(receipt: Receipt) -> tuple[str, ...]:
    """The parts that were degraded, each once, without what was wrong with them."""
    named = (_word(note.partition(":")[0]) for note in receipt.degraded)
    return tuple(dict.fromkeys(part if part in TURN_PARTS else OTHER for part in named))


def stage_seconds(receipt: Receipt) -> dict[str, float]:
    """Seconds by stage, in the order of the stages."""
    timings = receipt.timings_ms.items()
    return {_word(name): ms / 1_000 for name, ms in timings if name != _TOTAL}


def total_seconds(receipt: Receipt) -> float:
    """How long the turn took to begin."""
    return receipt.timings_ms.get(_TOTAL, 0.0) / 1_000


def _word(name: str) -> str:
    return name.replace(" ", "_")


_TOTAL = "total"
