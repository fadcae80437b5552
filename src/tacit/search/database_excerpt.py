"""The part of a large workspace that a search reads through the database's own indexes.

It is ranked like a workspace in memory, by the statistics of the whole.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tacit.core.vectors import EmbeddingModel, Vector
from tacit.language.terms import QueryTerm, term_code
from tacit.search.corpus import Corpus, CorpusStatistics
from tacit.search.filter import Filter
from tacit.search.lexical import LexicalScores, count_documents, split_by_rarity
from tacit.store.index import DatabaseIndex

MOST_TERM_MATCHES = 3_000
"""Terms choose candidates, rarest first, until this many memories hold them."""

_MOST_MATCHES_OF_ONE_TERM = 10_000
_PLACES = 4


@dataclass(frozen=True, slots=True)
class _TermFrequency:
    """A term of the query and how many memories hold it."""

    codes: tuple[int, ...]
    documents: int


class DatabaseExcerpt:
    """What the words of a query match, and then, with its vector, everything that may be a hit.

    `matches` is a corpus of texts without vectors; its rows have passed every filter but time.
    """

    def __init__(self, index: DatabaseIndex, terms: Sequence[QueryTerm], filter: Filter) -> None:
        self._index = index
        self._query = filter.query()
        self.filter = Filter(now=filter.now)
        document_frequencies = index.document_frequencies(
            sorted({each for term in terms for each in _term_codes(term)})
        )
        batch = index.find_by_terms(_choose_terms(terms, document_frequencies), self._query)
        sessions = sorted({each for each in batch.column("session") if each is not None})
        words = index.session_words(sessions) if sessions else {}
        self._statistics = CorpusStatistics(index.statistics, document_frequencies, words)
        self.matches = Corpus(None, self._statistics)
        self.matches.add(batch)

    def complete(
        self,
        model: EmbeddingModel | None,
        words: LexicalScores,
        ids: Iterable[str],
        vector: Vector | None,
        most: int,
    ) -> Corpus:
        """The memories that are named or nearest, with vectors, and what was said around them."""
        near = [] if vector is None else self._index.find_nearest(vector, self._query, most)
        names = (name for name, _ in self.matches.columns.sessions.items())
        scores = dict(zip(names, words.sessions.tolist(), strict=True))
        corpus = Corpus(model, replace(self._statistics, session_scores=scores))
        corpus.add(self._index.load_with_neighbours(list(dict.fromkeys([*ids, *near])), _PLACES))
        return corpus


def _choose_terms(terms: Sequence[QueryTerm], document_frequencies: Mapping[int, int]) -> list[int]:
    """The codes of the terms that choose candidates."""
    asked = [
        _TermFrequency(codes, count_documents(document_frequencies, codes))
        for codes in map(_term_codes, terms)
    ]
    rare, _ = split_by_rarity(
        [each for each in asked if each.documents <= _MOST_MATCHES_OF_ONE_TERM], MOST_TERM_MATCHES
    )
    return sorted({each for term in rare for each in term.codes})


def _term_codes(term: QueryTerm) -> tuple[int, ...]:
    return tuple(term_code(stem) for stem in term.alternatives)
