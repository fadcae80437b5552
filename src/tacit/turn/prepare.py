"""Prepares a turn: from a request to the messages to send and the receipt.

A stage that fails or misses the deadline is left out and named in the receipt; memory never fails a
turn.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tacit.core.open_turn import OpenTurn
from tacit.core.receipt import CandidateSource, Fate, Receipt, SkipReason, Unseen
from tacit.core.sessions import Session
from tacit.language.query import (
    Exchange,
    SearchQuery,
    build_query,
    is_low_information,
    recent_exchanges,
    to_weighted_text,
)
from tacit.language.redaction.redact import redact
from tacit.runtime.clock import StageTimer
from tacit.runtime.workers import Deadline
from tacit.search.searcher import NO_EMBEDDER
from tacit.settings.injection import InjectionSettings
from tacit.settings.search import SearchSettings
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.block import render_body
from tacit.turn.candidates import (
    CANDIDATES_PER_HIT,
    MOST_CANDIDATES,
    add_rivals,
    add_vectors,
    count_unseen,
    find_facts,
    find_pinned,
    score_hits,
    search_candidates,
)
from tacit.turn.open_turn import TurnRecorder, build_open_turn, capture_turn
from tacit.turn.placement import BlockLayout, find_blocks_over_cap, lay_out_blocks, plan_settlement
from tacit.turn.request import TurnRequest, classify_request
from tacit.turn.rules import apply_rules
from tacit.turn.session_view import SessionView, StoredSession, load_session, reconcile_history
from tacit.turn.state import TurnDependencies, TurnState
from tacit.turn.turn import Prepared

Result = TypeVar("Result")

_log = logging.getLogger("tacit.turn")

HOST_KEEPS_HISTORY = "history: kept by the host, so the cap on blocks cannot hold"
"""The note of every turn whose history the host keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedTurn:
    """A turn that has begun: what to send, and what its end will write."""

    prepared: Prepared
    opening: OpenTurn


def prepare_turn(
    means: TurnDependencies,
    request: TurnRequest,
    settings: InjectionSettings,
    search: SearchSettings,
    *,
    is_preview: bool = False,
) -> StartedTurn:
    """Decide what the agent should know; whatever fails or is late is left out and named.

    A preview writes nothing.
    """
    return _TurnPreparation(means, request, settings, search, is_preview).run()


class _TurnPreparation:
    """One turn as it begins: its deadline, what was degraded, and how long each stage took."""

    def __init__(
        self,
        means: TurnDependencies,
        request: TurnRequest,
        settings: InjectionSettings,
        search: SearchSettings,
        is_preview: bool,
    ) -> None:
        self._is_preview = is_preview
        self._means = means
        self._request = request
        self._settings = settings
        self._search = search
        self._now = means.clock()
        self._deadline = Deadline(settings.deadline_ms / 1_000)
        self._stages = StageTimer()
        self._degraded: list[str] = []
        self._notes: list[str] = []
        self._unseen: Unseen | None = None

    def run(self) -> StartedTurn:
        """The turn, ready to be answered."""
        self._anticipate()
        known = self._within("session", self._load, None)
        fresh = Session(id=self._request.session, created_at=self._now, updated_at=self._now)
        view = reconcile_history(
            known or StoredSession(session=fresh), self._request, self._settings
        )
        is_host_kept = self._request.history is None
        if is_host_kept and not self._is_preview:
            self._notes.append(HOST_KEEPS_HISTORY)
        self._stages.end("session")
        said = self._request.context if is_host_kept else view.history
        exchanges = recent_exchanges(said)
        question = self._question(exchanges)
        skip = self._skip(known, exchanges)
        course = TurnState(
            settings=self._settings,
            question=question,
            kind=classify_request(self._request.text),
            now=self._now,
            session=self._request.session,
            said=said,
            visible=self._request.visible,
            is_host_kept=is_host_kept,
            since=view.session.cleared_at,
            shown=self._request.shown,
            in_view=view.in_view,
        )
        if known is not None and skip in (None, SkipReason.LOW_INFORMATION):
            found, course = self._decided(course, with_search=skip is None)
            course = self._with_what_makes_room(view, found, course)
            if skip is None:
                self._unseen = self._count_unseen(course)
        return self._begun(view, course, skip, is_known=known is not None)

    def _anticipate(self) -> None:
        """Have what was said embedded while the session is read, if it may be searched for."""
        text = self._request.text
        is_wanted = self._settings.enabled and self._request.is_spoken
        if is_wanted and not is_low_information(text, has_context=True):
            self._means.searcher.anticipate(to_weighted_text(text).text)

    def _load(self) -> StoredSession:
        with self._means.store.read(self._means.workspace) as unit:
            known = load_session(unit, self._request, self._now)
            try:
                return replace(known, ledger=tuple(unit.ledger.bound(self._request.session)))
            except Exception as error:
                self._degraded.append(f"ledger: failed ({error}), so memories may come twice")
                return known

    def _question(self, exchanges: Sequence[Exchange]) -> SearchQuery:
        context = exchanges if self._settings.context_aware_query else ()
        return build_query(self._request.text, context)

    def _skip(
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

    def _with_what_makes_room(
        self, view: SessionView, found: TurnState, decided: TurnState
    ) -> TurnState:
        """Decide again where a block must leave that holds what is wanted now."""
        if not decided.open:
            return decided
        leaving = {block.id for block in find_blocks_over_cap(view, self._settings, coming=1)}
        best = max(each.score for each in decided.weighed)
        wanted = {
            each.memory.id
            for each in decided.weighed
            if each.fate is Fate.SEEN_IN_WINDOW and each.score >= _WANTED_SHARE * best
        }
        staying = tuple(entry for entry in found.in_view if entry.block not in leaving)
        if all(entry.memory not in wanted for entry in found.in_view if entry.block in leaving):
            return decided
        return apply_rules(replace(found, in_view=staying))

    def _decided(self, course: TurnState, *, with_search: bool) -> tuple[TurnState, TurnState]:
        """Candidates, and their fates; the search goes on while duplicates leave room."""
        standing = self._within("pinned and facts", lambda: self._quick(course), course)
        self._stages.end("pinned and facts")
        if not with_search:
            return standing, apply_rules(standing)
        limit = CANDIDATES_PER_HIT * self._settings.search_limit
        while True:
            found = self._searched(standing, limit)
            decided = apply_rules(found)
            self._stages.end("rules")
            if self._is_enough(found, decided, limit):
                return found, decided
            limit *= 2

    def _quick(self, course: TurnState) -> TurnState:
        """What is pinned and the current facts, from the store alone."""
        with self._means.store.read(self._means.workspace) as unit:
            found = find_pinned(unit, self._request, self._settings, self._now)
            if self._settings.fact_limit:
                found += find_facts(
                    unit,
                    self._request,
                    self._settings,
                    course.question,
                    course.kind,
                    self._now,
                )
            weighed = replace(course, weighed=tuple(found))
            return self._completed(unit, weighed) if found else weighed

    def _searched(self, standing: TurnState, limit: int) -> TurnState:
        """The course with what the search gives; as it was, where the search fails or is late."""

        def work() -> tuple[TurnState, tuple[str, ...]]:
            result = search_candidates(
                self._means,
                self._request,
                self._search,
                standing.question,
                self._now,
                limit,
                self._deadline.seconds * _EMBEDDING_SHARE,
            )
            with self._means.store.read(self._means.workspace) as unit:
                hits = score_hits(unit, result.hits, standing.question, self._request)
                grown = replace(standing, weighed=(*standing.weighed, *hits))
                return self._completed(unit, grown), result.degraded

        nothing: tuple[TurnState, tuple[str, ...]] = (standing, ())
        found, degraded = self._within("search", work, nothing)
        for each in degraded:
            told = self._notes if each == NO_EMBEDDER else self._degraded
            if each not in told:
                told.append(each)
        self._stages.end("search")
        return found

    def _completed(self, unit: UnitOfWork, course: TurnState) -> TurnState:
        """With what stands against the candidates, and what duplicates are told by."""
        rivals = add_rivals(unit, course, self._request)
        return add_vectors(self._means, unit, rivals)

    def _is_enough(self, found: TurnState, decided: TurnState, limit: int) -> bool:
        """Whether the search need not go on: enough hits, no more to come, or no time."""
        hits = [each for each in decided.weighed if each.found is CandidateSource.CONTEXTUAL]
        standing = [each for each in hits if each.is_open or each.fate in _REFUSED_FOR_ROOM]
        came = sum(each.found is CandidateSource.CONTEXTUAL for each in found.weighed)
        ended = came < limit or limit >= MOST_CANDIDATES
        below = any(each.fate is Fate.BELOW_FLOOR for each in hits)
        return (
            ended or below or len(standing) >= self._settings.search_limit
        ) or self._deadline.has_passed

    def _count_unseen(self, course: TurnState) -> Unseen | None:
        """What belongs to no user or to others, where nothing visible was relevant.

        It only explains the turn, so a count that fails or is late degrades nothing.
        """
        is_silent = all(each.fate is Fate.BELOW_FLOOR for each in course.weighed)
        if not (is_silent or self._is_preview) or self._deadline.has_passed:
            return None
        try:
            return self._deadline.run(lambda: count_unseen(self._means, self._request, self._now))
        except Exception as error:
            _log.info("memories of other owners were not counted: %s", error)
            return None
        finally:
            self._stages.end("unseen")

    def _within(self, what: str, work: Callable[[], Result], otherwise: Result) -> Result:
        """The work's result within the deadline; failing memory never fails a turn."""
        try:
            return self._deadline.run(work, self._means.pool)
        except TimeoutError as error:
            self._degraded.append(f"{what}: late" + (f" ({error})" if str(error) else ""))
        except Exception as error:
            self._degraded.append(f"{what}: failed ({error})")
        return otherwise

    def _begun(
        self, view: SessionView, course: TurnState, skip: SkipReason | None, *, is_known: bool
    ) -> StartedTurn:
        body = render_body(course.sections, read_only_marker=self._settings.memory_read_only_marker)
        id = self._means.new_id()
        opening, placing = self._opening(view, course, skip, body if is_known else "", id)
        leaves_trace = skip is not SkipReason.PAUSED and not self._is_preview
        recording = TurnRecorder(self._means, opening, view.vanished)
        is_recorded = is_known and (
            not leaves_trace or self._within("record", recording.write, False)
        )
        if opening.block is not None and not is_recorded:  # an unknown block must not be shown
            bare = replace(course, weighed=())
            opening, placing = self._opening(view, bare, skip, "", id)
            recording.give_up(opening)
        messages = placing.messages([*view.history, *self._request.incoming])
        self._stages.end("record")
        receipt = self._accounted(opening.receipt, placing)
        prepared = Prepared(
            history=self._request.history or (),
            messages=messages,
            receipt=receipt,
            block=opening.block.placement.text if opening.block else None,
            leaves_trace=leaves_trace,
        )
        clears = opening.clears if is_known else None
        return StartedTurn(
            prepared=prepared, opening=replace(opening, receipt=receipt, clears=clears)
        )

    def _opening(
        self, view: SessionView, course: TurnState, skip: SkipReason | None, body: str, id: str
    ) -> tuple[OpenTurn, BlockLayout]:
        """The turn as a value, and where blocks stand; its id stays, as a record that failed may
        be kept after all."""
        opening = build_open_turn(self._request, view, course, skip, body, id=id, now=self._now)
        placing = lay_out_blocks(view, opening.block, self._settings)
        settlement = plan_settlement(view, placing, self._settings)
        receipt = self._accounted(opening.receipt, placing)
        said = capture_turn(self._request, id, self._now) if self._is_overheard else None
        return replace(opening, receipt=receipt, settlement=settlement, captured=said), placing

    @property
    def _is_overheard(self) -> bool:
        return not self._is_preview and self._means.listener.is_listening()

    def _accounted(self, receipt: Receipt, placing: BlockLayout) -> Receipt:
        """The receipt with what is known by now of its cost and of what went wrong."""
        return replace(
            receipt,
            pruned=(*(block.id for block in placing.leaving), *placing.foreign),
            recached_tokens=placing.recached,
            degraded=tuple(redact(part).text for part in self._degraded),
            notes=tuple(self._notes),
            unseen=self._unseen,
            timings_ms={**self._stages.wall_ms, "total": self._stages.total_ms},
            cpu_ms=dict(self._stages.cpu_ms),
        )


_EMBEDDING_SHARE = 0.75
_WANTED_SHARE = 0.5
_REFUSED_FOR_ROOM = (Fate.OVER_SLOTS, Fate.OVER_TOKENS, Fate.OVER_CHARS)
