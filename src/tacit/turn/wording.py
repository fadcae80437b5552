"""The words of a conversation that a receipt keeps, without the secrets in them."""

from collections.abc import Iterator, Sequence

from tacit.core.messages.parts import text_of
from tacit.core.messages.speaker import is_assistant, is_human
from tacit.language.query.asking import last_exchanges
from tacit.language.query.cleaning import cleaned
from tacit.language.query.question import CHARACTERS, Question
from tacit.language.redaction.text import Redacted, clip, redact_pieces, redact_start
from tacit.language.text.analysis import query_terms
from tacit.turn.request import Request

_NEAR, _FAR = 2_000, 20_000
"""So much of a message tells its query as a rule, and so much at most."""

_READ = 20_000
"""Once so much was read of what was said before, no older words are kept."""

_COUNTED = 7_000
"""What reading the start of a message comes to, with what is read beyond it for a secret's end."""


def query_of(request: Request) -> str:
    """What was said, as far as it is kept."""
    said = "\n".join(text_of(message) for message in request.incoming)
    kept = _start_of(said, request.text)
    return clip(cleaned(kept.text) if kept.kinds else request.text, CHARACTERS)


def context_of(question: Question, history: Sequence[object]) -> tuple[str, ...]:
    """The terms that came from what was said before, but for those of secrets."""
    terms = tuple(term.alternatives[0] for term in question.context)
    last = redact_pieces([*_asked_with(history)]) if terms else []
    said = [_start_of(text, cleaned(text)) for text in _affordable(last)]
    if len(said) == len(last) and not any(each.kinds for each in said):
        return terms
    known = {term.alternatives[0] for each in said for term in query_terms(each.text)}
    return tuple(term for term in terms if term in known)


def _start_of(said: str, clean: str) -> Redacted:
    """A message without secrets, as far as its query reaches; what is cleaned away may be long."""
    if cleaned(said[:_NEAR])[:CHARACTERS] == clean[:CHARACTERS]:
        near = redact_start(said, _NEAR)
        is_enough = len(said) <= _NEAR or len(cleaned(near.text)) >= CHARACTERS
        if is_enough or not near.kinds:
            return near
    return redact_start(said, _FAR)


def _asked_with(history: Sequence[object]) -> Iterator[str]:
    """The texts whose words a question may take, oldest first: of answers only the beginning."""
    left = 0
    for message in last_exchanges(history):
        text = text_of(message)
        if is_human(message):
            left = CHARACTERS
            yield text
        elif is_assistant(message) and left > 0:
            left -= len(text)
            yield text


def _affordable(texts: Sequence[str]) -> Iterator[str]:
    """The newest of some texts, until enough was read."""
    read = 0
    for text in reversed(texts):
        if read >= _READ:
            return
        read += min(len(text), _COUNTED)
        yield text
