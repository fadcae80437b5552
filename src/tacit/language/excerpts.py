"""Excerpts: the sentences of a text that match a question."""

from collections.abc import Sequence

from tacit.language.sentences import split_sentences
from tacit.language.terms import QueryTerm, extract_terms

_ELLIPSIS = "…"


def extract_matching_sentences(text: str, question: Sequence[QueryTerm], characters: int) -> str:
    """The sentences of a text that match a question best, in their order, within some characters.

    A text that fits is returned whole. Of a sentence that is too long, the beginning is.
    """
    if len(text) <= characters:
        return text
    sentences = split_sentences(text)
    scores = [_score(sentence, question) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lambda place: (-scores[place], place))
    chosen: set[int] = set()
    for place in order:
        if len(_join(sentences, {*chosen, place})) <= characters:
            chosen.add(place)
        elif not chosen:
            return _cut(sentences[place], characters)
    return _join(sentences, chosen)


def _score(sentence: str, question: Sequence[QueryTerm]) -> float:
    """How much of a question a sentence has; stop words count little."""
    held = set(extract_terms(sentence))
    return sum(
        term.weight * (0.1 if term.is_stop_word else 1.0)
        for term in question
        if not held.isdisjoint(term.alternatives)
    )


def _join(sentences: Sequence[str], chosen: set[int]) -> str:
    """The chosen sentences, with an ellipsis where some are left out."""
    parts: list[str] = []
    last = -1
    for place in sorted(chosen):
        if place != last + 1:
            parts.append(_ELLIPSIS)
        parts.append(sentences[place])
        last = place
    if last < len(sentences) - 1:
        parts.append(_ELLIPSIS)
    return " ".join(parts)


def _cut(sentence: str, characters: int) -> str:
    room = characters - len(f" {_ELLIPSIS}")
    end = sentence.rfind(" ", 0, room + 1)
    return f"{sentence[: end if end > room // 2 else room].rstrip()} {_ELLIPSIS}"
