"""An episode: what was said in a conversation, as it was said, without secrets."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated

from tacit.core.fields import Id
from tacit.core.json_value import Example, JsonValue
from tacit.core.kinds import Owner, Scope, Trust
from tacit.core.memory import Memory


class EpisodeRole(StrEnum):
    """Who said it: the person, or the assistant that answered."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode(JsonValue):
    """A message of a conversation, or a passage of a long one.

    It is no memory: it has no type, importance or key, and nobody reviews it. Its user sees it, in
    its project; without a user at a server, it is seen in its session alone (`scope`).
    """

    id: Id
    session: str
    place: Annotated[int, "Its number among what was kept of the session."]
    role: EpisodeRole
    at: datetime
    text: Annotated[str, Example("we're in Hamburg now, Jonas got a job at the hospital")]
    user: str | None = None
    project: str | None = None
    agent: str | None = None
    scope: Annotated[Scope, "Who sees it: its user, or its session alone."] = Scope.USER
    trust: Trust = Trust.TRUSTED
    only_asks: Annotated[bool, "Whether it holds questions and requests alone."] = False
    turn: Annotated[str, "The receipt of the turn in which it was said."] = ""
    forgotten: bool = False


def episode_owner(user: str | None, session: str, *, is_personal: bool) -> Owner:
    """Whose what is said becomes: the user's, or the session's if nobody knows whose it is."""
    if user is None and not is_personal:
        return Scope.SESSION, session
    return Scope.USER, user or ""


_VERSION_PLACE = 14
_EPISODE_VERSION = "8"


def to_episode_id(id: str) -> str:
    """The id of an episode, from a fresh one: a UUID of version 8, where memories have 7."""
    return f"{id[:_VERSION_PLACE]}{_EPISODE_VERSION}{id[_VERSION_PLACE + 1 :]}"


def is_episode_id(id: str) -> bool:
    """Whether an id is that of an episode, so that nobody needs to look for it among memories."""
    return id[_VERSION_PLACE : _VERSION_PLACE + 1] == _EPISODE_VERSION


ONLY_ASKS = "only_asks"
"""Where the row of an episode notes that it holds a question or a request, and tells nothing."""


def only_asks(row: Memory) -> bool:
    """Whether what a row holds is a question or a request, and tells nothing."""
    return bool(row.metadata.get(ONLY_ASKS, False))
