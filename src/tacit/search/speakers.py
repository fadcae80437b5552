"""Whose words a query asks for."""

from collections.abc import Sequence

from tacit.language.text.analysis import QueryTerm, terms
from tacit.search.corpus.corpus import Corpus


def named_speakers(query: Sequence[QueryTerm], corpus: Corpus) -> list[int]:
    """The number of the one speaker that the query names; nobody if it names none or several."""
    asked = {alternative for term in query for alternative in term.alternatives}
    named = [
        number
        for name, number in corpus.columns.names["speaker"].items()
        if (own := terms(name)) and asked.issuperset(own)
    ]
    return named if len(named) == 1 else []
