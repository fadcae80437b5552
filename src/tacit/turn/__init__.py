"""The turn: before every answer, what the agent needs to know, and an account of why."""

from tacit.turn.beginning import Begun, begin
from tacit.turn.compacting import Compaction, Compactor
from tacit.turn.ending import (
    Ended,
    StoredEnding,
    commit,
    ended,
    keep_recognisable,
    never_opened,
    not_recorded,
    roll_back,
)
from tacit.turn.means import Means
from tacit.turn.prepared import Prepared
from tacit.turn.report import Reset, SessionReport
from tacit.turn.request import Request, Trigger
from tacit.turn.turn import Turn

__all__ = [
    "Begun",
    "Compaction",
    "Compactor",
    "Ended",
    "Means",
    "Prepared",
    "Request",
    "Reset",
    "SessionReport",
    "StoredEnding",
    "Trigger",
    "Turn",
    "begin",
    "commit",
    "ended",
    "keep_recognisable",
    "never_opened",
    "not_recorded",
    "roll_back",
]
