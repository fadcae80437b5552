"""The sentences of a message that its speaker says, without what is quoted, pasted or logged."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from tacit.language.extraction.authorship import WeighAuthorship, is_in_doubt
from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.foreign_sentences import find_foreign_sentences
from tacit.language.extraction.lines import LINE_MARKER
from tacit.language.extraction.memory_orders import is_memory_order, show_headings
from tacit.language.extraction.messages import MessageText, prepare_message
from tacit.language.extraction.questions import split_sentence
from tacit.language.extraction.quoted_text import has_masked_passage, remove_masked_passages
from tacit.language.extraction.rule_matches import is_about_memory
from tacit.language.extraction.sentences import SentenceSpan
from tacit.language.extraction.third_party_text import (
    find_adopted_text,
    has_third_party_text,
    shows_own_text,
)
from tacit.language.sentences import split_sentences

_WORD = re.compile(r"[^\W_]")
_NOT_OWN = (RefusalReason.QUOTATION, RefusalReason.ABOUT_MEMORY)


class OwnSentence(NamedTuple):
    """A sentence of a message, what it tells before it asks, and whether it only asks.

    A role to play and what is only imagined are asked for, and tell nothing. `lead` is what stands
    between it and the sentence before it: a space, or a line break with the mark of a list item.
    """

    text: str
    told: str
    only_asks: bool
    lead: str = " "

    @property
    def is_item(self) -> bool:
        """Whether it begins an item of a list."""
        return not self.lead.isspace()


def is_doubtful(text: str, weigh: WeighAuthorship | None = None) -> bool:
    """Whether a message may hold words that are not the speaker's, so that none of it is sure."""
    message = prepare_message(text)
    reasons = find_foreign_sentences(message.hidden, message.sentences)
    by_patterns = has_foreign_words(message, reasons)
    return is_in_doubt(text, by_patterns, weigh) or bool(find_adopted_text(text))


def has_foreign_words(message: MessageText, reasons: Mapping[int, RefusalReason]) -> bool:
    """Whether a message hands over a text, or anything in it looks quoted or pasted.

    A horizontal rule alone does not, nor does code that is presented as the person's own ("this is
    my loader"). `reasons` are those of its foreign sentences.
    """
    is_own_code = any(map(shows_own_text, split_sentences(message.said)))
    is_foreign = any(
        line.reason is not None
        and not (is_own_code and line.reason is RefusalReason.CODE)
        and _WORD.search(message.said, line.start, line.end)
        for line in message.lines
    )
    is_foreign = is_foreign or RefusalReason.QUOTATION in reasons.values()
    return is_foreign or has_masked_passage(message.hidden) or has_third_party_text(message.said)


def find_own_sentences(text: str) -> list[OwnSentence]:
    """The speaker's own sentences, without orders to ignore or override memory and rules."""
    message = prepare_message(text)
    said, hidden = message.said, message.hidden
    spoken = message.sentences
    reasons = find_foreign_sentences(hidden, spoken)
    wrapped = _find_wrapped_orders(message, [each.sentence for each in spoken])
    kept: list[OwnSentence] = []
    line = -1
    for place, each in enumerate(spoken):
        start, end = each.sentence.start, each.sentence.end
        is_order = place in wrapped or is_about_memory(message, each.sentence, each.tables)
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
        if words:
            lead = " " if each.sentence.line == line else _lead_of_line(said, each.sentence)
            kept.append(OwnSentence(words, told, only_asks, lead))
            line = each.sentence.line
    return kept


def _lead_of_line(said: str, sentence: SentenceSpan) -> str:
    """The line break before a line, with the mark of an item if it is one."""
    written = said[said.rfind("\n", 0, sentence.start) + 1 : sentence.start]
    mark = LINE_MARKER.match(written) if sentence.is_item else None
    return f"\n{mark[0].strip()} " if mark else "\n"


def _find_wrapped_orders(message: MessageText, sentences: Sequence[SentenceSpan]) -> set[int]:
    """The sentences that are orders only together with the next line."""
    said, hidden = message.said, message.hidden
    found: set[int] = set()
    for place, (one, other) in enumerate(pairwise(sentences)):
        is_wrapped = one.line != other.line and hidden[one.end - 1].isalnum()
        both = slice(one.start, other.end)
        if is_wrapped and is_memory_order(show_headings(said[both], hidden[both])):
            found |= {place, place + 1}
    return found
