"""Objections: why a text in which somebody else found something is not worth keeping."""

from collections.abc import Iterator

from tacit.language.extraction.contents import check_content
from tacit.language.extraction.extract import MAX_CHARACTERS
from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.foreign_sentences import SpokenSentence, find_foreign_sentences
from tacit.language.extraction.guards import find_excuse
from tacit.language.extraction.lines import normalize_line_ends, split_lines
from tacit.language.extraction.quotations import find_quoted_lines
from tacit.language.extraction.quoted_text import mask_quotes, tidy_spaces
from tacit.language.extraction.rule_matches import is_about_memory, read_sentence
from tacit.language.extraction.rule_tables import (
    DEFAULT_LANGUAGE,
    RuleTable,
    detect_rule_tables,
    load_rule_table,
)
from tacit.language.extraction.sentences import SentenceSpan, skip_lead_ins, split_line

_OPENINGS = (
    ("requests", RefusalReason.MOMENT),
    ("pleasantries", RefusalReason.PLEASANTRY),
    ("pronouns", RefusalReason.NO_REFERENT),
    ("supposes", RefusalReason.HYPOTHETICAL),
)


def find_objection(text: str) -> RefusalReason | None:
    """Return why nothing in a text is worth remembering; None if a sentence may be."""
    reasons = list(_sentence_reasons(normalize_line_ends(text[:MAX_CHARACTERS])))
    if not reasons:
        return RefusalReason.TOO_SHORT
    return reasons[0] if all(reasons) else None


def _sentence_reasons(text: str) -> Iterator[RefusalReason | None]:
    """Yield the objection to each sentence, if there is one."""
    said = tidy_spaces(text)
    hidden = mask_quotes(said)
    whole = detect_rule_tables(hidden) or (load_rule_table(DEFAULT_LANGUAGE),)
    spoken = []
    for number, line in enumerate(split_lines(said, hidden, find_quoted_lines(text))):
        if line.reason is not None:
            yield line.reason
            continue
        spoken += [SpokenSentence(each, whole) for each in split_line(hidden, number, line)]
    quoted = find_foreign_sentences(hidden, spoken)
    for place, each in enumerate(spoken):
        yield quoted.get(place) or _reason_against(said, hidden, each.sentence, whole[0])


def _reason_against(
    said: str, hidden: str, sentence: SentenceSpan, words: RuleTable
) -> RefusalReason | None:
    if is_about_memory(hidden, sentence, (words,)):
        return RefusalReason.ABOUT_MEMORY
    start, end = skip_lead_ins(hidden, sentence.start, sentence.end, words), sentence.end
    reading = read_sentence(hidden, sentence, words)
    if reading.statements:
        return None
    if reading.reason is not None:
        return reading.reason
    opening = next((why for name, why in _OPENINGS if words[name].match(hidden, start, end)), None)
    inside = find_excuse(hidden[start:end], words)
    return opening or inside or check_content(said[start:end], hidden[start:end], words)
