"""The daily token budget of a model, and who reads which session with it."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from tacit.store.protocols.store import UnitOfWork

_NAME = "llm_tokens"


def tokens_left(unit: UnitOfWork, today: date, budget: int) -> int:
    """How many tokens may still be used today."""
    return budget - _spent(unit.progress.get(_NAME), today)


def record_spending(unit: UnitOfWork, today: date, tokens: int) -> None:
    """Add used tokens to the account of today."""
    spent = _spent(unit.progress.get(_NAME), today)
    unit.progress.put(_NAME, {"day": today.isoformat(), "tokens": max(0, spent + tokens)})


def _spent(known: Mapping[str, Any] | None, today: date) -> int:
    if known is None or known["day"] != today.isoformat():
        return 0
    return int(known["tokens"])


_LEASE = timedelta(minutes=5)
_LEASES = "llm_reading"


def find_leases(unit: UnitOfWork, now: datetime) -> dict[str, str]:
    """The sessions that somebody is reading now, with when they began."""
    leases = unit.progress.get(_LEASES) or {}
    since = (now - _LEASE).isoformat()
    return {session: begun for session, begun in leases.items() if begun > since}


def take_lease(unit: UnitOfWork, session: str, now: datetime) -> None:
    """Note that a session is being read."""
    unit.progress.put(_LEASES, {**find_leases(unit, now), session: now.isoformat()})


def drop_lease(unit: UnitOfWork, session: str) -> None:
    """Note that a session is no longer being read."""
    leases = dict(unit.progress.get(_LEASES) or {})
    leases.pop(session, None)
    unit.progress.put(_LEASES, leases)
