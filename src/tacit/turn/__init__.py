"""The turn: before every answer, what the agent needs to know, and an account of why."""

from tacit.turn.beginning import Prepared, begin
from tacit.turn.compacting import Compaction, Compactor
from tacit.turn.ending import commit, roll_back
from tacit.turn.means import Means
from tacit.turn.request import Request, Trigger
from tacit.turn.turn import Turn

__all__ = [
    "Compaction",
    "Compactor",
    "Means",
    "Prepared",
    "Request",
    "Trigger",
    "Turn",
    "begin",
    "commit",
    "roll_back",
]
