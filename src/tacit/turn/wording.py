"""The words of a conversation that a receipt keeps, without the secrets in them."""

from collections.abc import Iterator, Sequence

from tacit.messages import is_human, text_of
from tacit.query import Question, cleaned
from tacit.redaction import clip, redact_pieces, redact_start
from tacit.text import query_terms
from tacit.turn.request import Request

_QUERY = 800
_READ = 20_000
"""So much is looked at of a message."""

_EXCHANGES = 3
"""So far back a question reaches."""


def query_of(request: Request) -> str:
    """What was said, as far as it is kept."""
    said = "\n".join(text_of(message) for message in request.incoming)
    kept = redact_start(said, _READ)
    return clip(cleaned(kept.text) if kept.kinds else request.text, _QUERY)


def context_of(question: Question, history: Sequence[object]) -> tuple[str, ...]:
    """The terms that came from what was said before, but for those of secrets."""
    terms = tuple(term.alternatives[0] for term in question.context)
    last = redact_pieces([*_last(history)][::-1]) if terms else []
    said = [redact_start(text, _READ) for text in last]
    if not any(each.kinds for each in said):
        return terms
    known = {term.alternatives[0] for each in said for term in query_terms(each.text)}
    return tuple(term for term in terms if term in known)


def _last(history: Sequence[object]) -> Iterator[str]:
    """The texts of the last exchanges, newest first."""
    people = 0
    for message in reversed(history):
        yield text_of(message)
        people += is_human(message)
        if people == _EXCHANGES:
            return
