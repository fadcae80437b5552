"""What a session is known by: its turns, the blocks it was shown, and what was in them."""

from tacit.conversation.aftermath import Aftermath
from tacit.conversation.block import Block, BlockState
from tacit.conversation.entry import Entry
from tacit.conversation.event import Event, EventKind, EventPage
from tacit.conversation.heard import Heard, HeardStage, Queued
from tacit.conversation.listed import ListedSession
from tacit.conversation.mark import Mark, MarkAuthor, Marked
from tacit.conversation.opening import ChatMessage, NotRecorded, OpenTurn, pack, unpack
from tacit.conversation.participant import EVERYTHING, Participant, Reach
from tacit.conversation.project import Checkout, ProjectMatch, ProjectPlace
from tacit.conversation.session import Session, place_of
from tacit.conversation.variable import Variable
from tacit.conversation.words import Words

__all__ = [
    "EVERYTHING",
    "Aftermath",
    "Block",
    "BlockState",
    "ChatMessage",
    "Checkout",
    "Entry",
    "Event",
    "EventKind",
    "EventPage",
    "Heard",
    "HeardStage",
    "ListedSession",
    "Mark",
    "MarkAuthor",
    "Marked",
    "NotRecorded",
    "OpenTurn",
    "Participant",
    "ProjectMatch",
    "ProjectPlace",
    "Queued",
    "Reach",
    "Session",
    "Variable",
    "Words",
    "pack",
    "place_of",
    "unpack",
]
