"""Find what a speaker does not say in earnest: a pasted page, a role play, a text to work on."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.rule_tables import RuleTable
from tacit.language.extraction.sentences import SentenceSpan, skip_lead_ins
from tacit.language.extraction.third_party_text import shows_own_text

# Pages: messages that are a pasted document as a whole.


_HEADING = re.compile(r" ?#{1,6} \S")
_TITLE = re.compile(r"(?-i:[A-ZÀ-Þ\[])(?!.*\b(?:I|i|my|we|our|me|you|please|thanks)\b).{2,70}")
_END_SIGNS = tuple(".,:;!?…")
_TAGGED = re.compile(r"\s*<([a-z][\w-]*+)[^>]*>.*</\1>\s*", re.DOTALL)
_CHAT_STAMP = re.compile(
    r" ?[^\W\d].{0,30} \[?\d{1,2}:\d\d(?: ?[ap]m)?\]?$|\d\d:\d\d:\d\d,\d{3} -->", re.IGNORECASE
)
_FURNITURE = re.compile(
    r"^(?:diff --git |caveat: |automatic reply\b|out of office\b|abstract[.:] |what's new in )"
    r"|^opinion \| "
    r"|^\[(?:verse|chorus|hook|bridge|intro|outro)\b|^(?:co-authored-by|signed-off-by):"
    r"|\bintended (?:solely for|recipient)|\bwithout warranty\b|\ball rights reserved\b"
    r"|\b(?:by clicking|we value your privacy|our \d+ partners|continued use shall)\b"
    r"|\[(?:accept|reject|manage|read more|log ?in|sign ?up)\b[^\[\]]*\]"
    r"|\b(?:subscribe to continue|already a subscriber|jump to recipe|add to (?:cart|basket)"
    r"|verified purchase|found this helpful|\d+ (?:ratings|reviews)|size guide|free returns)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LETTER = re.compile(
    r"(?:dear (?!assistant|claude|chat)|sehr geehrte[rs]?|madame|monsieur|estimad[oa]s?)\b"
    r"[^.!?\n]{0,50}[,:]?$",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:I|I'm|i|i'm|my|[Ii]ch|[Mm]ein\w*|mir|[Jj]e|j'ai|mon|ma|mes|[Yy]o|mi|mis|from you)\b"
)
_DOCUMENT_HEADING = re.compile(
    r"#{1,6} (?:contribut\w*|install\w*|usage|licen[sc]e|getting started|quick ?start|requirements?"
    r"|api|change ?log|faq|features|docs|documentation|overview|abstract|introduction|nutzung"
    r"|lizenz|mitwirken|licence|utilisation|uso|licencia|instalación)\b",
    re.IGNORECASE,
)
_LONGEST_NOTE = 600
"""A shorter text with headings is a note of the speaker's own if they speak of themselves."""
_LEAST_LINES = 3
_VERSE = 70
"""The maximum length of a line of verse."""


def is_page(text: str) -> bool:
    """Whether a whole message is a page, a letter, a chat log or the like."""
    if _TAGGED.fullmatch(text) or _FURNITURE.search(text):
        return True
    written = [line.strip() for line in text.strip().split("\n")]
    stamped = sum(bool(_CHAT_STAMP.match(line)) for line in written)
    return stamped > 1 or _is_titled(written) or _is_verse(written)


def _is_titled(written: Sequence[str]) -> bool:
    """Whether a text has headings, or begins with a title or a formal address."""
    if sum(bool(_HEADING.match(line)) for line in written) > 1:
        said = " ".join(written)
        is_short_note = len(said) <= _LONGEST_NOTE and _DOCUMENT_HEADING.search(said) is None
        return not is_short_note or _SELF.search(said) is None
    if len(written) < _LEAST_LINES or written[1]:
        return False
    first = written[0]
    if _HEADING.match(first) or _LETTER.fullmatch(first):
        return True
    return not first.endswith(_END_SIGNS) and _TITLE.fullmatch(first) is not None


def _is_verse(written: Sequence[str]) -> bool:
    """Whether lines break within sentences and still begin with capitals."""
    pairs = pairwise(written)
    broken = sum(line.endswith(",") and below[:1].isupper() for line, below in pairs)
    return broken > 1 and max(map(len, written)) < _VERSE


# Sentences that the speaker does not say in earnest: role play, fiction, a text to work on.


_MIN_TEXT_ABOVE = 300
"""At least this many characters above a task are the text that it is about."""
_ABOVE = re.compile(
    r"\b(?:above|previous|preceding|obig\w{1,2}|oben|vorstehend\w{0,2}|ci-dessus|plus haut"
    r"|pr[ée]c[ée]dente?|arriba|anterior)\b",
    re.IGNORECASE,
)
"""If a task says so, a shorter text counts too."""
_MIN_PASTED_MESSAGE = 1_500
"""In longer messages, only the beginning and the end are the speaker's own words."""
_OWN_START = 400
_OWN_END = 300


class SpokenSentence(NamedTuple):
    """A sentence and the languages that it may be in."""

    sentence: SentenceSpan
    tables: Sequence[RuleTable]
    is_explicit: bool = False
    """Whether the words before it ask to keep it: the heading of its list, or its first half."""
    has_rules: bool = True
    """Whether it is in a language that rules read."""

    def between(self, start: int, end: int) -> "SpokenSentence":
        """Return a part of the sentence."""
        return self._replace(sentence=self.sentence._replace(start=start, end=end))


def find_foreign_sentences(
    hidden: str, spoken: Sequence[SpokenSentence]
) -> dict[int, RefusalReason]:
    """Return the sentences that the speaker does not say in earnest, and why."""
    count = len(spoken)
    if is_page(hidden):
        return dict.fromkeys(range(count), RefusalReason.QUOTATION)
    reasons = _find_pasted(hidden, spoken)
    for place, each in enumerate(spoken):
        if _matches_pattern(hidden, each, "hijacks", anywhere=True):
            return dict.fromkeys(range(count), RefusalReason.ABOUT_MEMORY)
        if _matches_pattern(hidden, each, "takes_back"):
            reasons[max(place - 1, 0)] = RefusalReason.NEGATED
        if _matches_pattern(hidden, each, "fiction"):
            return dict.fromkeys(range(count), RefusalReason.QUOTATION)
        said = hidden[each.sentence.start : each.sentence.end]
        is_given = _matches_pattern(hidden, each, "forwards") and not shows_own_text(said)
        if is_given or _introduces_text(hidden, spoken, place):
            return reasons | dict.fromkeys(range(place, count), RefusalReason.QUOTATION)
        if _matches_pattern(hidden, each, "plays") or _matches_pattern(hidden, each, "supposes_on"):
            return reasons | dict.fromkeys(range(place, count), RefusalReason.HYPOTHETICAL)
    return reasons | _find_text_above_task(hidden, spoken)


def _find_pasted(hidden: str, spoken: Sequence[SpokenSentence]) -> dict[int, RefusalReason]:
    last = len(hidden.rstrip())
    if last < _MIN_PASTED_MESSAGE:
        return {}
    return {
        place: RefusalReason.QUOTATION
        for place, each in enumerate(spoken)
        if _OWN_START < each.sentence.start < last - _OWN_END
    }


def _matches_pattern(
    hidden: str, each: SpokenSentence, name: str, *, anywhere: bool = False
) -> bool:
    sentence = each.sentence
    for table in each.tables:
        if anywhere:
            if table[name].search(hidden, sentence.start, sentence.end):
                return True
        else:
            start = skip_lead_ins(hidden, sentence.start, sentence.end, table)
            if table[name].match(hidden, start, sentence.end):
                return True
    return False


def _introduces_text(hidden: str, spoken: Sequence[SpokenSentence], place: int) -> bool:
    """Whether a text to work on follows."""
    sentence = spoken[place].sentence
    is_own = shows_own_text(hidden[sentence.start : sentence.end])
    if is_own or not _matches_pattern(hidden, spoken[place], "tasks"):
        return False
    if ":" in hidden[sentence.start : sentence.end]:
        return True
    following = spoken[place + 1] if place + 1 < len(spoken) else None
    return following is not None and following.sentence.line != sentence.line


def _find_text_above_task(
    hidden: str, spoken: Sequence[SpokenSentence]
) -> dict[int, RefusalReason]:
    """Find the text above a task at the end of a message."""
    if not spoken or not _matches_pattern(hidden, spoken[-1], "tasks"):
        return {}
    last = spoken[-1].sentence
    above = [place for place, each in enumerate(spoken) if each.sentence.line != last.line]
    is_long = last.start - spoken[0].sentence.start >= _MIN_TEXT_ABOVE
    if not above or not (is_long or _ABOVE.search(hidden, last.start, last.end)):
        return {}
    return dict.fromkeys(above, RefusalReason.QUOTATION)
