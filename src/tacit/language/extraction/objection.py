"""What speaks against keeping a sentence, whatever it is about and whoever found it."""

from collections.abc import Iterator

from tacit.language.extraction.clauses import past_leads
from tacit.language.extraction.extracting import CHARACTERS
from tacit.language.extraction.finding import Reason
from tacit.language.extraction.language import languages
from tacit.language.extraction.lines import lines, with_line_feeds
from tacit.language.extraction.masking import masked, tidied
from tacit.language.extraction.quotation import quoted_lines
from tacit.language.extraction.reading import read
from tacit.language.extraction.sentences import Sentence, sentences
from tacit.language.extraction.table import DEFAULT, Table, table
from tacit.language.extraction.voice import Spoken, foreign
from tacit.language.extraction.wording import unworthy

_OPENINGS = (
    ("requests", Reason.MOMENT),
    ("pleasantries", Reason.PLEASANTRY),
    ("pronouns", Reason.NO_REFERENT),
    ("supposes", Reason.HYPOTHETICAL),
)
_INSIDE = (
    ("complaints", Reason.COMPLAINT),
    ("doubts", Reason.NEGATED),
    ("idioms", Reason.IDIOM),
)


def objection(text: str) -> Reason | None:
    """Why nothing of a text is worth knowing later; None where a sentence of it may be."""
    reasons = list(_reasons(with_line_feeds(text[:CHARACTERS])))
    return reasons[0] if reasons and all(reasons) else None if reasons else Reason.TOO_SHORT


def _reasons(text: str) -> Iterator[Reason | None]:
    """For each sentence what speaks against it, if anything does."""
    said = tidied(text)
    hidden = masked(said)
    whole = languages(hidden) or (table(DEFAULT),)
    spoken = []
    for number, line in enumerate(lines(said, hidden, quoted_lines(text))):
        if line.reason is not None:
            yield line.reason
            continue
        spoken += [Spoken(each, whole) for each in sentences(hidden, number, line)]
    quoted = foreign(hidden, spoken)
    for place, each in enumerate(spoken):
        yield quoted.get(place) or _against(said, hidden, each.sentence, whole[0])


def _against(said: str, hidden: str, sentence: Sentence, words: Table) -> Reason | None:
    start, end = past_leads(hidden, sentence.start, sentence.end, words), sentence.end
    reading = read(hidden, sentence, words)
    if reading.statements:
        return None
    if reading.reason is not None:
        return reading.reason
    opening = next((why for name, why in _OPENINGS if words[name].match(hidden, start, end)), None)
    inside = next((why for name, why in _INSIDE if words[name].search(hidden, start, end)), None)
    return opening or inside or unworthy(said[start:end], hidden[start:end], words)
