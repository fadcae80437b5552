"""The sentences of a message that its speaker says, without what is quoted, pasted or logged."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.foreign_sentences import find_foreign_sentences
from tacit.language.extraction.memory_orders import is_memory_order
from tacit.language.extraction.messages import prepare_message
from tacit.language.extraction.questions import split_sentence
from tacit.language.extraction.quoted_text import remove_masked_passages
from tacit.language.extraction.rule_matches import is_about_memory
from tacit.language.extraction.sentences import SentenceSpan

_NOT_OWN = (RefusalReason.QUOTATION, RefusalReason.ABOUT_MEMORY)


class OwnSentence(NamedTuple):
    """A sentence of a message, what it tells before it asks, and whether it only asks.

    A role to play and what is only imagined are asked for, and tell nothing.
    """

    text: str
    told: str
    only_asks: bool


def find_own_sentences(text: str) -> list[OwnSentence]:
    """The speaker's own sentences, without orders to ignore or override memory and rules."""
    message = prepare_message(text)
    said, hidden = message.said, message.hidden
    spoken = list(message.split_sentences())
    reasons = find_foreign_sentences(hidden, spoken)
    wrapped = _find_wrapped_orders(hidden, [each.sentence for each in spoken])
    kept = []
    for place, each in enumerate(spoken):
        start, end = each.sentence.start, each.sentence.end
        is_order = place in wrapped or is_about_memory(hidden, each.sentence, each.tables)
        if reasons.get(place) in _NOT_OWN or is_order:
            continue
        parts = [split_sentence(hidden, each.sentence, table) for table in each.tables]
        told_until = min(part.told_until for part in parts)
        words, told = (
            remove_masked_passages(said[start:stop], hidden[start:stop]).strip()
            for stop in (end, told_until)
        )
        is_imagined = reasons.get(place) is RefusalReason.HYPOTHETICAL
        only_asks = is_imagined or all(part.only_asks for part in parts)
        kept.append(OwnSentence(words, told, only_asks))
    return [sentence for sentence in kept if sentence.text]


def _find_wrapped_orders(hidden: str, sentences: Sequence[SentenceSpan]) -> set[int]:
    """The sentences that are orders only together with the next line."""
    found: set[int] = set()
    for place, (one, other) in enumerate(pairwise(sentences)):
        is_wrapped = one.line != other.line and hidden[one.end - 1].isalnum()
        if is_wrapped and is_memory_order(hidden[one.start : other.end]):
            found |= {place, place + 1}
    return found
