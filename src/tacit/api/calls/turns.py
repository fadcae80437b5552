"""Calls about turns: begin, preview, commit; their receipts, and marks on irrelevant memories."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from tacit.api.model_calls.placing import find_new_places, replay_settings, see_messages
from tacit.api.protocols.conversations import TurnsProtocol
from tacit.api.visibility import hidden_from
from tacit.api.warm_up import rehearse_once
from tacit.api.workspace import Part, StoreResources, WorkspaceContext
from tacit.core.episodes import is_episode_id
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.explanations import describe_problem, explain_empty_turn
from tacit.core.fields import check_field
from tacit.core.foreign_messages import restore_foreign_messages
from tacit.core.json_checks import check_json
from tacit.core.kinds import Actor, check_choice
from tacit.core.marks import Mark, MarkAuthor, Marked
from tacit.core.messages import check_history, is_human, to_messages
from tacit.core.open_turn import ChatMessage, NotRecorded, OpenTurn
from tacit.core.permissions import UNBOUND, Viewer
from tacit.core.receipt import Receipt
from tacit.language.query import MAX_MESSAGE_CHARACTERS, SearchQuery, clean_message
from tacit.language.redaction.redact import redact, redact_start
from tacit.language.tokens import find_counter
from tacit.runtime.clock import new_id, read_time
from tacit.runtime.workers import seconds_left
from tacit.settings.config import override_settings
from tacit.settings.injection import InjectionSettings
from tacit.settings.search import SearchSettings
from tacit.store.backends import open_store
from tacit.store.protocols.store import UnitOfWork
from tacit.store.workspaces import episodes_workspace
from tacit.turn.candidates import pack_distinctive_terms
from tacit.turn.commit import (
    CommitResult,
    LocalCommitter,
    Prepared,
    Turn,
    commit_turn,
    load_commit_result,
    roll_back_turn,
)
from tacit.turn.open_turn import capture_reply
from tacit.turn.prepare import prepare_turn, rebuild_turn
from tacit.turn.record import record_pending_turns
from tacit.turn.replay import BegunCall, replay_blocks
from tacit.turn.state import Trigger, TurnDependencies, TurnRequest
from tacit.writing.draft import MemoryDraft
from tacit.writing.remember import remember_all

_log = logging.getLogger("tacit.turn")

_WARM_SECONDS = 60.0
_LONGEST_NOTE = 500

_REHEARSED_MEMORIES = [
    MemoryDraft.of(fields)
    for fields in (
        {"content": "We chose PostgreSQL for the API", "type": "decision"},
        {"content": "We chose MySQL for the API", "type": "decision"},
        {"content": "Always deploy the API from main, never on Fridays", "type": "constraint"},
        {"content": "5432", "type": "fact", "key": "api.database.port"},
    )
]
_REHEARSED = TurnRequest(
    session="rehearsal",
    history=(),
    incoming=({"role": "user", "content": "Which database did we choose for the API, and why?"},),
)
_UNHURRIED = InjectionSettings(deadline_ms=60_000)


class Turns(Part, TurnsProtocol):
    """Turns from beginning to end, and their receipts.

    `log_exchange` writes what was said in a grounded prompt, and its reply, into the chat log.
    """

    log_exchange: Callable[[str, ChatMessage, Any], tuple[str, ...]]

    def begin(
        self,
        *,
        session: str,
        text: Any,
        history: Sequence[Any] | None = (),
        context: Sequence[Any] = (),
        shown: Sequence[str] = (),
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        trigger: Trigger | str = Trigger.USER,
        by: Actor | str | None = None,
        **settings: Any,
    ) -> Turn:
        asked = {
            "session": session,
            "text": text,
            "history": history,
            "context": context,
            "shown": shown,
            "agent": agent,
            "user": user,
            "project": project,
            "org": org,
            "trigger": trigger,
            "by": by,
        }
        return self.begin_turn(to_turn_request(asked), settings)

    def begin_call(
        self,
        *,
        session: str,
        messages: Sequence[Any],
        agent: str | None = None,
        user: str | None = None,
        project: str | None = None,
        org: str | None = None,
        by: Actor | str | None = None,
        kept: bool = False,
        preview: bool = False,
    ) -> BegunCall:
        seen, config = see_messages(messages), self._context.current_config()
        whose = {"session": session, "agent": agent, "user": user, "project": project, "org": org}
        overrides = replay_settings(config, agent)
        settings = override_settings(config.injection(agent), overrides)
        asked = replace(to_turn_request({**whose, "text": "", "history": seen}), incoming=())
        dependencies = self._context.turn_dependencies
        found = replay_blocks(dependencies, asked, settings, only_open=kept)
        places = find_new_places(seen, found.answered)
        if not places:  # where the provider has the question, the answers of tools come alone
            is_asked_before = kept and not any(map(is_human, seen))
            opened = found.last_open if is_asked_before else found.open_turn
            return BegunCall(placements=found.placements, turn=opened)
        history = None if kept else seen[: places[0]]
        said: dict[str, Any] = {
            **whose,
            "text": [seen[each] for each in places],
            "history": history,
            "by": by,
        }
        if preview:
            return BegunCall(placements=self.preview(**said, **overrides).placements)
        turn = self.begin_turn(to_turn_request(said), overrides)
        return BegunCall(
            placements=turn.placements,
            turn=turn.receipt.id if turn.is_open else None,
            receipt=turn.receipt,
            is_stored=turn.is_stored,
        )

    def preview(self, *, session: str, text: Any, **asked: Any) -> Prepared:
        named = {name: asked.pop(name) for name in TURN_ARGUMENTS if name in asked}
        request = replace(
            to_turn_request({"session": session, "text": text, **named}),
            is_personal=self._context.is_personal,
        )
        config = self._context.current_config()
        settings = override_settings(config.injection(request.agent), asked)
        late = self.await_warm_up(settings) if settings.enabled else ()
        prepared = prepare_turn(
            self._context.turn_dependencies,
            request,
            settings,
            config.search,
            is_preview=True,
            degraded=late,
        ).prepared
        return replace(prepared, messages=tuple(restore_foreign_messages(prepared.messages)))

    def find(self, id: str) -> OpenTurn | Receipt:
        """A turn by the id of its receipt: open, or over."""
        found = find_turn(self._context.turn_dependencies, id)
        if found is None or is_rolled_back(found):
            raise no_turn(id)
        return found

    def commit(
        self,
        id: str,
        reply: Any = (),
        *,
        learn: bool = True,
        begun: Mapping[str, Any] | None = None,
        note: str = "",
    ) -> CommitResult:
        found: OpenTurn | Receipt
        if begun is not None and find_turn(self._context.turn_dependencies, id) is None:
            found = self._rebuild_turn(id, begun)
        else:
            found = self.find(id)
        if note and isinstance(found, OpenTurn):
            notes = (*found.receipt.notes, redact_start(note, _LONGEST_NOTE).text)
            found = replace(found, receipt=replace(found.receipt, notes=notes))
        return self.commit_found(found, reply, learn=learn)

    def note(self, id: str, note: str) -> bool:
        """Add a note to the receipt of an open turn; returns whether it was open."""
        checked_id = check_field("id", id)
        record_pending_turns(self._context.turn_dependencies)
        with self._context.store.write(self._context.name) as unit:
            opening = unit.receipts.get_open_turn(checked_id)
            if opening is None or opening.abandoned is not None:
                return False
            receipt = replace(opening.receipt, notes=(*opening.receipt.notes, redact(note).text))
            unit.receipts.close_turn(opening.session, opening.id)
            unit.receipts.open_turn(replace(opening, receipt=receipt))
            return True

    def roll_back(self, id: str) -> bool:
        return roll_back_open_turn(self._context.turn_dependencies, id)

    def list(
        self, *, session: str | None = None, limit: int = 50, after: str | None = None
    ) -> Sequence[Receipt]:
        return list_receipts(self._context.turn_dependencies, session, limit, after)

    def get(self, id: str) -> Receipt:
        checked_id = check_field("id", id)
        found = self._context.read(lambda unit: unit.receipts.get(checked_id))
        if found is None:
            raise no_receipt(checked_id)
        return found

    def mark_irrelevant(
        self,
        receipt: str,
        memory: str,
        *,
        by: Actor | str = Actor.USER,
        agent: str | None = None,
        user: str | None = None,
    ) -> str:
        author = MarkAuthor.of(by, agent, user)
        account = self.get(check_field("id", receipt, "receipt"))
        return mark_in_receipt(self._context.turn_dependencies, account, memory, author)

    def mark_irrelevant_for(
        self,
        text: str,
        memory: str,
        *,
        by: Actor | str = Actor.USER,
        agent: str | None = None,
        user: str | None = None,
    ) -> str:
        author = MarkAuthor.of(by, agent, user)
        return mark_for_text(self._context.turn_dependencies, text, memory, author)

    def marks(
        self, memory: str, *, limit: int = 100, agent: str | None = None, user: str | None = None
    ) -> Sequence[Marked]:
        viewer = Viewer.of(agent, user)
        return list_marks(self._context.turn_dependencies, memory, limit, viewer)

    def unmark(self, id: str, *, agent: str | None = None, user: str | None = None) -> None:
        remove_mark(self._context.turn_dependencies, id, Viewer.of(agent, user))

    def warm(self) -> None:
        """Load everything that a turn uses, so that the first turn does not wait for it.

        It returns when that is done, or after a minute. What cannot be loaded is left to the turns.
        """
        self._context.shared.warm_ups.wait(self._context.name, self._load, _WARM_SECONDS)

    def await_warm_up(self, settings: InjectionSettings) -> tuple[str, ...]:
        """Wait for what a process loads once; returns what the receipt says if that is late.

        A host that allows less time leaves some of it to the turn.
        """
        own, bound = settings.deadline_ms / 1_000, settings.first_turn_ms / 1_000
        seconds = max(seconds_left(bound + own) - own, 0.0)
        if self._context.shared.warm_ups.wait(self._context.name, self._load, seconds):
            return ()
        return (f"first turn: late (still loading after {seconds * 1_000:.0f} ms)",)

    def _load(self) -> None:
        """Do what only the first turn does: compile patterns, open connections, start threads."""
        rehearse_once(self._rehearse)
        self._context.searcher.load(self._context.name)
        self._context.searcher.load(episodes_workspace(self._context.name))
        find_counter(self._context.current_config().injection(None).token_counter)
        search, unnoticed = self._context.current_config().search, self._context.turn_dependencies
        unnoticed = replace(unnoticed, new_id=new_id)
        prepare_turn(unnoticed, _REHEARSED, _UNHURRIED, search, is_preview=True)

    def _rehearse(self) -> None:
        """Have a whole turn in a store of its own that nobody else sees."""
        with closing(StoreResources.of(open_store(":memory:"))) as stage:
            context = WorkspaceContext(stage)
            context.write(Actor.USER, lambda author: remember_all(author, _REHEARSED_MEMORIES, {}))
            dependencies = context.turn_dependencies
            begun = prepare_turn(dependencies, _REHEARSED, _UNHURRIED, SearchSettings())
            commit_turn(dependencies, replace(begun.opening, captured=None))

    def _rebuild_turn(self, id: str, begun: Mapping[str, Any]) -> OpenTurn:
        """The open turn that these arguments began, when nothing of it could be stored."""
        if missing := [name for name in ("session", "text") if name not in begun]:
            raise InvalidInput("begun", f"has no {missing[0]}; give what the turn was begun with")
        request = to_turn_request({name: begun[name] for name in _BEGUN if name in begun})
        settings = {name: value for name, value in begun.items() if name not in _BEGUN}
        return self.rebuild(id, request, settings)

    def rebuild(self, id: str, request: TurnRequest, overrides: Mapping[str, Any]) -> OpenTurn:
        """The open turn of a request, when nothing of it could be stored."""
        checked_id = check_field("id", id)
        began = read_time(checked_id)
        if began is None:
            raise no_turn(checked_id)
        request = replace(request, is_personal=request.is_personal and self._context.is_personal)
        config = self._context.current_config()
        settings = override_settings(config.injection(request.agent), overrides)
        return rebuild_turn(
            self._context.turn_dependencies,
            request,
            settings,
            config.search,
            id=checked_id,
            began=began,
        )

    def begin_turn(
        self, request: TurnRequest, overrides: Mapping[str, Any], degraded: Sequence[str] = ()
    ) -> Turn:
        """Begin a turn; `degraded` was left out of its prompt, and was logged."""
        request = replace(request, is_personal=request.is_personal and self._context.is_personal)
        config = self._context.current_config()
        settings = override_settings(config.injection(request.agent), overrides)
        late = self.await_warm_up(settings) if settings.enabled else ()
        begun = prepare_turn(
            self._context.turn_dependencies,
            request,
            settings,
            config.search,
            degraded=(*late, *degraded),
        )
        log_turn(begun.prepared.receipt)
        parts = [each for each in begun.prepared.receipt.degraded if each not in degraded]
        self._context.warn_once(describe_problem(part, settings.deadline_ms) for part in parts)
        return Turn(begun.prepared, LocalCommitter(self._context.turn_dependencies, begun.opening))

    def commit_found(self, found: OpenTurn | Receipt, reply: Any, *, learn: bool) -> CommitResult:
        """Commit a turn that `find_turn` returned; a turn that is over stays as it is."""
        said = capture_reply(to_messages(reply, "assistant", ()))
        if not isinstance(found, OpenTurn):
            return self._context.read(lambda unit: load_commit_result(unit, found))
        heard = found.captured if learn else None
        ended = commit_turn(self._context.turn_dependencies, replace(found, captured=heard), said)
        if found.chat is None or not ended.was_open:
            return ended
        return replace(ended, degraded=self.log_exchange(found.id, found.chat, reply))


def find_turn(dependencies: TurnDependencies, id: str) -> OpenTurn | Receipt | None:
    """A turn of this workspace: open, abandoned, over, or not stored yet by this process."""
    checked_id = check_field("id", id)
    pending = dependencies.pending.get(checked_id)
    with dependencies.store.read(dependencies.workspace) as unit:
        kept = unit.receipts.get_open_turn(checked_id)
        if kept is not None and (pending is None or kept.abandoned is not None):
            return kept
        return unit.receipts.get(checked_id) or pending


def is_rolled_back(turn: OpenTurn | Receipt) -> bool:
    """Whether nothing is left of a turn but its id."""
    return isinstance(turn, OpenTurn) and turn.abandoned is NotRecorded.ROLLED_BACK


def roll_back_open_turn(dependencies: TurnDependencies, id: str) -> bool:
    """Roll back a turn; returns whether it was open."""
    found = find_turn(dependencies, id)
    if not isinstance(found, OpenTurn) or found.abandoned is not None:
        return False
    return roll_back_turn(dependencies, found, keeps_id=True)


def list_receipts(
    dependencies: TurnDependencies,
    session: str | None,
    limit: int,
    after: str | None,
    reach: Viewer = UNBOUND,
) -> list[Receipt]:
    """The last receipts of a session, or of every session within reach, newest first."""
    size = check_field("limit", limit)
    last = None if after is None else check_field("id", after, "after")
    own = None if session is None else check_field("session", session)
    with dependencies.store.read(dependencies.workspace) as unit:
        if own is None and reach.is_bound:
            return unit.receipts.recent_reached(reach, size, last)
        return unit.receipts.recent(own, size, last)


def no_turn(id: str) -> NotFound:
    """The error for a turn that does not exist."""
    return NotFound(
        f"there is no turn {id}: it was rolled back, never happened, or left no"
        " trace because its session was paused"
    )


def no_receipt(id: str) -> NotFound:
    """The error for a receipt that does not exist."""
    return NotFound(f"there is no receipt {id}; receipts lists the last ones")


# Arguments


_OPTIONAL = ("agent", "user", "project", "org", "by", "scopes", "types")

TURN_ARGUMENTS = ("history", "context", "shown", "trigger", *_OPTIONAL)
"""What says where a turn takes place, besides its session, and of what it thinks."""

_BEGUN = ("session", "text", *TURN_ARGUMENTS)


def to_turn_request(asked: Mapping[str, Any]) -> TurnRequest:
    """Check the arguments of a caller and build the request."""
    history = asked.get("history", ())
    known = None if history is None else tuple(check_history(history))
    incoming = tuple(to_messages(asked["text"], "user", known or ()))
    if not incoming:
        raise InvalidInput("text", "is empty; give what was said")
    return TurnRequest(
        session=check_field("session", asked["session"]),
        history=known,
        incoming=incoming,
        context=tuple(check_history(asked.get("context") or (), "context")),
        shown=tuple(_check_shown(asked.get("shown") or ())),
        trigger=check_choice("trigger", Trigger, asked.get("trigger", Trigger.USER)),
        **{
            name: check_field(name, asked[name])
            for name in _OPTIONAL
            if asked.get(name) is not None
        },
    )


def _check_shown(shown: Any) -> list[str]:
    """The statements that the host shows, as texts."""
    if isinstance(shown, str) or not all(isinstance(each, str) for each in shown):
        raise InvalidInput("shown", "must be a list of texts, one statement each")
    check_json("shown", list(shown))
    return [each for each in shown if each.strip()]


# Marks


def mark_in_receipt(
    dependencies: TurnDependencies, account: Receipt, memory: str, author: MarkAuthor
) -> str:
    """Mark a memory as irrelevant in a turn; returns the mark's id."""
    id = check_field("id", memory, "memory")
    if id not in {each.memory for each in account.candidates}:
        raise InvalidInput("memory", f"{id} is no candidate of receipt {account.id}")
    return _add_mark(dependencies, "receipt", account.query, id, author)


def mark_for_text(
    dependencies: TurnDependencies, text: str, memory: str, author: MarkAuthor
) -> str:
    """Mark a memory as irrelevant for questions like a text; returns the mark's id."""
    said = redact_start(check_field("text", text), MAX_MESSAGE_CHARACTERS).text
    asked = clean_message(said)
    return _add_mark(dependencies, "text", asked, check_field("id", memory, "memory"), author)


def remove_mark(dependencies: TurnDependencies, id: str, viewer: Viewer) -> None:
    """Remove a viewer's own mark on a memory that they may see."""
    checked_id = check_field("id", id)
    for workspace in (dependencies.workspace, episodes_workspace(dependencies.workspace)):
        with dependencies.store.write(workspace) as unit:
            mark = unit.marks.get(checked_id)
            if mark is not None and _may_remove(unit, mark, viewer):
                unit.marks.remove(mark)
                return
    raise NotFound(f"there is no mark {checked_id}: it was taken back, or never made")


def _may_remove(unit: UnitOfWork, mark: Mark, viewer: Viewer) -> bool:
    """Whether a mark is the viewer's own, on what they may see; who marked an episode sees it."""
    is_hidden = not is_episode_id(mark.memory) and hidden_from(viewer, unit, [mark.memory])
    return mark.author.is_removable_by(viewer) and not is_hidden


def list_marks(
    dependencies: TurnDependencies, memory: str, limit: int, viewer: Viewer
) -> list[Marked]:
    """The last marks on a memory that a viewer may see, oldest first."""
    id, most = check_field("id", memory, "memory"), check_field("limit", limit)
    with dependencies.store.read(_workspace_of(dependencies, id)) as unit:
        if not unit.memories.known([id]):
            raise NotFound(f"there is no memory {id} in workspace {dependencies.workspace!r}")
        found = [mark for mark in unit.marks.of([id]) if mark.author.is_visible_to(viewer)]
    found.sort(key=lambda mark: (mark.at, mark.id))
    return [Marked.of(mark) for mark in found[-most:]]


def _add_mark(
    dependencies: TurnDependencies, field: str, asked: str, memory: str, author: MarkAuthor
) -> str:
    terms = pack_distinctive_terms(SearchQuery.of(asked))
    if not terms:
        raise InvalidInput(field, "has no word that a similar question could be told by")
    mark = Mark(
        id=dependencies.new_id(), memory=memory, terms=terms, at=dependencies.clock(), author=author
    )
    with dependencies.store.write(_workspace_of(dependencies, memory)) as unit:
        if not unit.memories.get([memory]):
            raise NotFound(f"there is no memory {memory} in workspace {dependencies.workspace!r}")
        unit.marks.add(mark)
    return mark.id


def _workspace_of(dependencies: TurnDependencies, id: str) -> str:
    """The workspace that holds a memory or an episode, and the marks on it."""
    own = dependencies.workspace
    return episodes_workspace(own) if is_episode_id(id) else own


# The log line of a turn


def log_turn(receipt: Receipt) -> None:
    """Log what a turn injected, or why it injected nothing."""
    for each in receipt.injected:
        _log.debug("memory injected: %s %s %s %.3f", each.memory, each.type, each.found, each.score)
    for each in receipt.conflicts:
        _log.info("conflict_detected: %s and %s", each.memory, each.by)
    counts = {str(found): count for found, count in receipt.counts().items()}
    fields: Mapping[str, Any] = {
        "session": receipt.session,
        **counts,
        "total": len(receipt.injected),
        "deduped": receipt.deduped,
        "elapsed_ms": round(receipt.timings_ms.get("total", 0.0)),
    }
    _log.info("%s%s", receipt.headline, _reason_for_nothing(receipt), extra=dict(fields))


def _reason_for_nothing(receipt: Receipt) -> str:
    """Why nothing was injected, if the turn looked for memories."""
    if receipt.injected or receipt.skipped is not None:
        return ""
    return f" ({explain_empty_turn(receipt)})"
