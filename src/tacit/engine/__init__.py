"""The face: the one object that programs and doors call."""

from tacit.engine.conversations import Reset, SessionReport
from tacit.engine.stats import Stats
from tacit.engine.tacit import Tacit

__all__ = ["Reset", "SessionReport", "Stats", "Tacit"]
