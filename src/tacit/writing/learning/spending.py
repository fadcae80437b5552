"""What a model may cost a workspace in a day."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from tacit.store.protocols.unit import Unit

_NAME = "llm_tokens"


def left(unit: Unit, today: date, budget: int) -> int:
    """How many tokens may still be used today."""
    return budget - _spent(unit.progress.get(_NAME), today)


def spend(unit: Unit, today: date, tokens: int) -> None:
    """Note that so many more were used."""
    spent = _spent(unit.progress.get(_NAME), today)
    unit.progress.put(_NAME, {"day": today.isoformat(), "tokens": max(0, spent + tokens)})


def _spent(known: Mapping[str, Any] | None, today: date) -> int:
    if known is None or known["day"] != today.isoformat():
        return 0
    return int(known["tokens"])
