"""What a session is known by: its turns, the blocks it was shown, and what was in them."""

from tacit.conversation.aftermath import Aftermath
from tacit.conversation.block import Block, BlockState
from tacit.conversation.entry import Entry
from tacit.conversation.event import Event, EventKind, EventPage
from tacit.conversation.heard import Heard, HeardStage, Queued
from tacit.conversation.mark import Mark
from tacit.conversation.opening import OpenTurn, pack, unpack
from tacit.conversation.session import Session, place_of
from tacit.conversation.variable import Variable

__all__ = [
    "Aftermath",
    "Block",
    "BlockState",
    "Entry",
    "Event",
    "EventKind",
    "EventPage",
    "Heard",
    "HeardStage",
    "Mark",
    "OpenTurn",
    "Queued",
    "Session",
    "Variable",
    "pack",
    "place_of",
    "unpack",
]
