"""A session as it stands in a list."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from tacit.core.conversation.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSession(Session):
    """A session, and whether it is left alone."""

    is_paused: bool

    @classmethod
    def of(cls, session: Session, *, is_paused: bool) -> Self:
        """What is kept of a session, beside what is kept of pauses."""
        kept = {each.name: getattr(session, each.name) for each in fields(Session)}
        return cls(**kept, is_paused=is_paused)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {**Session.to_dict(self), "paused": self.is_paused}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote."""
        return cls.of(Session.from_dict(values), is_paused=values["paused"])
