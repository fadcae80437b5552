"""What callers ask of turns, checked."""

from collections.abc import Mapping
from typing import Any

from tacit.core.errors import InvalidInput
from tacit.core.fields import check_field
from tacit.core.json_values import check_json
from tacit.core.kinds import check_choice
from tacit.core.messages import check_history, to_messages
from tacit.turn.request import Trigger, TurnRequest

_OPTIONAL = ("agent", "user", "project", "org", "by", "scopes", "types")

PLACES = ("history", "context", "shown", "trigger", *_OPTIONAL)
"""What says where a turn takes place, besides its session, and of what it thinks."""


def make_request(asked: Mapping[str, Any]) -> TurnRequest:
    """What a caller asks, checked."""
    history = asked.get("history", ())
    known = None if history is None else tuple(check_history(history))
    incoming = tuple(to_messages(asked["text"], "user", known or ()))
    if not incoming:
        raise InvalidInput("text", "is empty; give what was said")
    return TurnRequest(
        session=check_field("session", asked["session"]),
        history=known,
        incoming=incoming,
        context=tuple(check_history(asked.get("context") or ())),
        shown=tuple(_statements(asked.get("shown") or ())),
        trigger=check_choice("trigger", Trigger, asked.get("trigger", Trigger.USER)),
        **{
            name: check_field(name, asked[name])
            for name in _OPTIONAL
            if asked.get(name) is not None
        },
    )


def _statements(shown: Any) -> list[str]:
    """What the host shows, a text each."""
    if isinstance(shown, str) or not all(isinstance(each, str) for each in shown):
        raise InvalidInput("shown", "must be a list of texts, one statement each")
    check_json("shown", list(shown))
    return [each for each in shown if each.strip()]
