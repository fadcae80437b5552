"""Which session a request belongs to, where nobody names it and where a client shares one."""

from dataclasses import dataclass

from tacit.api.model_calls.fingerprint import (
    MOST_EXCHANGES,
    digest_exchanges,
    name_conversation,
    name_new_conversation,
    name_response,
)
from tacit.api.model_calls.formats.format import ModelReply, ModelRequest
from tacit.core.messages import is_human
from tacit.language.injection_blocks import compute_anchor
from tacit.proxy.caller_names import CLAUDE_CODE, Names
from tacit.proxy.replay import ConversationReplay

_OPENING = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The session of a request.

    A new conversation has a name of its own until its first reply is known; it `will_be_renamed`
    then. An ambiguous one may be any of several: nothing that belongs to a named user is shown, and
    nothing is replayed. One that hooks serve is left to them.
    """

    session: str
    will_be_renamed: bool = False
    is_ambiguous: bool = False
    is_served_by_hooks: bool = False
    opening: str | None = None
    """Identifies the first message; set where the session is a client's, which may have several."""


def find_conversation(
    replay: ConversationReplay, names: Names, key: str, asked: ModelRequest
) -> Conversation:
    """The conversation of a request."""
    if names.session is not None:
        if names.is_coding_client:
            return _find_of_coding_client(replay, names, names.session, asked)
        return Conversation(session=names.session)
    if asked.continues is not None:
        known = replay.find(name_response(asked.continues)).opening
        return Conversation(session=known or _name(key, names, "kept", asked.continues))
    if asked.is_kept_by_provider:
        return Conversation(session=name_new_conversation(), will_be_renamed=False)
    return _find_by_fingerprint(replay, names, key, asked)


def _find_of_coding_client(
    replay: ConversationReplay, names: Names, session: str, asked: ModelRequest
) -> Conversation:
    """The session of a coding CLI, or the one beside it of an agent that it started."""
    first = next((each for each in asked.messages if is_human(each)), None)
    opening = "" if first is None else compute_anchor(first)[:_OPENING]
    known = replay.find(session)
    if known.opening is None:
        return Conversation(session=session, opening=opening, is_served_by_hooks=known.exists)
    if known.opening == opening or names.agent != CLAUDE_CODE:
        return Conversation(session=session)
    return Conversation(session=f"{session}.{opening[:8]}")


def _find_by_fingerprint(
    replay: ConversationReplay, names: Names, key: str, asked: ModelRequest
) -> Conversation:
    """The conversation that began like this one; as many exchanges count as tell it apart."""
    parts = digest_exchanges(asked.messages)
    for count in range(1, min(len(parts), MOST_EXCHANGES) + 1):
        name = _name(key, names, "chat", *parts[:count])
        if not replay.find(name).is_ambiguous:
            return Conversation(session=name)
    fresh = Conversation(
        session=name_new_conversation(), will_be_renamed=True, is_ambiguous=bool(parts)
    )
    if parts:
        return fresh
    failed = replay.find(_unanswered_name(names, key, asked)).opening
    if failed is not None and replay.find(failed).exists:
        return Conversation(session=failed, will_be_renamed=True)
    return fresh


def note_unanswered(
    replay: ConversationReplay, names: Names, key: str, asked: ModelRequest, session: str
) -> None:
    """Remember a new conversation that got no reply, so that it goes on if it is sent again."""
    replay.note_opening(_unanswered_name(names, key, asked), session)


def _unanswered_name(names: Names, key: str, asked: ModelRequest) -> str:
    said = (compute_anchor(each) for each in asked.messages if is_human(each))
    return f"unanswered.{_name(key, names, 'open', *said)}"


def name_after_reply(names: Names, key: str, asked: ModelRequest, reply: ModelReply) -> str:
    """The name of a conversation once its first reply is known."""
    return _name(key, names, "chat", *digest_exchanges(asked.messages, reply))


def note_response(replay: ConversationReplay, id: str, session: str) -> None:
    """Remember in which session a response was given, since the next request names it alone."""
    replay.note_opening(name_response(id), session)


def _name(key: str, names: Names, *parts: str) -> str:
    return name_conversation(key, names.user or "", names.project or "", *parts)
