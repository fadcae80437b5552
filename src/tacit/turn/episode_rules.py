"""The rules about what was said earlier; each takes the state of a turn and returns a new one."""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace

import numpy as np

from tacit.core.kinds import TURN, Trust
from tacit.core.matrix_products import matrix_products
from tacit.core.memory import Memory
from tacit.core.messages import is_human, text_of
from tacit.core.receipt import NOTE_SAID, CandidateSource, Fate
from tacit.language.excerpts import extract_matching_sentences
from tacit.language.extraction.expiry import remove_stated_day
from tacit.language.redaction.redact import split_at_redactions
from tacit.language.relative_dates import depends_on_day
from tacit.language.sentences import is_question, split_sentences
from tacit.search.duplicates import wording_hash
from tacit.turn.state import ScoredCandidate, TurnState
from tacit.turn.wording import is_near_repeat, plain_words, says_all, word_coverage

_COVERED = 0.8
"""A text with this share of its words in another says nothing besides."""

_ALIKE = 0.5
"""Texts whose vectors are less near do not say the same."""

LINE_CHARACTERS = 240
"""The most characters of a line; a longer episode is cut to the sentences that match."""

_LONGEST = 2_000

Decide = Callable[[ScoredCandidate], ScoredCandidate]


def drop_restated_query(state: TurnState) -> TurnState:
    """Reject episodes that say no more than the message itself: the same words, or question."""
    if not state.question.texts:
        return state
    asked, floor = state.question.texts[0].text, state.settings.contextual_min_score

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        is_near = each.relevance >= floor
        if is_near and restates(each.memory.content, asked):
            return each.reject(Fate.RESTATES_QUERY)
        return each

    return _decide_episodes(state, decide)


def restates(said: str, asked: str) -> bool:
    """Whether a text only repeats a message; a statement may answer the question it resembles."""
    if plain_words(said) == plain_words(asked):
        return True
    if all(map(is_question, split_sentences(said))):
        return word_coverage(said, asked) >= _COVERED
    return not is_question(asked) and is_near_repeat(said, asked)


def drop_in_view(state: TurnState) -> TurnState:
    """Reject episodes that the model has in front of it: in the history, a summary or a tail.

    What was said in this session stands in the history of a host, until that begins anew.
    """
    messages = state.said if state.visible is None else state.visible
    words = [plain_words(text_of(message)[:_LONGEST]) for message in messages]
    spoken = [text_of(message) for message in messages if is_human(message)]
    spoken = [text for text in spoken if len(text) <= _LONGEST]

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        row = each.memory
        if state.is_host_kept and row.origin.session == state.session:
            in_view = state.since is None or row.created_at > state.since
        else:
            in_view = _is_within(row.content, words) or any(
                is_near_repeat(row.content, text) for text in spoken
            )
        return each.reject(Fate.SEEN_IN_WINDOW, note=NOTE_SAID) if in_view else each

    return _decide_episodes(state, decide)


def _is_within(text: str, messages: Iterable[str]) -> bool:
    """Whether a message has the words of a text, apart from what was redacted in it."""
    pieces = [words for piece in split_at_redactions(text) if (words := plain_words(piece))]
    return bool(pieces) and any(
        all(f" {piece} " in f" {message} " for piece in pieces) for message in messages
    )


def keep_latest_repeats(state: TurnState) -> TurnState:
    """Of episodes with the same words, keep the latest, which counts as much as the best."""
    same: dict[bytes, list[ScoredCandidate]] = {}
    for each in state.undecided:
        if each.is_episode:
            same.setdefault(wording_hash(each.memory.content), []).append(each)
    latest = {
        wording: max(said, key=lambda each: (each.memory.created_at, each.memory.id))
        for wording, said in same.items()
    }

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        wording = wording_hash(each.memory.content)
        last = latest[wording].memory.id
        if each.memory.id != last:
            return each.reject(Fate.SAME_CONTENT, last)
        return replace(each, score=max(other.score for other in same[wording]))

    return _decide_episodes(state, decide)


def cut_to_matching_sentences(state: TurnState) -> TurnState:
    """Cut what is left to the sentences that match the message."""

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        said = each.memory.content
        excerpt = extract_matching_sentences(said, state.question.terms, LINE_CHARACTERS)
        return each if excerpt == said else replace(each, excerpt=excerpt)

    return _decide_episodes(state, decide)


def drop_repeated_passages(state: TurnState) -> TurnState:
    """Reject episodes of which memories that are shown, now or in an earlier block, say all.

    Only what a person wrote or said stands for a person's words. Where only some of what was
    learned from an episode is shown, it comes after the others.
    """
    shown = [each.memory for each in state.undecided if not each.is_episode]
    shown += [memory for id, memory in state.seen.items() if id not in _episode_ids(state)]
    shown = [memory for memory in shown if memory.trust is Trust.TRUSTED]
    episodes = [each.memory for each in state.undecided if each.is_episode]
    alike = _find_alike(episodes, shown, state)

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        near = alike[each.memory.id]
        own = [memory for memory in near if _is_learned_from(memory, each.memory)]
        said = each.excerpt or each.memory.content
        if near and says_all(said, _contents(near), learned=_contents(own)):
            return each.reject(Fate.NEAR_DUPLICATE, (own or near)[0].id)
        is_learned = bool(own) and says_all(said, (), learned=each.learned)
        return replace(each, is_learned=is_learned)

    return _decide_episodes(state, decide) if shown else state


def drop_repeated_memories(state: TurnState, refused: Container[str]) -> TurnState:
    """Reject what was learned of a passage that is shown and says it in the same words, and more.

    Passages that are `refused` are not shown. What a person wrote, what has a key, what is in
    conflict and what says the day of a relative date ("next Friday") stays.
    """
    passages = [
        each for each in state.undecided if each.is_episode and each.memory.id not in refused
    ]

    def decide(each: ScoredCandidate) -> ScoredCandidate:
        content = remove_stated_day(each.memory.content)
        tells_day = content != each.memory.content and depends_on_day(content)
        is_apart = each.memory.explicit or each.conflict is not None or tells_day
        if is_apart or each.found is not CandidateSource.CONTEXTUAL:
            return each
        for passage in passages:
            said = passage.excerpt or passage.memory.content
            is_source = _is_learned_from(each.memory, passage.memory)
            if is_source and word_coverage(content, said) >= _COVERED:
                return each.reject(Fate.NEAR_DUPLICATE, passage.memory.id)
        return each

    return state.decide_each(decide) if passages else state


def _find_alike(
    episodes: Sequence[Memory], memories: Sequence[Memory], state: TurnState
) -> dict[str, list[Memory]]:
    """For each episode the memories that may say the same, as far as their vectors tell."""
    known = [memory for memory in memories if memory.id in state.vectors]
    others = [memory for memory in memories if memory.id not in state.vectors]
    rows = np.asarray([state.vectors[memory.id] for memory in known], np.float32)
    found: dict[str, list[Memory]] = {}
    for episode in episodes:
        vector = state.vectors.get(episode.id)
        if vector is None or not known:
            found[episode.id] = list(memories)
            continue
        with matrix_products():
            near = rows @ np.asarray(vector, np.float32) >= _ALIKE
        found[episode.id] = others + [
            memory
            for memory, is_near in zip(known, near.tolist(), strict=True)
            if is_near or _is_learned_from(memory, episode)
        ]
    return found


def sort_episodes(episodes: Iterable[ScoredCandidate], floor: float) -> list[ScoredCandidate]:
    """Sort episodes for the room there is: those that are relevant by themselves come first.

    What memories say as well comes last.
    """
    return sorted(
        episodes,
        key=lambda each: (each.is_learned, each.relevance < floor, -each.score, each.memory.id),
    )


def _contents(memories: Iterable[Memory]) -> list[str]:
    return [memory.content for memory in memories]


def _is_learned_from(memory: Memory, row: Memory) -> bool:
    turn = memory.metadata.get(TURN)
    return turn is not None and turn == row.metadata.get(TURN)


def _episode_ids(state: TurnState) -> set[str]:
    return {each.memory.id for each in state.candidates if each.is_episode}


def _decide_episodes(state: TurnState, decide: Decide) -> TurnState:
    return state.decide_each(lambda each: decide(each) if each.is_episode else each)
