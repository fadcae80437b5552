"""The rule about news: what a person said later of what the most relevant line says.

"We dropped Fresha, it's a paper diary now" has no word of "where do I write down bookings?", but
one of the line that answers it, "bookings go through the Fresha app". Shown alone, that line would
be out of date.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from tacit.core.episodes import only_asks
from tacit.core.kinds import Trust
from tacit.core.receipt import NOTE_NEWS, NOTE_NOTHING_RELEVANT, NOTE_WITHDRAWN, SEARCHED, Fate
from tacit.language.changes import tells_change
from tacit.statements.common_words import find_telling_stems
from tacit.turn.state import ScoredCandidate, TurnState

_LATER = timedelta(hours=1)
"""What was said sooner belongs to the same conversation."""

_COMMON = 0.12
"""A word that more of the candidates have does not say what two of them are about ..."""

_FEW = 3
"""... unless it is in no more than so many."""

_ASKED = 0.5
"""What a shared word counts that the message has too."""


def admit_news(state: TurnState) -> TurnState:
    """Show beside the most relevant line what was said later and tells of a change to it.

    The later words are weak by themselves. They have to share a word with the line that few other
    candidates have. They come also where the line is not shown because it no longer holds.
    """
    searched = [each for each in state.candidates if each.found in SEARCHED]
    lines = [each for each in searched if each.is_open or _was_relevant(each, state)]
    if state.need_odds is None or not lines:
        return state
    line = max(lines, key=lambda each: each.relevance)
    found = _find_news(line, searched, find_telling_stems(state.message))
    if found is None:
        return state
    news = replace(found, fate=None, by=line.memory.id, note=NOTE_NEWS)
    kept = tuple(news if each is found else each for each in state.candidates)
    return replace(state, candidates=kept)


def _was_relevant(each: ScoredCandidate, state: TurnState) -> bool:
    """Whether a line would be shown if what was learned from it still held."""
    is_withdrawn = each.fate is Fate.SUPERSEDED and each.note == NOTE_WITHDRAWN
    return is_withdrawn and each.relevance >= state.settings.contextual_min_score


def _find_news(
    line: ScoredCandidate, searched: Sequence[ScoredCandidate], asked: frozenset[str]
) -> ScoredCandidate | None:
    """The weak candidate that most likely tells what of a line has changed."""
    later = [each for each in searched if _may_be_news(each, line)]
    if not later:
        return None
    stems = [find_telling_stems(each.memory.content) for each in searched]
    counts = Counter(stem for each in stems for stem in each)
    most = max(_COMMON * len(searched), _FEW)
    said = {stem for stem in find_telling_stems(line.memory.content) if counts[stem] <= most}

    def weigh(each: ScoredCandidate) -> float:
        shared = said & find_telling_stems(each.memory.content)
        rarity = sum(1 / counts[stem] for stem in shared)
        return rarity + _ASKED * len(shared & asked) + each.relevance if shared else 0.0

    best = max(later, key=weigh)
    return best if weigh(best) else None


def _may_be_news(each: ScoredCandidate, line: ScoredCandidate) -> bool:
    """Whether a candidate is a person's later statement of a change, and only too weak."""
    is_weak = each.fate is Fate.BELOW_FLOOR and each.note in ("", NOTE_NOTHING_RELEVANT)
    memory = each.memory
    return (
        is_weak
        and memory.trust is Trust.TRUSTED
        and memory.created_at - line.memory.created_at > _LATER
        and tells_change(memory.content)
        and not (each.is_episode and only_asks(memory))
    )
