"""One workspace in arrays: derived from the store, kept fresh by its revisions."""

from tacit.search.corpus.cache import CorpusCache
from tacit.search.corpus.corpus import Corpus
from tacit.search.corpus.counted import Counted

__all__ = ["Corpus", "CorpusCache", "Counted"]
