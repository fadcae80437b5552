"""What memory does with one request: it begins a turn or replays blocks, and ends the turn."""

import json
import logging
import threading
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from tacit.api.model_calls.formats.format import (
    ApiFormat,
    JsonObject,
    ModelReply,
    ModelRequest,
    PlacedBlock,
)
from tacit.api.model_calls.placing import find_new_places, locate_blocks
from tacit.api.model_calls.replies import describe_exchange
from tacit.api.tacit import Tacit
from tacit.core.kinds import Scope
from tacit.core.receipt import NOTE_PROXY
from tacit.core.sessions import Placement
from tacit.proxy.caller_names import Names, is_client_task
from tacit.proxy.conversation import (
    Conversation,
    find_conversation,
    name_after_reply,
    note_response,
    note_unanswered,
)
from tacit.proxy.replay import ConversationReplay
from tacit.server.access import Caller
from tacit.server.routes.turns import record_turn
from tacit.settings.proxy import MemoryMode
from tacit.turn.commit import Turn
from tacit.turn.replay import Replay

_log = logging.getLogger("tacit.proxy")

_OF_NOBODY = tuple(scope for scope in Scope if scope is not Scope.USER)
_UNHURRIED_MS = 60_000


class MemoryStatus(StrEnum):
    """What memory did with a request, as a header of the response says."""

    INJECTED = "injected"
    REPLAYED = "replayed"
    NOTHING = "nothing"
    OBSERVED = "observed"
    OFF = "off"
    HOOKS = "hooks"
    LATE = "late"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxiedRequest:
    """A request that memory has a part in: who sends it, in which format, and what is asked."""

    caller: Caller
    format: ApiFormat
    names: Names
    asked: ModelRequest
    body: JsonObject
    mode: MemoryMode
    keeps_text: bool

    @property
    def tacit(self) -> Tacit:
        """The memory that the request reaches.

        Without keys, a coding CLI is used by the owner of the machine, who needs no name.
        """
        is_own = self.caller.key is None and self.names.is_coding_client
        return self.caller.reading if is_own else self.caller.tacit

    @property
    def whose(self) -> dict[str, Any]:
        """The names that a turn is begun with."""
        names = self.names
        return {
            "user": names.user,
            "project": names.project,
            "org": names.org,
            "agent": names.agent,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What memory made of a request: the body to send, and the turn that its reply ends."""

    status: MemoryStatus
    body: bytes | None = None
    """None: as it came."""
    session: str | None = None
    receipt: str | None = None
    turn: str | None = None
    conversation: Conversation | None = None

    @property
    def awaits_name(self) -> bool:
        """Whether the conversation is new, so that it has its name only after its first reply."""
        found = self.conversation
        return found is not None and found.will_be_renamed and not found.is_ambiguous


@dataclass(slots=True)
class GivenUp:
    """Set once nobody waits any more for what memory makes of a request."""

    _event: threading.Event = field(default_factory=threading.Event)

    def set(self) -> None:
        """Give up waiting."""
        self._event.set()

    def __bool__(self) -> bool:
        return self._event.is_set()


def recall(request: ProxiedRequest, given_up: GivenUp) -> Recall:
    """Find what belongs into a request; what is late is taken back, but recorded."""
    made = _RequestMemory(request).recall(given_up)
    if not given_up or made.turn is None or made.status is not MemoryStatus.INJECTED:
        return made
    request.tacit.turns.roll_back(made.turn)
    observed = replace(request, mode=MemoryMode.OBSERVE)
    return _RequestMemory(observed, is_patient=True).recall(GivenUp())


def end_turn(request: ProxiedRequest, made: Recall, reply: ModelReply) -> None:
    """Commit the turn of a request with its reply, once the model is done with it."""
    if made.conversation is None or made.session is None:
        return
    replay, found = ConversationReplay(request.tacit), made.conversation
    name = None
    if found.will_be_renamed and reply.is_complete and (reply.text or reply.calls):
        name = name_after_reply(request.names, request.caller.name, request.asked, reply)
    else:
        keep_unanswered(request, made)
    if made.turn is not None and (name is not None or reply.is_final):
        replay.finish(
            made.turn,
            reply.text if reply.is_final else None,
            session=name,
            note=_describe(request, reply) if reply.is_final else "",
        )
        if reply.is_final:
            request.caller.service.metrics.count_ended_turn("committed")
    if reply.id is not None and request.format.is_response_kept(request.body):
        note_response(replay, reply.id, name or made.session)


def keep_unanswered(request: ProxiedRequest, made: Recall) -> None:
    """Keep the turn of a request that got no reply: it is the same one if it is sent again."""
    if made.turn is not None and made.session is not None and made.awaits_name:
        key, replay = request.caller.name, ConversationReplay(request.tacit)
        note_unanswered(replay, request.names, key, request.asked, made.session)


def _describe(request: ProxiedRequest, reply: ModelReply) -> str:
    """What a receipt says of a turn that came through the proxy."""
    return NOTE_PROXY + describe_exchange(request.format.name, request.asked, reply)


class _RequestMemory:
    """What memory makes of one request."""

    def __init__(self, request: ProxiedRequest, *, is_patient: bool = False) -> None:
        self._request = request
        self._asked = request.asked
        self._messages = list(request.asked.messages)
        self._tacit = request.tacit
        self._replay = ConversationReplay(self._tacit)
        self._overrides = self._replay.settings(request.names.agent)
        if is_patient:
            self._overrides["deadline_ms"] = _UNHURRIED_MS
        if request.mode is MemoryMode.OBSERVE:
            self._overrides["enabled"] = False

    def recall(self, given_up: GivenUp) -> Recall:
        request = self._request
        found = find_conversation(self._replay, request.names, request.caller.name, request.asked)
        if found.is_served_by_hooks:
            return Recall(status=MemoryStatus.HOOKS, session=found.session)
        request.caller.access.claim(found.session, request.names.agent, request.names.user)
        known = self._find_replay(found)
        places = self._new_places(known)
        if given_up:
            return Recall(status=MemoryStatus.LATE)
        if not places:
            return self._finish(found, known, known.placements, MemoryStatus.REPLAYED)
        if self._asked.is_count:
            return self._finish(found, known, self._preview(found, places), MemoryStatus.REPLAYED)
        if found.opening is not None:
            self._replay.note_opening(found.session, found.opening)
        turn = self._begin(found, places)
        made = replace(known, open_turn=turn.receipt.id if turn.is_open else None)
        has_new = turn.block is not None
        status = MemoryStatus.INJECTED if has_new else MemoryStatus.REPLAYED
        done = self._finish(found, made, turn.placements, status)
        return replace(done, receipt=turn.receipt.id)

    def _find_replay(self, found: Conversation) -> Replay:
        if found.is_ambiguous:
            return Replay()
        asked = {"session": found.session, "history": tuple(self._messages), **self._request.whose}
        return self._replay.replay(
            asked, self._request.names.agent, only_open=self._asked.is_kept_by_provider
        )

    def _new_places(self, known: Replay) -> list[int]:
        """The places of what a person said last and no turn was begun for."""
        if self._asked.is_prewarm or not self._request.names.is_turn:
            return []
        places = find_new_places(self._messages, known.answered)
        is_task = any(is_client_task(self._messages[place]) for place in places)
        return [] if is_task else places

    def _begin(self, found: Conversation, places: list[int]) -> Turn:
        asked = {**self._arguments(found, places), "by": self._request.caller.speaker(None)}
        turn = self._replay.begin(asked, self._overrides)
        record_turn(self._request.caller, turn.receipt)
        return turn

    def _preview(self, found: Conversation, places: list[int]) -> tuple[Placement, ...]:
        """What a turn would show, for a request that only counts tokens."""
        prepared = self._tacit.preview(**self._arguments(found, places), **self._overrides)
        return prepared.placements

    def _arguments(self, found: Conversation, places: list[int]) -> dict[str, Any]:
        """The arguments of a turn; where it is unclear which conversation it is, it shows less."""
        is_kept = self._asked.is_kept_by_provider
        shows_less = found.is_ambiguous and self._request.names.user is not None
        return {
            "session": found.session,
            "text": [self._messages[place] for place in places],
            "history": None if is_kept else self._messages[: places[0]],
            **({"scopes": _OF_NOBODY} if shows_less else {}),
            **self._request.whose,
        }

    def _finish(
        self,
        found: Conversation,
        known: Replay,
        placements: tuple[Placement, ...],
        status: MemoryStatus,
    ) -> Recall:
        """The body with the blocks at their places."""
        is_observed = self._request.mode is MemoryMode.OBSERVE
        blocks = [] if is_observed else locate_blocks(self._messages, placements)
        if is_observed:
            status = MemoryStatus.OBSERVED
        elif not blocks:
            status = MemoryStatus.NOTHING
        return Recall(
            status=status,
            body=self._write(blocks) if blocks else None,
            session=found.session,
            turn=known.open_turn,
            conversation=found,
        )

    def _write(self, blocks: list[PlacedBlock]) -> bytes:
        changed = self._request.format.insert_blocks(
            self._request.body, blocks, keeps_text=self._request.keeps_text
        )
        return json.dumps(changed, separators=(",", ":"), allow_nan=False).encode()
