"""Which memory a message needs: none, the conversation, or the workspace's documents; and why."""

from tacit.strategy.choosing import Choice, Strategy, choose
from tacit.strategy.cues import DEFAULT, KINDS, Cues, extended

__all__ = ["DEFAULT", "KINDS", "Choice", "Cues", "Strategy", "choose", "extended"]
