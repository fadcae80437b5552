"""Prepares a turn: from a request to the messages to send and the receipt.

A stage that fails or misses the deadline is left out and named in the receipt; memory never fails a
turn.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tacit.core.open_turn import CapturedTurn, OpenTurn
from tacit.core.receipt import UNFIT, CandidateSource, Fate, Receipt, SkipReason, Unseen
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
from tacit.runtime.clock import StageTimer
from tacit.runtime.workers import Deadline
from tacit.search.agreement import Agreement
from tacit.search.searcher import NO_EMBEDDER
from tacit.settings.injection import InjectionSettings
from tacit.settings.search import SearchSettings
from tacit.store.protocols.store import UnitOfWork
from tacit.turn.agreement_rules import find_comparable_pairs
from tacit.turn.block import render_body
from tacit.turn.candidates import (
    CANDIDATES_PER_HIT,
    MOST_CANDIDATES,
    add_conflicting,
    add_vectors,
    count_unseen,
    find_current_facts,
    find_pinned,
    score_hits,
    search_candidates,
)
from tacit.turn.commit import Prepared
from tacit.turn.episodes import (
    add_episodes,
    find_withdrawn_episodes,
    may_see_episodes,
    search_episodes,
)
from tacit.turn.open_turn import BlockBodies, TurnRecorder, build_open_turn, capture_turn
from tacit.turn.placement import BlockLayout, find_blocks_over_cap, lay_out_blocks, plan_settlement
from tacit.turn.rules import apply_rules
from tacit.turn.session_view import SessionView, StoredSession, load_session, reconcile_history
from tacit.turn.standing import find_standing
from tacit.turn.standing_rules import admit_applicable
from tacit.turn.state import (
    ScoredCandidate,
    TurnDependencies,
    TurnRequest,
    TurnState,
    classify_request,
)

Result = TypeVar("Result")

_log = logging.getLogger("tacit.turn")

HOST_KEEPS_HISTORY = "history: kept by the host, so the cap on blocks cannot hold"
"""The note of every turn whose history the host keeps."""


NOT_COMPARED = "agreement: the model is not loaded yet, so statements were not compared"
"""The note of a turn that did not wait for the model that compares statements."""


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
) -> StartedTurn:
    """Decide what the agent should know; a preview writes nothing.

    Stages that fail or are late are left out and named in the receipt.
    """
    return _TurnPreparation(dependencies, request, settings, search, is_preview).run()


class _TurnPreparation:
    """The preparation of one turn: its deadline, what was degraded, and the time of each stage."""

    def __init__(
        self,
        dependencies: TurnDependencies,
        request: TurnRequest,
        settings: InjectionSettings,
        search: SearchSettings,
        is_preview: bool,
    ) -> None:
        self._is_preview = is_preview
        self._dependencies = dependencies
        self._request = request
        self._settings = settings
        self._search = search
        self._now = dependencies.clock()
        self._deadline = Deadline(settings.deadline_ms / 1_000)
        self._stages = StageTimer()
        self._degraded: list[str] = []
        self._notes: list[str] = []
        self._unseen: Unseen | None = None

    def run(self) -> StartedTurn:
        """Prepare the turn."""
        self._start_embedding()
        known = self._run_within_deadline("session", self._load_session, None)
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
        question = self._build_question(exchanges)
        skip = self._find_skip_reason(known, exchanges)
        state = TurnState(
            settings=self._settings,
            question=question,
            kind=classify_request(self._request.text),
            now=self._now,
            session=self._request.session,
            message=self._request.text,
            has_project=bool(self._request.project),
            said=said,
            visible=self._request.visible,
            is_host_kept=is_host_kept,
            since=view.session.cleared_at,
            shown=self._request.shown,
            in_view=view.in_view,
            rules_in_view=view.rules_in_view,
        )
        if known is not None and skip in (None, SkipReason.LOW_INFORMATION):
            found, state = self._find_and_decide(state, with_search=skip is None)
            state = self._decide_again_for_leaving_blocks(view, found, state)
            if skip is None:
                self._unseen = self._count_unseen(state)
        return self._start(view, state, skip, is_known=known is not None)

    def _start_embedding(self) -> None:
        """Embed the message while the session is read, if it may be searched for."""
        text = self._request.text
        is_wanted = self._settings.enabled and self._request.is_spoken
        if is_wanted and not is_low_information(text, has_context=True):
            self._dependencies.searcher.anticipate(
                to_weighted_text(text).text, self._search.late_interaction
            )

    def _load_session(self) -> StoredSession:
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            known = load_session(unit, self._request, self._now)
            try:
                known = replace(known, ledger=tuple(unit.ledger.bound(self._request.session)))
            except Exception as error:
                self._degraded.append(f"ledger: failed ({error}), so memories may come twice")
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

    def _find_and_decide(
        self, state: TurnState, *, with_search: bool
    ) -> tuple[TurnState, TurnState]:
        """Find candidates and decide about them; search for more while duplicates leave room.

        Returns the state before and after the rules.
        """
        known = self._run_within_deadline(
            "pinned", lambda: self._find_without_search(state, with_search), state
        )
        self._stages.end("pinned")
        if not with_search:
            return known, apply_rules(known)
        limit = CANDIDATES_PER_HIT * self._settings.search_limit
        await_episodes = self._start_episodes(known)
        said: TurnState | None = None
        while True:
            found = self._add_search_hits(known, limit)
            if said is None:  # what was said is searched once, beside the memories
                said = await_episodes()
            found = _join_episodes(found, said)
            decided = apply_rules(found)
            self._stages.end("rules")
            if self._is_enough(found, decided, limit):
                return self._compare_statements(found, decided)
            limit *= 2

    def _compare_statements(
        self, found: TurnState, decided: TurnState
    ) -> tuple[TurnState, TurnState]:
        """Decide again if some candidates say otherwise than earlier ones."""
        judge, pairs = self._dependencies.judge(), find_comparable_pairs(decided)
        if not (pairs and found.settings.memory_detect_conflicts):
            return found, decided
        if not judge.is_ready and self._deadline.seconds < _LOADING_SECONDS:
            self._dependencies.worker.submit(judge.load)  # the next turn has it
            self._notes.append(NOT_COMPARED)
            return found, decided
        nothing: list[Agreement] = []
        compared = self._run_within_deadline(
            "agreement",
            lambda: judge.compare([(old.content, new.content) for old, new in pairs]),
            nothing,
        )
        told = {
            (old.id, new.id): each
            for (old, new), each in zip(pairs, compared, strict=False)
            if each.replaces or each.is_doubtful
        }
        self._stages.end("agreement")
        if not told:
            return found, decided
        grown = replace(found, agreements=told)
        return grown, apply_rules(grown)

    def _start_episodes(self, state: TurnState) -> Callable[[], TurnState]:
        """Begin to search what was said; the function that is returned waits for it.

        It returns the state with what was found, or as it is if there is none, or no time.
        """
        if not self._settings.episode_lines or not may_see_episodes(self._request):
            return lambda: state

        def work() -> tuple[TurnState, tuple[str, ...]]:
            patience = int(self._deadline.seconds * _EMBEDDING_SHARE * 1_000)
            result = search_episodes(
                self._dependencies, self._request, self._search, state, patience
            )
            if not result.hits:
                return state, ()
            grown = add_episodes(self._dependencies, self._request, state, result)
            left_out = [each for each in result.degraded if not each.startswith(_FOLLOWS)]
            return grown, tuple(f"episodes: {each}" for each in left_out)

        try:
            wait = self._deadline.start(work, self._dependencies.pool)
        except TimeoutError:
            self._degraded.append("episodes: late")
            return lambda: state
        return lambda: self._await_episodes(wait, state)

    def _await_episodes(
        self, wait: Callable[[], tuple[TurnState, tuple[str, ...]]], state: TurnState
    ) -> TurnState:
        nothing: tuple[TurnState, tuple[str, ...]] = (state, ())
        found, degraded = self._note_problems("episodes", wait, nothing)
        self._degraded += [each for each in degraded if each not in self._degraded]
        self._stages.end("episodes")
        return found

    def _find_without_search(self, state: TurnState, with_rules: bool) -> TurnState:
        """Add pinned memories and standing rules, which come from the store alone.

        Standing rules come only with a message that asks for something.
        """
        with self._dependencies.store.read(self._dependencies.workspace) as unit:
            found = find_pinned(unit, self._request, self._settings, self._now)
            if with_rules and self._settings.standing_lines:
                found += find_standing(
                    unit, self._request, self._settings, state.in_view, self._now
                )
            grown = admit_applicable(replace(state, candidates=tuple(found)))
            return self._add_context(unit, grown) if grown.undecided else grown

    def _add_search_hits(self, known: TurnState, limit: int) -> TurnState:
        """Add search hits; the state stays as it is if the search fails or is late."""

        def work() -> tuple[TurnState, tuple[str, ...]]:
            result = search_candidates(
                self._dependencies,
                self._request,
                self._search,
                known.question,
                self._now,
                limit,
                self._deadline.seconds * _EMBEDDING_SHARE,
                [each.memory.id for each in known.candidates if each.is_standing],
            )
            judged = [_judge(each, result.judged) for each in known.candidates]
            with self._dependencies.store.read(self._dependencies.workspace) as unit:
                scored = score_hits(unit, result.hits, known.question, self._request)
                hits = find_current_facts(scored, self._settings)
                grown = replace(known, candidates=(*judged, *hits))
                return self._add_context(unit, admit_applicable(grown)), result.degraded

        nothing: tuple[TurnState, tuple[str, ...]] = (known, ())
        found, degraded = self._run_within_deadline("search", work, nothing)
        for each in degraded:
            told = self._notes if each == NO_EMBEDDER else self._degraded
            if each not in told:
                told.append(each)
        self._stages.end("search")
        return found

    def _add_context(self, unit: UnitOfWork, state: TurnState) -> TurnState:
        """Add the memories that contradict candidates, and the vectors that reveal duplicates."""
        rivals = add_conflicting(unit, state, self._request)
        return add_vectors(self._dependencies, unit, rivals)

    def _is_enough(self, found: TurnState, decided: TurnState, limit: int) -> bool:
        """Whether the search can stop: enough hits, no more to come, or no time left."""
        hits = [each for each in decided.candidates if each.found in _HITS]
        standing = [each for each in hits if each.is_open or each.fate in _REFUSED_FOR_ROOM]
        came = sum(each.found in _HITS for each in found.candidates)
        ended = came < limit or limit >= MOST_CANDIDATES
        below = any(each.fate is Fate.BELOW_FLOOR for each in hits)
        return (
            ended or below or len(standing) >= self._settings.search_limit
        ) or self._deadline.has_passed

    def _count_unseen(self, state: TurnState) -> Unseen | None:
        """Count memories of other owners if nothing visible was relevant.

        The count only explains the turn, so a failure degrades nothing.
        """
        is_silent = all(each.fate in UNFIT for each in state.candidates)
        if not (is_silent or self._is_preview) or self._deadline.has_passed:
            return None
        try:
            return self._deadline.run(
                lambda: count_unseen(self._dependencies, self._request, self._now)
            )
        except Exception as error:
            _log.info("memories of other owners were not counted: %s", error)
            return None
        finally:
            self._stages.end("unseen")

    def _run_within_deadline(
        self, what: str, work: Callable[[], Result], otherwise: Result
    ) -> Result:
        """Run work within the deadline; if it fails or is late, note that and go on without it."""
        return self._note_problems(
            what, lambda: self._deadline.run(work, self._dependencies.pool), otherwise
        )

    def _note_problems(self, what: str, work: Callable[[], Result], otherwise: Result) -> Result:
        try:
            return work()
        except TimeoutError as error:
            self._degraded.append(f"{what}: late" + (f" ({error})" if str(error) else ""))
        except Exception as error:
            self._degraded.append(f"{what}: failed ({error})")
        return otherwise

    def _start(
        self, view: SessionView, state: TurnState, skip: SkipReason | None, *, is_known: bool
    ) -> StartedTurn:
        bodies = BlockBodies(render_body(state.standing), render_body(state.sections))
        id = self._dependencies.new_id()
        opening, layout = self._build_opening(
            view, state, skip, bodies if is_known else BlockBodies(), id
        )
        leaves_trace = skip is not SkipReason.PAUSED and not self._is_preview
        recorder = TurnRecorder(self._dependencies, opening, view.vanished)
        is_recorded = is_known and (
            not leaves_trace or self._run_within_deadline("record", recorder.write, False)
        )
        if opening.blocks and not is_recorded:  # an unknown block must not be shown
            bare = replace(state, candidates=())
            opening, layout = self._build_opening(view, bare, skip, BlockBodies(), id)
            recorder.give_up(opening)
        messages = layout.messages([*view.history, *self._request.incoming])
        self._stages.end("record")
        receipt = self._update_receipt(opening.receipt, layout)
        prepared = Prepared(
            history=self._request.history or (),
            messages=messages,
            receipt=receipt,
            blocks={block.id: block.placement.text for block in opening.blocks},
            leaves_trace=leaves_trace,
        )
        clears = opening.clears if is_known else None
        return StartedTurn(
            prepared=prepared, opening=replace(opening, receipt=receipt, clears=clears)
        )

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
            degraded=tuple(redact(part).text for part in self._degraded),
            notes=tuple(self._notes),
            unseen=self._unseen,
            timings_ms={**self._stages.wall_ms, "total": self._stages.total_ms},
            cpu_ms=dict(self._stages.cpu_ms),
        )


def _judge(each: ScoredCandidate, relevance: Mapping[str, float]) -> ScoredCandidate:
    """A standing rule with its relevance, as far as the search could tell."""
    found = relevance.get(each.memory.id)
    return replace(each, relevance=found) if each.is_standing and found is not None else each


def _join_episodes(found: TurnState, said: TurnState) -> TurnState:
    """The candidates of a search together with the episodes of another state."""
    episodes = [each for each in said.candidates if each.is_episode]
    if not episodes:
        return found
    return replace(
        found,
        candidates=(*found.candidates, *episodes),
        vectors={**found.vectors, **said.vectors},
        seen={**found.seen, **said.seen},
    )


_HITS = (CandidateSource.FACT, CandidateSource.CONTEXTUAL)

_FOLLOWS = "vectors:"
"""What was just said gets its vectors in a moment; that a model is missing, the search says."""

_EMBEDDING_SHARE = 0.75
_LOADING_SECONDS = 5.0
"""A turn with less time does not wait for a model to be loaded."""

_WANTED_SHARE = 0.5
_REFUSED_FOR_ROOM = (Fate.OVER_SLOTS, Fate.OVER_TOKENS, Fate.OVER_CHARS)
