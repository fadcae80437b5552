"""Conversations whose blocks the client behind a proxy does not send back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tacit.api.calls.turns import find_turn, to_turn_request
from tacit.api.model_calls.placing import replay_settings
from tacit.api.tacit import Tacit
from tacit.core.open_turn import OpenTurn
from tacit.core.sessions import SessionVariable
from tacit.language.redaction.redact import redact
from tacit.settings.config import override_settings
from tacit.turn.commit import CommitResult, Turn
from tacit.turn.record import record_pending_turns
from tacit.turn.replay import Replay, move_open_turn, replay_blocks
from tacit.turn.state import TurnRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownSession:
    """What is known of a session by its name; `opening` identifies its first message."""

    exists: bool = False
    opening: str | None = None
    is_ambiguous: bool = False


class ConversationReplay:
    """Finds conversations again, replays their blocks, and ends their turns."""

    _OPENING = "proxy.opening"
    _AMBIGUOUS = "proxy.ambiguous"

    def __init__(self, tacit: Tacit) -> None:
        self._turns = tacit.turns
        self._context = tacit._context  # noqa: SLF001
        self._dependencies = self._context.turn_dependencies

    def settings(self, agent: str | None) -> dict[str, Any]:
        """The settings that turns of such a conversation override: which blocks stay."""
        return replay_settings(self._context.current_config(), agent)

    def deadline_seconds(self, agent: str | None) -> float:
        """How long a turn of this agent may wait for memory."""
        config = self._context.current_config()
        return config.injection(agent).deadline_ms / 1_000

    def find(self, session: str) -> KnownSession:
        """What is known of a session."""
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            noted = {each.name: each.value for each in unit.variables.of(session)}
            exists = unit.sessions.get(session) is not None or bool(
                unit.receipts.open_turns(session)
            )
        return KnownSession(
            exists=exists,
            opening=noted.get(self._OPENING),
            is_ambiguous=bool(noted.get(self._AMBIGUOUS)),
        )

    def note_opening(self, session: str, opening: str) -> None:
        """Remember by which message a session of the proxy began."""
        self._set(session, self._OPENING, opening)

    def replay(
        self, asked: Mapping[str, Any], agent: str | None, *, only_open: bool = False
    ) -> Replay:
        """The blocks that stand in a conversation; its messages are the `history` asked with."""
        request = TurnRequest(incoming=(), **asked)
        config = self._context.current_config()
        settings = override_settings(config.injection(agent), self.settings(agent))
        return replay_blocks(self._dependencies, request, settings, only_open=only_open)

    def begin(self, asked: Mapping[str, Any], settings: Mapping[str, Any]) -> Turn:
        """Begin a turn; unlike `Tacit.turn` it may be limited to `scopes`."""
        return self._turns.begin_turn(to_turn_request(asked), settings)

    def finish(
        self, id: str, reply: str | None, *, session: str | None = None, note: str = ""
    ) -> CommitResult | None:
        """Commit a turn under the name that its conversation has now; None if it is over.

        Without a reply it stays open. A name that another conversation has already stands for two:
        it is used by none from then on.
        """
        found = self._prepare_end(id, session, redact(note).text)
        if found is None or reply is None:
            return None
        return self._turns.commit(id, reply or ())

    def _prepare_end(self, id: str, session: str | None, note: str) -> OpenTurn | None:
        """Note on an open turn how it went, and move it to its session."""
        record_pending_turns(self._dependencies)
        if not isinstance(find_turn(self._dependencies, id), OpenTurn):
            return None
        is_taken = session is not None and self.find(session).exists
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            turn = unit.receipts.get_open_turn(id)
            if turn is None or turn.abandoned is not None:
                return None
            notes = (*turn.receipt.notes, *([note] if note else []))
            noted = replace(turn, receipt=replace(turn.receipt, notes=notes))
            if session is not None and not is_taken:
                return move_open_turn(unit, noted, session)
            unit.receipts.close_turn(turn.session, turn.id)
            unit.receipts.open_turn(noted)
        if session is not None and is_taken:
            self._set(session, self._AMBIGUOUS, True)
        return noted

    def _set(self, session: str, name: str, value: Any) -> None:
        at = self._dependencies.clock()
        with self._dependencies.store.write(self._dependencies.workspace) as unit:
            unit.variables.put(SessionVariable(session=session, name=name, value=value, at=at))
