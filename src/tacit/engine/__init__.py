"""The face: the one object that programs and doors call."""

from tacit.engine.tacit import Tacit

__all__ = ["Tacit"]
