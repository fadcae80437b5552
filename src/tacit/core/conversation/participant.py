"""Who takes part in a session, and which sessions a caller reaches who is bound to one of them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """An agent and a user, as far as they are known, that used the name of a session.

    `took_turn` is false for those that only claimed the name: a turn of theirs has begun, or they
    noted something. A context of grounded prompts is known by its key as a session is by its name.
    """

    session: str
    agent: str | None = None
    user: str | None = None
    took_turn: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "session": self.session,
            "agent": self.agent,
            "user": self.user,
            "took_turn": self.took_turn,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The agent and the user whom a caller is bound to; without either, all sessions are reached.

    A bound caller reaches what is its agent's and its user's alone.
    """

    agent: str | None = None
    user: str | None = None

    @property
    def is_everything(self) -> bool:
        """Whether the caller is not bound."""
        return self.agent is None and self.user is None

    def covers(self, participants: Collection[Participant]) -> bool:
        """Whether a session with these participants is reached."""
        agents = [(each.agent, each.took_turn) for each in participants]
        users = [(each.user, each.took_turn) for each in participants]
        return _is_alone(self.agent, agents) and _is_alone(self.user, users)

    def covers_turn(self, agent: str | None, user: str | None) -> bool:
        """Whether a turn of this agent for this user is reached."""
        return self.agent in (None, agent) and self.user in (None, user)


EVERYTHING = Reach()
"""What a caller reaches who is not bound."""


def _is_alone(name: str | None, named: Collection[tuple[str | None, bool]]) -> bool:
    """Whether nobody else took a turn or claimed anything; a claim may leave the name open."""
    if name is None:
        return True
    is_there = any(each == name for each, _ in named)
    return is_there and all(
        each == name or (each is None and not took_turn) for each, took_turn in named
    )
