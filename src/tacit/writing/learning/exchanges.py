"""Two messages that follow each other: whether one is a text that the other one hands over.

"I live in Hamburg now", and then "is he happy there?": only the second message tells that the first
is somebody else's. A model reads both as one, since what it knows of texts and words about them in
one message holds for two as well. People mostly go on to speak of something else, or ask about what
they said themselves, so more is asked: that the other message makes the text look foreign, that it
tells nothing worth remembering unless it ends in a colon, and that the text asks nothing.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from tacit.language.extraction.extract import extract_findings
from tacit.language.extraction.own_sentences import find_own_sentences
from tacit.language.extraction.third_party_text import may_be_announced
from tacit.language.sentences import is_question

WeighExchange = Callable[[str, str], tuple[float, float]]
"""Says how likely each of two messages that follow each other is somebody else's text."""

MIN_PASSED_ON = 0.6
"""From this likelihood on a message is another's text if the one beside it asks or opens it."""

MIN_PASSED_ON_UNASKED = 0.95
"""The same if that asks nothing: "a colleague's lines"."""

MAX_ALONE = 0.2
"""Below this likelihood it looks like the person's own without that message."""

_MOST_BESIDE = 300
"""Characters of a message that is read as a word about another one, at most."""

_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)


class HandedOver(NamedTuple):
    """Which of two messages that follow each other are texts of somebody else."""

    before: bool = False
    after: bool = False


def find_handed_over(first: str, second: str, weigh: WeighExchange) -> HandedOver:
    """Which of two messages is a text that the other one hands over, as a model reads both."""
    opens = first.rstrip().endswith((":", "："))
    may_be_before = _may_be_text(first, second)
    may_be_after = _may_be_text(second, first, is_opened=opens)
    if not (may_be_before or may_be_after):
        return HandedOver()
    before, after = weigh(first, second)
    return HandedOver(
        before=may_be_before and before >= _find_least(second) and _is_told_by_other(first, weigh),
        after=may_be_after
        and after >= (MIN_PASSED_ON if opens else _find_least(first))
        and _is_told_by_other(second, weigh),
    )


def _may_be_text(text: str, beside: str, *, is_opened: bool = False) -> bool:
    """Whether a message may be a text, and the one beside it a word about it."""
    if len(beside) > _MOST_BESIDE or not may_be_announced(text) or _asks(text):
        return False
    return is_opened or not extract_findings(beside, _ANY_DAY).findings


def _find_least(beside: str) -> float:
    """The likelihood that a text beside a message must reach."""
    return MIN_PASSED_ON if _asks(beside) else MIN_PASSED_ON_UNASKED


def _is_told_by_other(text: str, weigh: WeighExchange) -> bool:
    """Whether a text looks foreign only beside the other message."""
    alone, _ = weigh(text, "")
    return alone < MAX_ALONE


def _asks(text: str) -> bool:
    return (
        "?" in text or is_question(text) or any(each.only_asks for each in find_own_sentences(text))
    )
