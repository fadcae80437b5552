"""Extract from a message what is worth remembering, by rules, and by a model's weight if given."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from tacit.language.extraction.antecedents import (
    join_referring,
    name_person,
    split_at_person,
)
from tacit.language.extraction.authorship import WeighAuthorship, is_in_doubt
from tacit.language.extraction.clause_reports import report_clauses
from tacit.language.extraction.drafts import MAX_FINDINGS, ExtractionDraft
from tacit.language.extraction.findings import Extraction, RefusalReason
from tacit.language.extraction.foreign_sentences import SpokenSentence, find_foreign_sentences
from tacit.language.extraction.guards import explain_no_match
from tacit.language.extraction.introductions import find_introduction
from tacit.language.extraction.lines import MessageLine
from tacit.language.extraction.messages import MessageText, prepare_message, prepare_sentence
from tacit.language.extraction.own_sentences import has_foreign_words
from tacit.language.extraction.questions import read_opening
from tacit.language.extraction.quoted_text import MASK, remove_masked_passages
from tacit.language.extraction.repairs import repair_message
from tacit.language.extraction.rule_matches import (
    SentenceReading,
    is_about_memory,
    read_sentence,
)
from tacit.language.extraction.rule_tables import (
    LANGUAGES,
    ListHeading,
    RuleTable,
    load_rule_table,
)
from tacit.language.extraction.third_party_text import find_adopted_text
from tacit.language.extraction.worth import Weigh, weigh_draft

_WORD = re.compile(r"[^\W_]")
_MAX_HEADING = 200
"""The maximum length of a list heading."""


def extract_findings(
    text: str,
    now: datetime,
    *,
    explains: bool = False,
    weigh: Weigh | None = None,
    weigh_authorship: WeighAuthorship | None = None,
) -> Extraction:
    """Extract the statements worth remembering from a message, and the refusals with reasons.

    If it `explains`, it says of every clause what became of it. What `weigh` finds hardly worth
    remembering is left, and what it finds clearly so is taken without a rule. What
    `weigh_authorship` finds likely to be somebody else's text is in doubt.
    """
    adopted = find_adopted_text(text)
    if adopted:
        found = extract_findings(adopted, now, explains=explains, weigh=weigh)
        return replace(found, has_quotes=True, adopts_text=True)
    message = repair_message(prepare_message(text))
    reader = _RuleReader(message, now)
    has_quotes = is_in_doubt(text, reader.read(), weigh_authorship)
    draft = reader.draft
    if weigh is not None:
        weigh_draft(draft, weigh, takes_clauses=not has_quotes)
    return Extraction(
        findings=tuple(draft.findings.values()),
        refused=tuple(draft.refused[:MAX_FINDINGS]),
        has_quotes=has_quotes,
        clauses=report_clauses(message.said, message.hidden, draft.spans) if explains else (),
    )


def keep_own_words(text: str) -> str:
    """Remove what is quoted or pasted in a message, by its layout."""
    message = prepare_message(text)
    said, hidden = message.said, message.hidden
    kept = [
        remove_masked_passages(said[line.start : line.end], hidden[line.start : line.end])
        for line in message.lines
        if line.reason is not RefusalReason.QUOTATION
    ]
    return "\n".join(kept)


class _RuleReader:
    """Reads one message by the rules."""

    def __init__(self, message: MessageText, now: datetime) -> None:
        self.draft = ExtractionDraft(message, now)
        self._message = message
        self._now = now

    def read(self) -> bool:
        """Read the message; whether anything in it looks quoted, pasted or handed over."""
        for line in self._message.lines:
            if line.reason is not None:
                self.draft.refuse(line, line.reason, self._message.tables)
        spoken = [
            part
            for each in join_referring(self._message.hidden, self._message.sentences)
            for part in self._split_at_person(each)
        ]
        reasons = find_foreign_sentences(self._message.hidden, spoken)
        headings = self._headings()
        for place, each in enumerate(spoken):
            reason = RefusalReason.TOO_MANY if self.draft.is_full else reasons.get(place)
            if reason is None and not self._message.is_clear(
                each.sentence.start, each.sentence.end
            ):
                reason = RefusalReason.NEGATED
            if reason is not None:
                self.draft.refuse(each.sentence, reason, each.tables)
                continue
            heading = headings.get(each.sentence.line)
            if heading is not None and _asks_to_keep(*heading):
                each = each._replace(is_explicit=True)
            if not (each.has_rules or each.is_explicit):
                self._read_order(each)
                continue
            told = self._take_introduction(each)
            if told is not None and not self._read_named(spoken[:place], told):
                self._read(told, heading)
        return has_foreign_words(self._message, reasons)

    def _read_order(self, each: SpokenSentence) -> None:
        """Take from a sentence that no rules read only what it asks to keep: "remember: …"."""
        languages = (*(table.language for table in each.tables), *LANGUAGES)
        tables = [load_rule_table(language) for language in dict.fromkeys(languages)]
        if is_about_memory(self._message, each.sentence, each.tables):
            self.draft.refuse(each.sentence, RefusalReason.ABOUT_MEMORY, each.tables)
            return
        for table in tables:
            reading = read_sentence(self._message.hidden, each.sentence, table)
            reading.statements = [one for one in reading.statements if one.is_explicit]
            if self._keep_any(each, reading, table):
                self.draft.note_read(each, RefusalReason.OTHER_LANGUAGE)
                return
        self.draft.refuse(each.sentence, RefusalReason.OTHER_LANGUAGE, each.tables)

    def _take_introduction(self, each: SpokenSentence) -> SpokenSentence | None:
        """Take the name that somebody introduces themselves by; return the rest of the sentence."""
        hidden, (start, end, *_) = self._message.hidden, each.sentence
        for table in each.tables:
            named = find_introduction(hidden, each.sentence, table)
            if named is not None:
                self.draft.keep(each.sentence, named, table)
                self.draft.note_read(each.between(start, named.end), None)
                rest = _WORD.search(hidden, named.end, end)
                return each.between(rest.start(), end) if rest else None
        return each

    def _read_named(self, before: Sequence[SpokenSentence], each: SpokenSentence) -> bool:
        """Read a sentence with the person whom its pronoun means; whether it states anything."""
        hidden, (start, end, *_) = self._message.hidden, each.sentence
        earlier = [hidden[one.sentence.start : one.sentence.end] for one in before]
        named = name_person(self._message.said[start:end], earlier, each.tables[0])
        if named is None:
            return False
        reader = _RuleReader(prepare_sentence(named), self._now)
        reader.read()
        for finding in reader.draft.findings.values():
            whole = replace(finding, sentence=self.draft.quote(each.sentence))
            self.draft.take(whole, start, end, is_explicit=each.is_explicit)
        if reader.draft.findings:
            self.draft.note_read(each, None)
        return bool(reader.draft.findings)

    def _split_at_person(self, each: SpokenSentence) -> Iterator[SpokenSentence]:
        """The parts of a sentence that goes on about a person whom it names."""
        table = each.tables[0]
        first, *later = split_at_person(self._message.hidden, each.sentence, table)
        yield each._replace(sentence=first)
        is_explicit = bool(later) and read_opening(self._message.hidden, first, table).is_explicit
        yield from (each._replace(sentence=part, is_explicit=is_explicit) for part in later)

    def _headings(self) -> dict[int, tuple[str, ListHeading, RuleTable]]:
        """Return the heading above each list item."""
        found: dict[int, tuple[str, ListHeading, RuleTable]] = {}
        above: tuple[str, ListHeading, RuleTable] | None = None
        for number, line in enumerate(self._message.lines):
            if line.is_item:
                if above is not None:
                    found[number] = above
            else:
                above = self._heading(line)
        return found

    def _heading(self, line: MessageLine) -> tuple[str, ListHeading, RuleTable] | None:
        said = self._message.hidden[line.start : line.end].strip()
        for known in self._message.tables if len(said) <= _MAX_HEADING else ():
            for heading in known.headings:
                if heading.pattern.fullmatch(said):
                    shown = self._message.said[line.start : line.end].strip().rstrip(":").rstrip()
                    return shown, heading, known
        return None

    def _read(
        self, each: SpokenSentence, heading: tuple[str, ListHeading, RuleTable] | None
    ) -> None:
        if is_about_memory(self._message, each.sentence, each.tables):
            self.draft.refuse(each.sentence, RefusalReason.ABOUT_MEMORY, each.tables)
            return
        reading = SentenceReading()
        for table in each.tables:
            reading = read_sentence(self._message.hidden, each.sentence, table)
            if self._keep_any(each, reading, table):
                self.draft.note_read(each, reading.reason)
                return
        if heading is not None and reading.reason is None:
            self.draft.keep_item(each, *heading)
            self.draft.note_read(each, None)
            return
        reason = self._explain(each, reading.reason)
        if reason is not None:
            self.draft.refuse(each.sentence, reason, each.tables)
        else:
            self.draft.note_read(each, None)

    def _keep_any(self, each: SpokenSentence, reading: SentenceReading, table: RuleTable) -> bool:
        """Keep the statements of a sentence that can be kept; whether there are any."""
        is_kept = False
        for one in reading.statements:
            one.is_explicit = one.is_explicit or each.is_explicit
            reason = self.draft.keep(each.sentence, one, table)
            is_kept = is_kept or reason is None
            reading.reason = reading.reason or reason
        return is_kept

    def _explain(self, each: SpokenSentence, reason: RefusalReason | None) -> RefusalReason | None:
        """Say why nothing was kept of a sentence, as far as can be told."""
        said = self._message.hidden[each.sentence.start : each.sentence.end]
        if reason in (None, RefusalReason.QUESTION):
            reason = explain_no_match(said, each.tables[0]) or reason
        return RefusalReason.QUOTATION if reason is None and MASK in said else reason


def _asks_to_keep(shown: str, _: ListHeading, table: RuleTable) -> bool:
    """Whether the heading of a list asks to keep its items: "please remember:"."""
    return table["explicit"].match(f"{shown}: ") is not None
