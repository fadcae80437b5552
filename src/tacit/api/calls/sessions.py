"""Calls about sessions: list, reset, compact, fork, pause, end; and their variables."""

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tacit.api.protocols.conversations import SessionsProtocol
from tacit.api.visibility import hidden_from
from tacit.api.workspace import Part, WorkspaceContext
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.events import EventKind
from tacit.core.fields import check_field
from tacit.core.foreign_messages import (
    join_instructions,
    restore_foreign_messages,
    set_instructions_apart,
)
from tacit.core.json_checks import check_json
from tacit.core.kinds import Scope, check_choice
from tacit.core.messages import check_history
from tacit.core.open_turn import NotRecorded
from tacit.core.permissions import UNBOUND, Viewer, check_pause_target
from tacit.core.sessions import (
    Block,
    BlockState,
    ListedSession,
    Session,
    SessionVariable,
    parse_session_cursor,
)
from tacit.language.compaction import CompactionLevel
from tacit.language.redaction.redact import redact, redact_json
from tacit.settings.config import override_settings
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.commit import keep_blocks_recognisable
from tacit.turn.compaction import Compaction, Compactor
from tacit.turn.session_view import Reset, SessionReport
from tacit.turn.state import TurnDependencies
from tacit.turn.summarizer import ExtractiveSummarizer, Summarizer

_log = logging.getLogger("tacit.turn")

_RECEIPTS_SHOWN = 20


class Sessions(Part, SessionsProtocol):
    """Sessions: report, compact, fork, pause and clear them."""

    def __init__(self, context: WorkspaceContext) -> None:
        super().__init__(context)
        self._compactor = Compactor(context.turn_dependencies)

    def list(self, *, limit: int = 50, after: str | None = None) -> Sequence[ListedSession]:
        return list_sessions(self._context.turn_dependencies, limit, after)

    def get(self, id: str, *, agent: str | None = None, user: str | None = None) -> SessionReport:
        name, viewer = check_field("session", id), Viewer.of(agent, user)
        with self._context.store.read(self._context.name) as unit:
            found = unit.sessions.get(name)
            if found is None:
                raise no_session(name)
            return SessionReport(
                session=found,
                is_paused=(Scope.SESSION, name) in unit.sessions.paused(),
                blocks=_visible_blocks(unit, name, viewer),
                ledger=tuple(unit.ledger.of(name)),
                receipts=tuple(unit.receipts.recent(name, _RECEIPTS_SHOWN)),
            )

    def reset_memory_injection_tracking(self, session: str) -> Reset:
        name = check_field("session", session)
        with self._context.store.write(self._context.name) as unit:
            cleared = self._release(unit, name)
        _log.info("reset_memory_injection_tracking: Cleared %d tracked memories", cleared)
        return Reset(session=name, cleared=cleared)

    def clear(self, session: str) -> Reset:
        name = check_field("session", session)
        with self._context.store.write(self._context.name) as unit:
            opened = unit.receipts.open_turns(name)
            for turn in opened:
                keep_blocks_recognisable(unit, turn.blocks)
                unit.receipts.abandon_turn(turn, NotRecorded.SESSION_CLEARED)
            cleared = self._release(unit, name)
            known = unit.sessions.get(name)
            if known is not None or opened:
                now = self._context.clock()
                found = known or Session(id=name, created_at=now, updated_at=now)
                unit.sessions.put(replace(found, cleared_at=now, clears=found.clears + 1))
        return Reset(session=name, cleared=cleared, abandoned_turns=len(opened))

    def compact(
        self,
        /,
        *,
        session: str,
        history: Sequence[Any],
        agent: str | None = None,
        level: CompactionLevel | str | None = None,
        summarizer: Summarizer | None = None,
        wait: bool = True,
        **settings: Any,
    ) -> Compaction:
        chosen = override_settings(self._context.current_config().injection(agent), settings)
        name = check_field("session", session)
        degraded: list[str] = []
        try:
            self._hasten_learning(name)
        except Exception as error:  # there must be room, whatever is learned
            degraded.append(f"learning: failed ({error})")
        came = check_history(history)
        done = self._compactor.compact(
            name,
            set_instructions_apart(came),
            window=chosen.context_window,
            summarizer=summarizer or ExtractiveSummarizer(),
            level=None if level is None else check_choice("level", CompactionLevel, level),
            wait=wait,
        )
        parts = tuple(redact(part).text for part in (*degraded, *done.degraded))
        self._context.warn_once(f"compaction degraded: {part}" for part in parts)
        kept = restore_foreign_messages(join_instructions(done.messages, came))
        return replace(done, messages=tuple(kept), degraded=parts)

    def variables(self, session: str) -> dict[str, Any]:
        return read_variables(self._context.turn_dependencies, session)

    def set_variables(self, session: str, changes: Mapping[str, Any]) -> None:
        name, now = check_field("session", session), self._context.clock()
        noted = [
            SessionVariable(session=name, name=variable, value=value, at=now)
            for variable, value in check_variables(changes).items()
        ]
        with self._context.store.write(self._context.name) as unit:
            for each in noted:
                if each.value is None:
                    unit.variables.remove(name, each.name)
                else:
                    unit.variables.put(each)

    def fork(self, session: str, into: str) -> Session:
        source, target = check_field("session", session), check_field("into", into)
        with self._context.store.write(self._context.name) as unit:
            now, opened = self._context.clock(), unit.receipts.open_turns(source)
            found = unit.sessions.get(source)
            if found is None and not opened:
                raise no_session(source)
            if unit.sessions.get(target) is not None:
                raise InvalidInput("into", f"there is a session {target!r}; name a new one")
            known = found or Session(id=source, created_at=now, updated_at=now)
            branch = replace(known, id=target, created_at=now, updated_at=now)
            unit.sessions.put(branch)
            for block in unit.blocks.of(source):
                unit.blocks.put(replace(block, session=target, made_in=block.maker))
            unit.ledger.add(replace(each, session=target) for each in unit.ledger.of(source))
            for each in unit.participants.of(source):
                unit.participants.put(replace(each, session=target))
            for turn in (each for each in opened if not each.is_overtaken):
                unit.receipts.open_turn(turn.in_session(target, self._context.new_id()))
        return branch

    def pause(self, *, session: str | None = None, project: str | None = None) -> None:
        owner = check_pause_target(session, project)
        with self._context.store.write(self._context.name) as unit:
            unit.sessions.pause(*owner)

    def is_paused(self, *, session: str, project: str | None = None) -> bool:
        """Whether a session or its project is paused."""
        owners = {check_pause_target(session, None)}
        if project is not None:
            owners.add(check_pause_target(None, project))
        return self._context.read(lambda unit: not owners.isdisjoint(unit.sessions.paused()))

    def resume(self, *, session: str | None = None, project: str | None = None) -> bool:
        owner = check_pause_target(session, project)
        with self._context.store.write(self._context.name) as unit:
            return unit.sessions.resume(*owner)

    def end(self, session: str) -> int:
        waiting = self._hasten_learning(check_field("session", session))
        return waiting if self._context.current_config().writing.llm_model else 0

    def _hasten_learning(self, session: str) -> int:
        """Have the model read soon what was said in a session; returns how many turns wait."""
        with self._context.store.write(self._context.name) as unit:
            waiting = unit.heard.hasten(session)
        if waiting:
            self._context.learning.heard()
        return waiting

    def _release(self, unit: UnitOfWork, session: str) -> int:
        """Drop the blocks in view and let every memory be shown again; returns how many."""
        now = self._context.clock()
        cleared = unit.ledger.release(session, None, now)
        for block in unit.blocks.standing(session):
            unit.blocks.put(replace(block, state=BlockState.DROPPED))
        if (known := unit.sessions.get(session)) is not None:
            unit.sessions.put(replace(known, cleared_at=now))
        unit.events.append(EventKind.SESSION_RESET, now, {"session": session, "cleared": cleared})
        return cleared


def list_sessions(
    dependencies: TurnDependencies, limit: int, after: str | None, reach: Viewer = UNBOUND
) -> list[ListedSession]:
    """The sessions within reach that were active last, newest first."""
    size = check_field("limit", limit)
    place = None if after is None else parse_session_cursor(after)
    with dependencies.store.read(dependencies.workspace) as unit:
        paused = unit.sessions.paused()
        if not reach.is_bound:
            found = unit.sessions.recent(size, place)
        else:
            found = unit.sessions.recent_reached(reach, size, place)
    return [ListedSession.of(each, is_paused=(Scope.SESSION, each.id) in paused) for each in found]


def read_variables(dependencies: TurnDependencies, session: str) -> dict[str, Any]:
    """The variables that workflows set on a session."""
    name = check_field("session", session)
    with dependencies.store.read(dependencies.workspace) as unit:
        return {each.name: each.value for each in unit.variables.of(name)}


def no_session(name: str) -> NotFound:
    """The error for a session that does not exist."""
    return NotFound(f"there is no session {name!r}; sessions lists them")


def _visible_blocks(unit: UnitOfWork, session: str, viewer: Viewer) -> tuple[Block, ...]:
    """The blocks of a session; a block with hidden memories comes without its words."""
    blocks = unit.blocks.of(session)
    if not viewer.is_bound:
        return tuple(blocks)
    shown = sorted({id for block in blocks for id in block.memories})
    private = hidden_from(viewer, unit, shown)
    return tuple(
        block if private.isdisjoint(block.memories) else block.without_text() for block in blocks
    )


# Variables


INJECTED = "injected_memory_ids"
"""What a session was shown; it is read off the ledger and cannot be set."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}")
_MOST_BYTES = 50_000


def check_variables(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Check names and values of variables, and redact secrets."""
    return {
        _check_variable_name(name): _check_variable_value(name, value)
        for name, value in changes.items()
    }


def _check_variable_name(name: str) -> str:
    if name == INJECTED:
        problem = "is what the session was shown; reset_memory_injection_tracking clears it"
        raise InvalidInput(INJECTED, problem)
    if not _NAME.fullmatch(str(name)):
        raise InvalidInput("variable", f"{name!r} is no name; use letters, digits, _ . and -")
    return name


def _check_variable_value(name: str, value: Any) -> Any:
    check_json(name, value)
    try:
        written = json.dumps(value, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(name, f"must be plain JSON ({error})") from error
    if len(written) > _MOST_BYTES:
        raise InvalidInput(name, f"takes {len(written):,} bytes; keep it under {_MOST_BYTES:,}")
    return redact_json(json.loads(written))
