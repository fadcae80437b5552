"""Text analysis: one way to turn any text into search terms, the same for every backend."""

from tacit.text.analysis import ANALYSIS_VERSION, QueryTerm, query_terms, terms
from tacit.text.codes import code, packed, signed_code
from tacit.text.languages import guess

__all__ = [
    "ANALYSIS_VERSION",
    "QueryTerm",
    "code",
    "guess",
    "packed",
    "query_terms",
    "signed_code",
    "terms",
]
