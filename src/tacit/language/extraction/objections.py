"""Objections: why a text in which somebody else found something is not worth keeping."""

from collections.abc import Iterator

from tacit.language.extraction.contents import check_content
from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.foreign_sentences import find_foreign_sentences
from tacit.language.extraction.guards import find_excuse
from tacit.language.extraction.messages import MessageText, prepare_message
from tacit.language.extraction.rule_matches import is_about_memory, read_sentence
from tacit.language.extraction.rule_tables import RuleTable
from tacit.language.extraction.sentences import SentenceSpan, skip_lead_ins

_OPENINGS = (
    ("requests", RefusalReason.MOMENT),
    ("pleasantries", RefusalReason.PLEASANTRY),
    ("pronouns", RefusalReason.NO_REFERENT),
    ("supposes", RefusalReason.HYPOTHETICAL),
)


def find_objection(text: str) -> RefusalReason | None:
    """Return why nothing in a text is worth remembering; None if a sentence may be."""
    reasons = list(_sentence_reasons(prepare_message(text)))
    if not reasons:
        return RefusalReason.TOO_SHORT
    return reasons[0] if all(reasons) else None


def _sentence_reasons(message: MessageText) -> Iterator[RefusalReason | None]:
    """Yield the objection to each line and sentence, if there is one."""
    yield from (line.reason for line in message.lines if line.reason is not None)
    spoken = message.sentences
    quoted = find_foreign_sentences(message.hidden, spoken)
    for place, each in enumerate(spoken):
        yield quoted.get(place) or _reason_against(message, each.sentence, each.tables[0])


def _reason_against(
    message: MessageText, sentence: SentenceSpan, words: RuleTable
) -> RefusalReason | None:
    hidden = message.hidden
    if is_about_memory(message, sentence, (words,)):
        return RefusalReason.ABOUT_MEMORY
    start, end = skip_lead_ins(hidden, sentence.start, sentence.end, words), sentence.end
    reading = read_sentence(hidden, sentence, words)
    if reading.statements:
        return None
    if reading.reason is not None:
        return reading.reason
    opening = next((why for name, why in _OPENINGS if words[name].match(hidden, start, end)), None)
    inside = find_excuse(hidden[start:end], words)
    return opening or inside or check_content(message.said[start:end], hidden[start:end], words)
