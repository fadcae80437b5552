"""Excerpts: the sentences of a text around what a question matches.

A list stays with the line that introduces it. Only a sentence longer than the excerpt is cut, at a
comma, or else at a space. One that takes most of the room gets half as much again for a sentence
that has another word of the question.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tacit.language.sentences import ends_sentence, find_sentence_ends
from tacit.language.terms import QueryTerm, extract_index_terms

_MARK = "…"
_ALONE = len(f"{_MARK}  {_MARK}")
"""What the marks around a single passage take."""

_ITEM = re.compile(r"(?:[-*+•–]|\d{1,2}[.)]|\[[ xX]?\]|[a-z]\))\s")
_COLONS = (":", "：")
_CLAUSE = re.compile(r"[,;:](?=\s)|[，、；：]")
_LONGEST_ITEM = 60
"""A longer line without a mark of a list is no item of one."""

_STOP_WORD = 0.1
_STRONG = 0.5
"""A sentence with this share of the best one's score is shown too."""


class TextRange(NamedTuple):
    """Where a part of a text begins and ends."""

    start: int
    end: int


def extract_matching_sentences(text: str, question: Sequence[QueryTerm], characters: int) -> str:
    """The passages of a text around what a question matches, with marks where it was cut.

    A text that fits is returned whole.
    """
    return join_passages(text, find_matching_passages(text, question, characters))


def find_longest_excerpt(characters: int) -> int:
    """How long an excerpt may get whose best sentence takes most of it."""
    return characters + characters // 2


def join_passages(text: str, passages: Sequence[TextRange]) -> str:
    """Join passages of a text, with a mark wherever something was left out."""
    parts = [text[start:end] for start, end in passages]
    joined = f" {_MARK} ".join(parts)
    before = f"{_MARK} " if text[: passages[0].start].strip() else ""
    after = f" {_MARK}" if text[passages[-1].end :].strip() else ""
    return before + joined + after


def find_matching_passages(
    text: str, question: Sequence[QueryTerm], characters: int
) -> list[TextRange]:
    """Find the passages that `extract_matching_sentences` joins, in their order."""
    if len(text) <= characters:
        return [TextRange(0, len(text))]
    pieces = list(_split_text(text, max(1, characters - _ALONE)))
    if not pieces:
        return [TextRange(0, 0)]
    heads = _find_heads(text, pieces)
    scores = [_score(text[start:end], question) for start, end in pieces]
    scores = [
        score if head is None or score < _STRONG else score + scores[head]
        for score, head in zip(scores, heads, strict=True)
    ]
    chosen: set[int] = set()
    best = max(range(len(pieces)), key=lambda place: (scores[place], -place))
    for place in _rank(best, scores, heads):
        if place in chosen or not _belongs(place, best, chosen, scores):
            continue
        head = heads[place]
        most = _find_room(text, pieces[best], pieces[place], question, characters)
        for wanted in ({place, head}, {place}) if not chosen else ({place, head},):
            passages = _to_passages(pieces, chosen | {each for each in wanted if each is not None})
            if len(join_passages(text, passages)) <= most:
                chosen |= {each for each in wanted if each is not None}
                break
    return _to_passages(pieces, chosen)


def _find_room(
    text: str, best: TextRange, other: TextRange, question: Sequence[QueryTerm], characters: int
) -> int:
    """How long an excerpt may be with another piece beside the best one."""
    if best == other or best.end - best.start <= characters // 2:
        return characters
    alone = text[best.start : best.end]
    both = f"{alone} {text[other.start : other.end]}"
    adds = _score(both, question) - _score(alone, question) >= _STRONG
    return find_longest_excerpt(characters) if adds else characters


def _split_text(text: str, longest: int) -> Iterator[TextRange]:
    """Split a text into sentences, and sentences that are too long into clauses or words."""
    start = 0
    for end in (*find_sentence_ends(text), len(text)):
        sentence = _strip(text, start, end)
        if sentence.start < sentence.end:
            yield from _split_sentence(text, sentence, longest)
        start = end


def _split_sentence(text: str, sentence: TextRange, longest: int) -> Iterator[TextRange]:
    if sentence.end - sentence.start <= longest:
        yield sentence
        return
    start = sentence.start
    commas = (found.end() for found in _CLAUSE.finditer(text, start, sentence.end))
    for end in (*commas, sentence.end):
        clause = _strip(text, start, end)
        while clause.end - clause.start > longest:
            cut = text.rfind(" ", clause.start + 1, clause.start + longest + 1)
            cut = cut if cut > 0 else clause.start + longest
            yield _strip(text, clause.start, cut)
            clause = _strip(text, cut, clause.end)
        if clause.start < clause.end:
            yield clause
        start = end


def _strip(text: str, start: int, end: int) -> TextRange:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return TextRange(start, start + len(piece.strip()))


def _find_heads(text: str, pieces: Sequence[TextRange]) -> list[int | None]:
    """For each item of a list, the piece that introduces the list."""
    heads: list[int | None] = []
    head: int | None = None
    for place, (start, end) in enumerate(pieces):
        said = text[start:end]
        is_marked = _ITEM.match(said) is not None
        if is_marked and head is None and place > 0:
            head = place - 1
        is_plain = len(said) <= _LONGEST_ITEM and not ends_sentence(said)
        is_last = len(said) <= _LONGEST_ITEM and place > 0 and heads[-1] is not None
        is_item = head is not None and (is_marked or is_plain or is_last)
        heads.append(head if is_item else None)
        if said.endswith(_COLONS):
            head = place
        elif not is_item or (ends_sentence(said) and not is_marked):
            head = None
    return heads


def _score(sentence: str, question: Sequence[QueryTerm]) -> float:
    """How much of a question a sentence has; stop words count little."""
    held = set(extract_index_terms(sentence))
    return sum(
        term.weight * (_STOP_WORD if term.is_stop_word else 1.0)
        for term in question
        if not held.isdisjoint(term.alternatives)
    )


def _rank(best: int, scores: Sequence[float], heads: Sequence[int | None]) -> list[int]:
    """The order in which pieces are taken.

    The best one and the items that it introduces, then the others that match as well, then what
    stands around it, first what follows.
    """
    items = [place for place, head in enumerate(heads) if head == best]
    others = sorted(range(len(scores)), key=lambda place: (abs(place - best), -place))
    strong = sorted(
        (place for place in others if _is_strong(place, best, scores)),
        key=lambda place: -scores[place],
    )
    return [best, *items, *strong, *others]


def _is_strong(place: int, best: int, scores: Sequence[float]) -> bool:
    return scores[place] >= max(_STRONG * scores[best], _STRONG)


def _belongs(place: int, best: int, chosen: set[int], scores: Sequence[float]) -> bool:
    """Whether a piece is taken if there is room: the best, a strong one, or the next to one."""
    is_next = place - 1 in chosen or place + 1 in chosen
    return not chosen or is_next or _is_strong(place, best, scores)


def _to_passages(pieces: Sequence[TextRange], chosen: set[int]) -> list[TextRange]:
    """Merge chosen pieces that follow each other."""
    passages: list[TextRange] = []
    last = -2
    for place in sorted(chosen):
        start, end = pieces[place]
        if place == last + 1:
            passages[-1] = TextRange(passages[-1].start, end)
        else:
            passages.append(TextRange(start, end))
        last = place
    return passages
