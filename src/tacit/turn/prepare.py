"""Prepares a turn: from a request to the messages to send and the receipt.

A stage that fails or misses the deadline is left out and named in the receipt; memory never fails a
turn.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from tacit.core.open_turn import CapturedTurn, OpenTurn
from tacit.core.receipt import UNFIT, Fate, Receipt, SkipReason, Unseen
from tacit.core.sessions import Session
from tacit.language.query import (
    Exchange,
    SearchQuery,
    build_query,
    recent_exchanges,
    to_weighted_text,
)
from tacit.language.redaction.redact import redact
from tacit.language.small_talk import is_low_information
from tacit.runtime.workers import Deadline
from tacit.settings.injection import InjectionSettings
from tacit.settings.search import SearchSettings
from tacit.turn.block import render_body
from tacit.turn.candidates import (
    count_unseen,
)
from tacit.turn.commit import Prepared
from tacit.turn.episodes import (
    find_withdrawn_episodes,
)
from tacit.turn.finding import CandidateFinder
from tacit.turn.open_turn import BlockBodies, build_open_turn, capture_turn
from tacit.turn.placement import BlockLayout, find_blocks_over_cap, lay_out_blocks, plan_settlement
from tacit.turn.record import LEFT_TO_COMMIT, STORED_BY_COMMIT, TurnRecorder
from tacit.turn.rules import apply_rules
from tacit.turn.session_view import SessionView, StoredSession, load_session, reconcile_history
from tacit.turn.stages import TurnStages
from tacit.turn.state import (
    TurnDependencies,
    TurnRequest,
    TurnState,
    classify_request,
)

_log = logging.getLogger("tacit.turn")

HOST_KEEPS_HISTORY = "history: kept by the host, so the cap on blocks cannot hold"
"""The note of every turn whose history the host keeps."""

_WANTED_SHARE = 0.5

_LATEST_COMMIT = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedTurn:
    """A turn that was prepared: what to send, and what its commit will write."""

    prepared: Prepared
    opening: OpenTurn


def prepare_turn(
    dependencies: TurnDependencies,
    request: TurnRequest,
    settings: InjectionSettings,
    search: SearchSettings,
    *,
    is_preview: bool = False,
    degraded: Sequence[str] = (),
) -> StartedTurn:
    """Decide what the agent should know; a preview writes nothing.

    Stages that fail or are late are left out and named in the receipt, after what was `degraded`
    before the turn.
    """
    return _TurnPreparation(dependencies, request, settings, search, is_preview, degraded).run()


def rebuild_turn(
    dependencies: TurnDependencies,
    request: TurnRequest,
    settings: InjectionSettings,
    search: SearchSettings,
    *,
    id: str,
    began: datetime,
) -> OpenTurn:
    """Build the open turn of a request that was answered, and of which nothing was stored."""
    preparation = _TurnPreparation(dependencies, request, settings, search, is_preview=False)
    return preparation.rebuild(id, began)


class _TurnPreparation:
    """The preparation of one turn: its deadline, what was degraded, and the time of each stage."""

    def __init__(
        self,
        dependencies: TurnDependencies,
        request: TurnRequest,
        settings: InjectionSettings,
        search: SearchSettings,
        is_preview: bool,
        degraded: Sequence[str] = (),
    ) -> None:
        self._is_preview = is_preview
        self._dependencies = dependencies
        self._request = request
        self._settings = settings
        self._search = search
        self._now = dependencies.clock()
        self._stages = TurnStages(
            Deadline(settings.deadline_ms / 1_000), dependencies.pool, degraded=list(degraded)
        )
        self._finder = CandidateFinder(
            dependencies, request, settings, search, self._stages, self._now
        )
        self._unseen: Unseen | None = None

    def run(self) -> StartedTurn:
        """Prepare the turn."""
        self._start_embedding()
        known = self._stages.run("session", self._load_session, None)
        view, state, skip = self._look_at(known)
        if known is not None and skip in (None, SkipReason.LOW_INFORMATION):
            found, state = self._finder.find_and_decide(state, with_search=skip is None)
            state = self._decide_again_for_leaving_blocks(view, found, state)
            if skip is None:
                self._unseen = self._count_unseen(state)
        return self._start(view, state, skip, is_known=known is not None)

    def rebuild(self, id: str, began: datetime) -> OpenTurn:
        """Build the turn without memory, for its commit; its beginning lies a day back at most."""
        if self._now - _LATEST_COMMIT < began < self._now:
            self._now = began
        view, state, skip = self._look_at(None)
        self._stages.notes.append(STORED_BY_COMMIT)
        opening, _ = self._build_opening(view, state, skip, BlockBodies(), id)
        return replace(opening, clears=None)

    def _look_at(
        self, known: StoredSession | None
    ) -> tuple[SessionView, TurnState, SkipReason | None]:
        """The session as the turn sees it, the turn before any candidate, and why it is skipped."""
        fresh = Session(id=self._request.session, created_at=self._now, updated_at=self._now)
        view = reconcile_history(
            known or StoredSession(session=fresh), self._request, self._settings
        )
        is_host_kept = self._request.history is None
        if is_host_kept and not self._is_preview:
            self._stages.notes.append(HOST_KEEPS_HISTORY)
        self._stages.end("session")
        said = self._request.context if is_host_kept else view.history
        exchanges = recent_exchanges(said)
        question = self._build_question(exchanges)
        state = TurnState(
            settings=self._settings,
            question=question,
            kind=classify_request(self._request.text),
            now=self._now,
            session=self._request.session,
            message=self._request.text,
            has_project=bool(self._request.project),
            reader=self._request.speaker,
            said=said,
            visible=self._request.visible,
            is_host_kept=is_host_kept,
            since=view.session.cleared_at,
            shown=self._request.shown,
            in_view=view.in_view,
            rules_in_view=view.rules_in_view,
        )
        return view, state, self._find_skip_reason(known, exchanges)

    def _start_embedding(self) -> None:
        """Embed the message while the session is read, if it may be searched for."""
        text = self._request.text
        is_wanted = self._settings.enabled and self._request.is_spoken
        if is_wanted and not is_low_information(text, has_context=True):
            self._dependencies.searcher.anticipate(
                self._dependencies.workspace,
                to_weighted_text(text).text,
                self._search.late_interaction,
            )

    def _load_session(self) -> StoredSession:
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            known = load_session(unit, self._request, self._now)
            try:
                known = replace(known, ledger=tuple(unit.ledger.bound(self._request.session)))
            except Exception as error:
                self._stages.degraded.append(
                    f"ledger: failed ({error}), so memories may come twice"
                )
        gone = find_withdrawn_episodes(self._dependencies, known.shown_episodes)
        return replace(known, withdrawn=known.withdrawn | gone)

    def _build_question(self, exchanges: Sequence[Exchange]) -> SearchQuery:
        context = exchanges if self._settings.context_aware_query else ()
        return build_query(self._request.text, context)

    def _find_skip_reason(
        self, known: StoredSession | None, exchanges: Sequence[Exchange]
    ) -> SkipReason | None:
        if not self._settings.enabled:
            return SkipReason.DISABLED
        if known is not None and self._request.is_paused(set(known.paused)):
            return SkipReason.PAUSED
        if not self._request.is_spoken:
            return SkipReason.SYSTEM_TURN
        substantive = any(
            exchange.answered and not is_low_information(exchange.said, has_context=False)
            for exchange in exchanges
        )
        if is_low_information(self._request.text, has_context=substantive):
            return SkipReason.LOW_INFORMATION
        return None

    def _decide_again_for_leaving_blocks(
        self, view: SessionView, found: TurnState, decided: TurnState
    ) -> TurnState:
        """Decide again if a block that must leave the history holds a memory that is wanted now."""
        if all(each.is_standing for each in decided.undecided):
            return decided
        leaving = {block.id for block in find_blocks_over_cap(view, self._settings, coming=1)}
        best = {
            is_episode: max(
                (each.score for each in decided.candidates if each.is_episode is is_episode),
                default=0.0,
            )
            for is_episode in (False, True)
        }
        wanted = {
            each.memory.id
            for each in decided.candidates
            if each.fate is Fate.SEEN_IN_WINDOW
            and each.score >= _WANTED_SHARE * best[each.is_episode]
        }
        staying = tuple(entry for entry in found.in_view if entry.block not in leaving)
        if all(entry.memory not in wanted for entry in found.in_view if entry.block in leaving):
            return decided
        return apply_rules(replace(found, in_view=staying))

    def _count_unseen(self, state: TurnState) -> Unseen | None:
        """Count memories of other owners if nothing visible was relevant.

        The count only explains the turn, so a failure degrades nothing.
        """
        is_silent = all(each.fate in UNFIT for each in state.candidates)
        if not (is_silent or self._is_preview) or self._stages.deadline.has_passed:
            return None
        try:
            return self._stages.deadline.run(
                lambda: count_unseen(self._dependencies, self._request, self._now)
            )
        except Exception as error:
            _log.info("memories of other owners were not counted: %s", error)
            return None
        finally:
            self._stages.end("unseen")

    def _start(
        self, view: SessionView, state: TurnState, skip: SkipReason | None, *, is_known: bool
    ) -> StartedTurn:
        standing = render_body(state.standing)
        bodies = BlockBodies(standing, render_body(state.sections, has_preface=not standing))
        id = self._dependencies.new_id()
        opening, layout = self._build_opening(
            view, state, skip, bodies if is_known else BlockBodies(), id
        )
        leaves_trace = skip is not SkipReason.PAUSED and not self._is_preview
        recorder = TurnRecorder(self._dependencies, opening, view)
        is_stored = not leaves_trace or (
            is_known and self._stages.run("record", recorder.write, False)
        )
        if not is_stored:
            self._stages.notes.append(LEFT_TO_COMMIT)
            # an unknown block must not be shown
            bare = replace(state, candidates=()) if opening.blocks else state
            opening, layout = self._build_opening(view, bare, skip, BlockBodies(), id)
            opening = opening if is_known else replace(opening, clears=None)
            recorder.give_up(opening)
        messages = layout.messages([*view.history, *self._request.incoming])
        self._stages.end("record")
        receipt = self._update_receipt(opening.receipt, layout)
        prepared = Prepared(
            history=self._request.history or (),
            messages=messages,
            receipt=receipt,
            blocks={block.id: block.placement.text for block in opening.blocks},
            placements=tuple(block.placement for block in layout.standing),
            leaves_trace=leaves_trace,
            is_stored=is_stored,
        )
        return StartedTurn(prepared=prepared, opening=replace(opening, receipt=receipt))

    def _build_opening(
        self,
        view: SessionView,
        state: TurnState,
        skip: SkipReason | None,
        bodies: BlockBodies,
        id: str,
    ) -> tuple[OpenTurn, BlockLayout]:
        """Build the open turn and the layout of blocks.

        A second call has the same id: a record that seemed to fail may have been kept.
        """
        opening = build_open_turn(self._request, view, state, skip, bodies, id=id, now=self._now)
        layout = lay_out_blocks(view, opening.blocks, self._settings)
        keeps_rules = self._request.visible is None
        settlement = plan_settlement(view, layout, self._settings, keeps_rules=keeps_rules)
        receipt = self._update_receipt(opening.receipt, layout)
        said = self._capture(view, id) if self._is_captured else None
        return replace(opening, receipt=receipt, settlement=settlement, captured=said), layout

    def _capture(self, view: SessionView, id: str) -> CapturedTurn | None:
        return capture_turn(self._request, view.history, id, self._now)

    @property
    def _is_captured(self) -> bool:
        return not self._is_preview and self._dependencies.listener.is_listening()

    def _update_receipt(self, receipt: Receipt, layout: BlockLayout) -> Receipt:
        """Add to the receipt what is known by now about cost and problems."""
        return replace(
            receipt,
            pruned=(*(block.id for block in layout.leaving), *layout.foreign),
            recached_tokens=layout.recached,
            degraded=tuple(redact(part).text for part in self._stages.degraded),
            notes=tuple(self._stages.notes),
            unseen=self._unseen,
            timings_ms={**self._stages.timer.wall_ms, "total": self._stages.timer.total_ms},
            cpu_ms=dict(self._stages.timer.cpu_ms),
        )
