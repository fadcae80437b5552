"""A question as an agent would ask it: what is said, for whom, and how its address tells it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from tacit.core.receipt.receipt import Receipt

NEW_SESSION = "inspector"
"""The session of a question that names none; nothing was ever shown to it."""

_LONGEST_ADDRESS = 2_000
_AFRESH = "afresh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked; `afresh` leaves out of account what the session has in view."""

    text: str = ""
    session: str = ""
    agent: str = ""
    user: str = ""
    project: str = ""
    org: str = ""
    afresh: bool = False

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Self:
        """The question that an address asks."""
        told = {name: query.get(name, "") for name in NAMES}
        return cls(**told, afresh=_AFRESH in query)

    @classmethod
    def again(cls, receipt: Receipt) -> Self:
        """What was asked in a turn, as if the session had nothing in view."""
        who = {name: getattr(receipt, name) or "" for name in WHO}
        return cls(text=receipt.query, session=receipt.session, **who, afresh=True)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said."""
        return not self.text.strip()

    def asked(self) -> dict[str, Any]:
        """What the client's `preview` is asked."""
        who = {name: value for name in WHO if (value := getattr(self, name))}
        history = () if self.afresh else None
        return {
            "session": self.session or NEW_SESSION,
            "text": self.text,
            "history": history,
            **who,
        }

    def address(self) -> dict[str, str]:
        """What the address tells of it; a very long text is left out."""
        told = {name: value for name in NAMES if (value := getattr(self, name))}
        if len(self.text) > _LONGEST_ADDRESS:
            del told["text"]
        return {**told, _AFRESH: "1"} if self.afresh else told

    def audience(self) -> str:
        """For whom it is, in a few words, and what is left out of account."""
        view = ", as if nothing were in view" if self.afresh and self.session else ""
        return f"{self.who()}{view}"

    def who(self) -> str:
        """For whom it is, in a few words."""
        named = [f"{name} {value}" for name in NAMES[1:] if (value := getattr(self, name))]
        return ", ".join(named) or "nobody by name, in a new session"


WHO = ("agent", "user", "project", "org")
NAMES = tuple(each.name for each in fields(Question) if each.name != _AFRESH)
