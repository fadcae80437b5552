"""Conversations: turns, sessions and their accounts, for one workspace."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tacit.api.marks import mark_for, mark_in, marks_on, unmark
from tacit.api.turn_log import tell
from tacit.api.variables import checked_variables
from tacit.api.visibility import hidden_from
from tacit.core.choice import choice
from tacit.core.conversation.block import Block, BlockState
from tacit.core.conversation.event import EventKind
from tacit.core.conversation.listed import ListedSession
from tacit.core.conversation.mark import MarkAuthor, Marked
from tacit.core.conversation.opening import NotRecorded, OpenTurn
from tacit.core.conversation.participant import EVERYTHING, Reach
from tacit.core.conversation.session import Session, place_of
from tacit.core.conversation.variable import Variable
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.memory.fields import check
from tacit.core.memory.kinds import Owner, Scope
from tacit.core.memory.owner import Viewer, owner_of
from tacit.core.messages.shape import checked
from tacit.core.messages.spoken import as_messages
from tacit.core.receipt.receipt import Receipt
from tacit.language.history.usage import Level
from tacit.language.redaction.text import redact
from tacit.language.summary.extractive import ExtractiveSummarizer
from tacit.language.summary.summarizer import Summarizer
from tacit.runtime.deadline import Deadline
from tacit.settings.config.config import Config
from tacit.settings.making import changed
from tacit.store.protocols.unit import Unit
from tacit.turn.commit import (
    CommitResult,
    LocalCommitter,
    commit_turn,
    keep_block_recognisable,
    load_commit_result,
    roll_back_turn,
)
from tacit.turn.compaction import Compaction, Compactor
from tacit.turn.open_turn import capture_reply
from tacit.turn.prepare import prepare_turn
from tacit.turn.request import TurnRequest
from tacit.turn.session_report import Reset, SessionReport
from tacit.turn.state import TurnDependencies
from tacit.turn.turn import Prepared, Turn

_log = logging.getLogger("tacit.turn")

_RECEIPTS_SHOWN = 20
_COLD_SECONDS = 1.5


class Conversations:
    """What the face offers of turns and sessions."""

    def __init__(self, means: TurnDependencies, config: Callable[[], Config]) -> None:
        self._means = means
        self._config = config
        self._said: set[str] = set()
        self._compactor = Compactor(means)
        self._is_warm = False

    def turn(self, request: TurnRequest, overrides: Mapping[str, Any]) -> Turn:
        """Begin a turn."""
        self.warm()
        config = self._config()
        settings = changed(config.injection(request.agent), overrides)
        begun = prepare_turn(self._means, request, settings, config.search)
        tell(begun.prepared.receipt)
        self._warn("memory injection", begun.prepared.receipt.degraded)
        return Turn(begun.prepared, LocalCommitter(self._means, begun.opening))

    def preview(self, request: TurnRequest, overrides: Mapping[str, Any]) -> Prepared:
        """What a turn would be, without effect."""
        self.warm()
        config = self._config()
        settings = changed(config.injection(request.agent), overrides)
        return prepare_turn(self._means, request, settings, config.search, is_preview=True).prepared

    def find_turn(self, id: str) -> OpenTurn | Receipt:
        """A turn by its id, as it waits for its end or as it was."""
        checked_id = check("id", id)
        with self._means.store.read(self._means.workspace) as unit:
            found = unit.receipts.opening(checked_id) or unit.receipts.get(checked_id)
        if found is None:
            raise no_turn(checked_id)
        return found

    def commit(self, id: str, reply: Any, *, learn: bool) -> CommitResult:
        """End a turn that any process began."""
        return self.commit_found(self.find_turn(id), reply, learn=learn)

    def commit_found(self, found: OpenTurn | Receipt, reply: Any, *, learn: bool) -> CommitResult:
        """End a turn that `find_turn` gave; one that is over stays as it is."""
        said = capture_reply(as_messages(reply, "assistant", ()))
        if isinstance(found, OpenTurn):
            heard = found.heard if learn else None
            return commit_turn(self._means, replace(found, heard=heard), said)
        with self._means.store.read(self._means.workspace) as unit:
            return load_commit_result(unit, found)

    def note_turn(self, id: str, note: str) -> bool:
        """Add a note to the receipt of a turn that is open; tells whether it was."""
        checked_id = check("id", id)
        with self._means.store.write(self._means.workspace) as unit:
            opening = unit.receipts.opening(checked_id)
            if opening is None or opening.abandoned is not None:
                return False
            receipt = replace(opening.receipt, notes=(*opening.receipt.notes, redact(note).text))
            unit.receipts.close(opening.session, opening.id)
            unit.receipts.open(replace(opening, receipt=receipt))
            return True

    def roll_back(self, id: str) -> bool:
        """Leave no trace of a turn; tells whether it was open."""
        checked_id = check("id", id)
        with self._means.store.read(self._means.workspace) as unit:
            opening = unit.receipts.opening(checked_id)
        if opening is None or opening.abandoned is not None:
            return False
        return roll_back_turn(self._means, opening.session, opening.id)

    def warm(self) -> None:
        """Load the model and the workspace, once; what cannot be loaded is left to the turns."""
        if self._is_warm:
            return
        self._is_warm = True
        try:
            load = partial(self._means.searcher.load, self._means.workspace)
            Deadline(_COLD_SECONDS).run(load, self._means.pool)
        except Exception as error:  # every turn says for itself what is missing
            _log.info("not loaded before the first turn: %s %s", type(error).__name__, error)

    def sessions(
        self, limit: int, after: str | None, reach: Reach = EVERYTHING
    ) -> list[ListedSession]:
        """The sessions that were active last and are reached."""
        size = check("limit", limit)
        place = None if after is None else place_of(after)
        with self._means.store.read(self._means.workspace) as unit:
            paused = unit.sessions.paused()
            if reach.is_everything:
                found = unit.sessions.recent(size, place)
            else:
                found = unit.sessions.recent_reached(reach, size, place)
        return [
            ListedSession.of(each, is_paused=(Scope.SESSION, each.id) in paused) for each in found
        ]

    def session(self, id: str, viewer: Viewer) -> SessionReport:
        """All that is known of one, or all that an agent may know."""
        name = check("session", id)
        with self._means.store.read(self._means.workspace) as unit:
            found = unit.sessions.get(name)
            if found is None:
                raise no_session(name)
            return SessionReport(
                session=found,
                is_paused=(Scope.SESSION, name) in unit.sessions.paused(),
                blocks=_blocks(unit, name, viewer),
                ledger=tuple(unit.ledger.of(name)),
                receipts=tuple(unit.receipts.recent(name, _RECEIPTS_SHOWN)),
            )

    def reset(self, id: str) -> Reset:
        """Let everything be injected again; blocks that still stand are taken out."""
        session = check("session", id)
        with self._means.store.write(self._means.workspace) as unit:
            cleared = self._released(unit, session)
        _log.info("reset_memory_injection_tracking: Cleared %d tracked memories", cleared)
        return Reset(session=session, cleared=cleared)

    def compact(
        self,
        session: str,
        history: Sequence[Any],
        *,
        agent: str | None,
        level: Level | str | None,
        summarizer: Summarizer | None,
        wait: bool,
        overrides: Mapping[str, Any],
    ) -> Compaction:
        """Make room in a history."""
        settings = changed(self._config().injection(agent), overrides)
        name = check("session", session)
        degraded: list[str] = []
        try:
            self._hasten(name)
        except Exception as error:  # there must be room, whatever is learned
            degraded.append(f"learning: failed ({error})")
        done = self._compactor.compact(
            name,
            checked(history),
            window=settings.context_window,
            summarizer=summarizer or ExtractiveSummarizer(),
            level=None if level is None else choice("level", Level, level),
            wait=wait,
        )
        parts = tuple(redact(part).text for part in (*degraded, *done.degraded))
        self._warn("compaction", parts)
        return replace(done, degraded=parts)

    def variables(self, id: str) -> dict[str, Any]:
        """What is noted about a session."""
        session = check("session", id)
        with self._means.store.read(self._means.workspace) as unit:
            return {each.name: each.value for each in unit.variables.of(session)}

    def set_variables(self, id: str, changes: Mapping[str, Any]) -> None:
        """Note something about a session; None notes it no longer."""
        session, now = check("session", id), self._means.clock()
        noted = [
            Variable(session=session, name=name, value=value, at=now)
            for name, value in checked_variables(changes).items()
        ]
        with self._means.store.write(self._means.workspace) as unit:
            for each in noted:
                if each.value is None:
                    unit.variables.remove(session, each.name)
                else:
                    unit.variables.put(each)

    def fork(self, id: str, into: str) -> Session:
        """A branch: the same blocks in view, a ledger of its own, and no way back."""
        source, target = check("session", id), check("into", into)
        with self._means.store.write(self._means.workspace) as unit:
            now, opened = self._means.clock(), unit.receipts.opened(source)
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
            for turn in opened:
                unit.receipts.open(turn.in_session(target, self._means.new_id()))
        return branch

    def clear(self, id: str) -> Reset:
        """The history begins anew: all may be shown again, and open turns are abandoned."""
        session = check("session", id)
        with self._means.store.write(self._means.workspace) as unit:
            opened = unit.receipts.opened(session)
            for turn in opened:
                keep_block_recognisable(unit, turn.block)
                unit.receipts.abandon(turn, NotRecorded.SESSION_CLEARED)
            cleared = self._released(unit, session)
            known = unit.sessions.get(session)
            if known is not None or opened:
                now = self._means.clock()
                found = known or Session(id=session, created_at=now, updated_at=now)
                unit.sessions.put(replace(found, cleared_at=now, clears=found.clears + 1))
        return Reset(session=session, cleared=cleared, abandoned_turns=len(opened))

    def end(self, id: str) -> int:
        """A session is over: the model, if there is one, reads what it has not read."""
        return self._hasten(check("session", id))

    def pause(self, owner: Owner) -> None:
        """Leave a session or a project alone."""
        with self._means.store.write(self._means.workspace) as unit:
            unit.sessions.pause(*owner)

    def is_paused(self, session: str, project: str | None) -> bool:
        """Whether a session or its project is left alone."""
        owners = {owner_of(session, None)}
        if project is not None:
            owners.add(owner_of(None, project))
        with self._means.store.read(self._means.workspace) as unit:
            return not owners.isdisjoint(unit.sessions.paused())

    def resume(self, owner: Owner) -> bool:
        """Serve it again; tells whether it was paused."""
        with self._means.store.write(self._means.workspace) as unit:
            return unit.sessions.resume(*owner)

    def receipts(
        self, session: str | None, limit: int, after: str | None, reach: Reach = EVERYTHING
    ) -> list[Receipt]:
        """The last receipts of a session, or of all that are reached, newest first."""
        size = check("limit", limit)
        last = None if after is None else check("id", after)
        own = None if session is None else check("session", session)
        with self._means.store.read(self._means.workspace) as unit:
            if own is None and not reach.is_everything:
                return unit.receipts.recent_reached(reach, size, last)
            return unit.receipts.recent(own, size, last)

    def receipt(self, id: str) -> Receipt:
        """One receipt."""
        checked_id = check("id", id)
        with self._means.store.read(self._means.workspace) as unit:
            found = unit.receipts.get(checked_id)
        if found is None:
            raise no_receipt(checked_id)
        return found

    def mark_irrelevant(self, receipt: str, memory: str, author: MarkAuthor) -> str:
        """Count a line against its memory for similar questions."""
        return mark_in(self._means, self.receipt(receipt), memory, author)

    def mark_irrelevant_for(self, text: str, memory: str, author: MarkAuthor) -> str:
        """Count a memory less for questions that are similar to a text."""
        return mark_for(self._means, text, memory, author)

    def marks(self, memory: str, viewer: Viewer) -> list[Marked]:
        """The marks on a memory that somebody is told of."""
        return marks_on(self._means, memory, viewer)

    def unmark(self, id: str, viewer: Viewer) -> None:
        """Take a mark back."""
        unmark(self._means, id, viewer)

    def _hasten(self, session: str) -> int:
        """Have what was said in a session read by the model soon; how many turns wait."""
        with self._means.store.write(self._means.workspace) as unit:
            waiting = unit.heard.hasten(session)
        if waiting:
            self._means.listener.heard()
        return waiting

    def _released(self, unit: Unit, session: str) -> int:
        """Take out the blocks that stand, and let everything come again; how much that frees."""
        now = self._means.clock()
        cleared = unit.ledger.release(session, None, now)
        for block in unit.blocks.standing(session):
            unit.blocks.put(replace(block, state=BlockState.DROPPED))
        if (known := unit.sessions.get(session)) is not None:
            unit.sessions.put(replace(known, cleared_at=now))
        unit.events.append(EventKind.SESSION_RESET, now, {"session": session, "cleared": cleared})
        return cleared

    def _warn(self, what: str, degraded: Sequence[str]) -> None:
        """Say each thing that is amiss once; every receipt says it again."""
        for part in degraded:
            if part not in self._said:
                self._said.add(part)
                _log.warning("%s degraded: %s", what, part)


def no_session(name: str) -> NotFound:
    """What is said where a session is not there."""
    return NotFound(f"there is no session {name!r}; sessions lists them")


def no_turn(id: str) -> NotFound:
    """What is said where a turn is not there."""
    return NotFound(
        f"there is no turn {id}: it was rolled back, never happened, or left no"
        " trace because its session was paused"
    )


def no_receipt(id: str) -> NotFound:
    """What is said where a receipt is not there."""
    return NotFound(f"there is no receipt {id}; receipts lists the last ones")


def _blocks(unit: Unit, session: str, viewer: Viewer) -> tuple[Block, ...]:
    """The blocks of a session; those with memories that are not seen without their words."""
    blocks = unit.blocks.of(session)
    if not viewer.is_bound:
        return tuple(blocks)
    shown = sorted({id for block in blocks for id in block.memories})
    private = hidden_from(viewer, unit, shown)
    return tuple(
        block if private.isdisjoint(block.memories) else block.wordless() for block in blocks
    )
