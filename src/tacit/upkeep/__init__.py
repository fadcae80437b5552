"""Upkeep: what has faded is forgotten, what says the same becomes one, what is near is related."""

from tacit.upkeep.course import MOST_LOOKED_AT, Means, check_limit, keep_up
from tacit.upkeep.decay import effective_importance
from tacit.upkeep.report import Deed, Kind, UpkeepReport

__all__ = [
    "MOST_LOOKED_AT",
    "Deed",
    "Kind",
    "Means",
    "UpkeepReport",
    "check_limit",
    "effective_importance",
    "keep_up",
]
