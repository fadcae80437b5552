"""An excerpt of a workspace that is searched where it lies: what its indexes find for a question.

It is ranked like a workspace in memory, by the counts of the whole.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tacit.core.vectors import EmbeddingModel, Vector
from tacit.language.text.analysis import QueryTerm
from tacit.language.text.codes import code
from tacit.search.corpus.corpus import Corpus
from tacit.search.corpus.counted import Counted
from tacit.search.filter import Filter
from tacit.search.lexical import Lexical, split
from tacit.store.index import Index

MOST_HOLDING = 3_000
"""Terms choose candidates as long as not more memories than this hold them, rarest first."""

_MOST_ALONE = 10_000
_PLACES = 4


@dataclass(frozen=True, slots=True)
class _Asked:
    """A term of the question and how many memories hold it."""

    codes: tuple[int, ...]
    documents: int


class Excerpt:
    """What the words of a question find, and then, with its meaning, all that may be an answer.

    `matches` is a corpus of texts alone, whose rows have passed every filter but the clock.
    """

    def __init__(self, index: Index, terms: Sequence[QueryTerm], filter: Filter) -> None:
        self._index = index
        self._query = filter.query()
        self.filter = Filter(now=filter.now)
        commonness = index.commonness(sorted({each for term in terms for each in _codes(term)}))
        batch = index.holding(_telling(terms, commonness), self._query)
        sessions = sorted({each for each in batch.column("session") if each is not None})
        words = index.session_words(sessions) if sessions else {}
        self._counted = Counted(index.census, commonness, words)
        self.matches = Corpus(None, self._counted)
        self.matches.take(batch)

    def completed(
        self,
        model: EmbeddingModel | None,
        words: Lexical,
        ids: Iterable[str],
        vector: Vector | None,
        most: int,
    ) -> Corpus:
        """The memories that are named or nearest, with vectors, and what was said around them."""
        near = [] if vector is None else self._index.nearest(vector, self._query, most)
        names = (name for name, _ in self.matches.columns.sessions.items())
        scores = dict(zip(names, words.sessions.tolist(), strict=True))
        corpus = Corpus(model, replace(self._counted, session_scores=scores))
        corpus.take(self._index.these(list(dict.fromkeys([*ids, *near])), _PLACES))
        return corpus


def _telling(terms: Sequence[QueryTerm], commonness: Mapping[int, int]) -> list[int]:
    """The codes of the terms that choose candidates."""
    asked = [
        _Asked(_codes(term), sum(commonness.get(each, 0) for each in _codes(term)))
        for term in terms
    ]
    telling, _ = split([each for each in asked if each.documents <= _MOST_ALONE], MOST_HOLDING)
    return sorted({each for term in telling for each in term.codes})


def _codes(term: QueryTerm) -> tuple[int, ...]:
    return tuple(code(stem) for stem in term.alternatives)
