"""Why a memory was injected or left out, and why a turn injected nothing, in words."""

from collections.abc import Mapping
from types import MappingProxyType

from tacit.core.receipt import (
    NOTE_IN_CONFLICT,
    NOTE_SAID,
    NOTE_SHOWN_BY_HOST,
    UNFIT,
    Candidate,
    CandidateSource,
    Fate,
    Receipt,
)

_FATES: Mapping[Fate, str] = MappingProxyType(
    {
        Fate.BELOW_FLOOR: "not relevant enough",
        Fate.SEEN_IN_WINDOW: "still in view from an earlier turn",
        Fate.SAME_BATCH: "chosen already in this turn",
        Fate.SAME_CONTENT: "says the same as another memory",
        Fate.NEAR_DUPLICATE: "says nearly the same as another memory",
        Fate.SHADOWED: "a memory with the same key is nearer",
        Fate.SUPERSEDED: "another memory is current instead",
        Fate.LOW_CONFIDENCE: "not sure enough",
        Fate.CONFLICT_OMITTED: "contradicts another memory, and no rule decides",
        Fate.BELOW_IMPORTANCE: "not important enough",
        Fate.OVER_SLOTS: "there were enough others before it",
        Fate.OVER_TOKENS: "no tokens were left for it",
        Fate.OVER_CHARS: "no characters were left for it",
        Fate.UNTRUSTED: "the words of strangers",
        Fate.RESTATES_QUERY: "says no more than the message itself",
        Fate.NOT_APPLICABLE: "a standing rule that does not apply to the message",
    }
)
_EPISODE_FATES: Mapping[Fate, str] = MappingProxyType(
    {
        Fate.SEEN_IN_WINDOW: "in front of the model already",
        Fate.SAME_CONTENT: "the same was said again later",
        Fate.NEAR_DUPLICATE: "says no more than what is shown",
        Fate.SUPERSEDED: "no longer current",
    }
)
"""Of what was said, where that is not as it is of memories."""

_WAYS: Mapping[CandidateSource, str] = MappingProxyType(
    {
        CandidateSource.PINNED: "pinned, so always in view",
        CandidateSource.STANDING: "a standing rule that applies to the message",
    }
)
_SIGNALS: Mapping[str, str] = MappingProxyType(
    {
        "dense": "its meaning",
        "tokens": "the meaning of its words",
        "lexical": "its words",
        "neighbours": "what was said around it",
        "session": "the session it is from",
        "speaker": "who said it",
        "graph": "what it is linked to",
        "ranks": "its place in each source",
    }
)
_NEEDED = ("session", "pinned", "search", "record", "server")
"""The parts without which a turn has no candidates."""

_OVER_BUDGET = (Fate.OVER_SLOTS, Fate.OVER_TOKENS, Fate.OVER_CHARS)
_IN_VIEW: Mapping[str, str] = MappingProxyType(
    {NOTE_SAID: "said this session", NOTE_SHOWN_BY_HOST: "shown by the host"}
)
_SOMEHOW = "in the context"
_FLAGGED = "contradicts another memory that is shown too, as no rule decides"


def explain_candidate(candidate: Candidate) -> str:
    """Why a candidate was injected (how it was found) or left out."""
    if candidate.fate is not Fate.INJECTED:
        special = _EPISODE_FATES if candidate.found is CandidateSource.EPISODE else {}
        reason = special.get(candidate.fate) or _FATES[candidate.fate]
        return _append_note(reason, candidate.note)
    note = _FLAGGED if candidate.note == NOTE_IN_CONFLICT else candidate.note
    return _append_note(_WAYS.get(candidate.found) or _explain_signals(candidate), note)


_LOST_STAGES: Mapping[str, str] = MappingProxyType(
    {
        "session": "Memory skipped: the store",
        "record": "Memory skipped: the store",
        "pinned": "Pinned memories skipped: the store",
        "search": "Search skipped: it",
        "episodes": "Earlier messages skipped: their search",
    }
)


def explain_empty_turn(receipt: Receipt) -> str:
    """Why a turn that searched injected nothing: what stopped the best candidates."""
    if not receipt.candidates:
        missing = [part for part in receipt.degraded if part.partition(":")[0] in _NEEDED]
        return f"memory not available: {'; '.join(missing)}" if missing else "no candidates"
    others = [each for each in receipt.candidates if each.found is not CandidateSource.STANDING]
    fates = {each.fate for each in others or receipt.candidates}
    if over := [fate for fate in _OVER_BUDGET if fate in fates]:
        return f"empty after budget: {', '.join(over)}"
    if receipt.filtered:
        return _explain_in_view(receipt)
    if Fate.CONFLICT_OMITTED in fates:
        return "all memories in conflict"
    if not fates.isdisjoint(UNFIT):
        return "nothing relevant"
    return f"no memory admitted: {', '.join(sorted(fates))}"


def describe_problem(degraded: str, deadline_ms: int) -> str:
    """What a user reads about something that a turn went without (`receipt.degraded`)."""
    stage, _, problem = degraded.partition(": ")
    if stage == "first turn":
        return f"Memory may be incomplete: {problem.removeprefix('late ').strip('()')}."
    lost = _LOST_STAGES.get(stage)
    if lost is None:
        return f"Memory is incomplete: {degraded}"
    if problem == "late":
        limit = f"deadline_ms ({deadline_ms})"
        return f"{lost} exceeded {limit}. Raise it, or call warm() first."
    return f"{lost} reported: {problem}"


def _explain_in_view(receipt: Receipt) -> str:
    """Why the model has every memory already."""
    ways = {
        "injected this session" if each.is_repeat else _IN_VIEW.get(each.note, _SOMEHOW)
        for each in receipt.candidates
        if each.is_repeat or each.fate is Fate.SEEN_IN_WINDOW
    }
    return f"all memories already {ways.pop() if len(ways) == 1 else _SOMEHOW}"


def _explain_signals(candidate: Candidate) -> str:
    """The signals that found a memory, the strongest first."""
    strengths = {name: candidate.signals.get(name, 0.0) for name in _SIGNALS}
    strongest = sorted(_SIGNALS, key=lambda name: strengths[name], reverse=True)
    told = [_SIGNALS[name] for name in strongest if strengths[name] > 0]
    by = f"found by {', '.join(told)}" if told else "found"
    by = f"a current fact, {by}" if candidate.found is CandidateSource.FACT else by
    return f"{by}; score {candidate.score:.3f}, relevance {candidate.relevance:.2f}"


def _append_note(reason: str, note: str) -> str:
    return f"{reason} ({note})" if note else reason
