"""The session of a model call that names none: found by what was said, and noted after replies."""

from dataclasses import dataclass
from typing import Any

from tacit.api.model_calls.backend import CallBackend
from tacit.api.model_calls.fingerprint import (
    MOST_EXCHANGES,
    digest_exchanges,
    name_conversation,
    name_new_conversation,
    name_response,
)
from tacit.api.model_calls.formats.format import ModelReply, ModelRequest
from tacit.api.model_calls.names import CallNames

_SESSION = "call.session"
_AMBIGUOUS = "call.ambiguous"


@dataclass(frozen=True, slots=True)
class FoundSession:
    """The session of a call; a new one is noted under its fingerprint once a reply is known."""

    name: str
    is_new: bool = False


class SessionFinder:
    """Finds the sessions of conversations by their first exchanges, or by a response's id."""

    def __init__(self, tacit: CallBackend) -> None:
        self._tacit = tacit

    def find(self, names: CallNames, asked: ModelRequest) -> FoundSession:
        """The session of a call; two conversations that began alike are told apart later on."""
        if names.session is not None:
            return FoundSession(names.session)
        if asked.continues is not None:
            noted = self._tacit.sessions.variables(name_response(asked.continues)).get(_SESSION)
            return FoundSession(noted or _name(names, "kept", asked.continues))
        if asked.is_kept_by_provider:
            return FoundSession(name_new_conversation())
        parts = digest_exchanges(asked.messages)
        for count in range(1, min(len(parts), MOST_EXCHANGES) + 1):
            name = _name(names, *parts[:count])
            known = self._tacit.sessions.variables(name)
            if not known.get(_AMBIGUOUS):
                return FoundSession(known.get(_SESSION) or name)
        return FoundSession(name_new_conversation(), is_new=True)

    def note_reply(
        self, found: FoundSession, names: CallNames, asked: ModelRequest, reply: ModelReply
    ) -> None:
        """Note a new conversation by its reply."""
        if not found.is_new or not (reply.text or reply.calls):
            return
        name = _name(names, *digest_exchanges(asked.messages, reply))
        known = self._tacit.sessions.variables(name).get(_SESSION)
        noted: dict[str, Any] = {_SESSION: found.name}
        if known is not None and known != found.name:
            noted = {_AMBIGUOUS: True}
        self._tacit.sessions.set_variables(name, noted)

    def note_response(self, id: str, session: str) -> None:
        """Note in which session a response was given that a later call may continue."""
        self._tacit.sessions.set_variables(name_response(id), {_SESSION: session})


def _name(names: CallNames, *parts: str) -> str:
    return name_conversation("call", names.user or "", names.project or "", *parts)
