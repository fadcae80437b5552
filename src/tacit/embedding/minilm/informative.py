"""Choosing what of a long query is worth embedding."""

from collections.abc import Sequence
from itertools import groupby


def informative(ids: Sequence[int], words: Sequence[int | None], limit: int) -> list[int]:
    """At most `limit` tokens: the rarest words, each once before any twice, in their order.

    WordPiece numbers its pieces by frequency, so a higher id is a rarer piece; a word is as rare as
    its rarest piece. Words are kept or left whole. `words` says which word each token is of.
    """
    if len(ids) <= limit:
        return list(ids)
    pieces = [
        tuple(id for id, _ in group)
        for _, group in groupby(zip(ids, words, strict=True), key=lambda pair: pair[1])
    ]
    kept = _chosen(pieces, limit)
    return [id for place, word in enumerate(pieces) if place in kept for id in word]


def _chosen(pieces: Sequence[tuple[int, ...]], limit: int) -> set[int]:
    first = {word: place for place, word in reversed(list(enumerate(pieces)))}
    ranked = sorted(
        range(len(pieces)), key=lambda place: (first[pieces[place]] != place, -max(pieces[place]))
    )
    kept: set[int] = set()
    for place in ranked:
        if len(pieces[place]) <= limit:
            limit -= len(pieces[place])
            kept.add(place)
    return kept
