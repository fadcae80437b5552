"""Extract from a message what is worth remembering, by rules and without a model."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from tacit.core.kinds import MemoryType, Scope
from tacit.language.extraction.antecedents import name_person, split_at_person
from tacit.language.extraction.clause_reports import ReadSpan, TakenSpan, report_clauses
from tacit.language.extraction.expiry import RULE_TYPES, find_expiry, state_day
from tacit.language.extraction.findings import (
    ClauseReport,
    Extraction,
    Finding,
    RefusalReason,
    Refused,
)
from tacit.language.extraction.lines import MessageLine, normalize_line_ends, split_lines
from tacit.language.extraction.quotations import (
    SpokenSentence,
    find_foreign_sentences,
    find_quoted_lines,
)
from tacit.language.extraction.quoted_text import (
    MASK,
    has_masked_passage,
    mask_quotes,
    remove_masked_passages,
    tidy_spaces,
)
from tacit.language.extraction.rule_matches import (
    MAX_CONTENT_LENGTH,
    ExtractedStatement,
    SentenceReading,
    capitalize,
    check_content,
    explain_no_match,
    include_closing_bracket,
    is_about_memory,
    read_sentence,
    trim_statement,
)
from tacit.language.extraction.rule_tables import (
    DEFAULT_LANGUAGE,
    ListHeading,
    RuleTable,
    detect_rule_tables,
    load_rule_table,
)
from tacit.language.extraction.sentences import SentenceSpan, skip_lead_ins, split_line

_WORD = re.compile(r"[^\W_]")
MAX_CHARACTERS = 20_000
"""How much of a message is read."""
_TALK = 350
_REMARK = 200
"""In longer messages, a statement that is not about the speaker counts as a text they work on; for
plain statements, which no explicit wording marks, the limit is lower."""
_HEADING = 200
"""The maximum length of a list heading."""
MAX_FINDINGS = 20
"""The most statements, and the most refusals, that are reported for one message."""


def extract_findings(text: str, now: datetime, *, explains: bool = False) -> Extraction:
    """Extract the statements worth remembering from a message, and the refusals with reasons.

    If it `explains`, it says of every clause what became of it.
    """
    given = normalize_line_ends(text[:MAX_CHARACTERS])
    said = tidy_spaces(given)
    reader = _MessageReader(said, mask_quotes(said), find_quoted_lines(given), now)
    found = reader.extraction()
    return replace(found, clauses=reader.clauses()) if explains else found


def keep_own_words(text: str) -> str:
    """Remove what is quoted or pasted in a message, by its layout."""
    given = normalize_line_ends(text[:MAX_CHARACTERS])
    said, quoted = tidy_spaces(given), find_quoted_lines(given)
    hidden = mask_quotes(said)
    kept = [
        remove_masked_passages(said[line.start : line.end], hidden[line.start : line.end])
        for line in split_lines(said, hidden, quoted)
        if line.reason is not RefusalReason.QUOTATION
    ]
    return "\n".join(kept)


class _MessageReader:
    """Reads one message."""

    def __init__(self, text: str, hidden: str, quoted: Collection[int], now: datetime) -> None:
        self._text = text
        self._hidden = hidden
        self._quoted = quoted
        self._now = now
        self._findings: dict[str, Finding] = {}
        self._refused: list[Refused] = []
        self._taken: list[TakenSpan] = []
        self._spans: list[ReadSpan] = []

    def clauses(self) -> tuple[ClauseReport, ...]:
        """What became of each clause of the message that was read."""
        return report_clauses(self._text, self._hidden, self._spans)

    def extraction(self) -> Extraction:
        """Read the message and return everything found."""
        whole = detect_rule_tables(self._hidden) or [load_rule_table(DEFAULT_LANGUAGE)]
        spoken: list[SpokenSentence] = []
        written = split_lines(self._text, self._hidden, self._quoted)
        for number, line in enumerate(written):
            if line.reason is not None:
                self._leave(line.start, line.end, line.reason, whole)
                continue
            spoken += self._spoken(number, line, whole)
        reasons = find_foreign_sentences(self._hidden, spoken)
        headings = self._headings(written, whole)
        for place, each in enumerate(spoken):
            is_full = len(self._findings) >= MAX_FINDINGS
            reason = RefusalReason.TOO_MANY if is_full else reasons.get(place)
            if reason is not None:
                self._leave(each.sentence.start, each.sentence.end, reason, each.tables)
            elif not self._read_named(spoken[:place], each):
                self._read(each, headings.get(each.sentence.line))
        return Extraction(
            findings=tuple(self._findings.values()),
            refused=tuple(self._refused[:MAX_FINDINGS]),
            has_quotes=_has_quotes(self._text, self._hidden, written, reasons),
        )

    def _read_named(self, before: Sequence[SpokenSentence], each: SpokenSentence) -> bool:
        """Read a sentence with the person whom its pronoun means; whether it states anything."""
        earlier = [self._hidden[one.sentence.start : one.sentence.end] for one in before]
        said = self._text[each.sentence.start : each.sentence.end]
        named = name_person(said, earlier, each.tables[0])
        if named is None:
            return False
        found = _MessageReader(named, mask_quotes(named), (), self._now).extraction().findings
        start, end = each.sentence.start, each.sentence.end
        for finding in found:
            self._put(replace(finding, sentence=self._sentence(each)))
            self._taken.append(TakenSpan(start, end, finding.content))
        if found:
            self._note_read(each, None)
        return bool(found)

    def _spoken(
        self, number: int, line: MessageLine, whole: Sequence[RuleTable]
    ) -> Iterator[SpokenSentence]:
        for sentence in split_line(self._hidden, number, line):
            said = self._hidden[sentence.start : sentence.end]
            tables = detect_rule_tables(said) or whole
            for part in split_at_person(self._hidden, sentence, tables[0]):
                yield SpokenSentence(part, tables)

    def _headings(
        self, written: Sequence[MessageLine], whole: Sequence[RuleTable]
    ) -> dict[int, tuple[str, ListHeading, RuleTable]]:
        """Return the heading above each list item."""
        found: dict[int, tuple[str, ListHeading, RuleTable]] = {}
        above: tuple[str, ListHeading, RuleTable] | None = None
        for number, line in enumerate(written):
            if line.is_item:
                if above is not None:
                    found[number] = above
            else:
                above = self._heading(line, whole)
        return found

    def _heading(
        self, line: MessageLine, whole: Sequence[RuleTable]
    ) -> tuple[str, ListHeading, RuleTable] | None:
        said = self._hidden[line.start : line.end].strip()
        for known in whole if len(said) <= _HEADING else ():
            for heading in known.headings:
                if heading.pattern.fullmatch(said):
                    shown = self._text[line.start : line.end].strip().rstrip(":").rstrip()
                    return shown, heading, known
        return None

    def _read(
        self, each: SpokenSentence, heading: tuple[str, ListHeading, RuleTable] | None
    ) -> None:
        sentence = each.sentence
        reading = SentenceReading()
        if is_about_memory(self._hidden, sentence, each.tables):
            about_memory = RefusalReason.ABOUT_MEMORY
            self._leave(sentence.start, sentence.end, about_memory, each.tables)
            return
        for known in each.tables:
            reading = read_sentence(self._hidden, sentence, known)
            kept = [self._keep(each, one, known, reading) for one in reading.statements]
            if any(kept):
                self._note_read(each, reading.reason)
                return
        if heading is not None and reading.reason is None:
            self._keep_item(each, *heading)
            self._note_read(each, None)
            return
        said = self._hidden[sentence.start : sentence.end]
        reason = reading.reason
        if reason in (None, RefusalReason.QUESTION):
            reason = explain_no_match(said, each.tables[0]) or reason
        if reason is None and MASK in said:
            reason = RefusalReason.QUOTATION
        if reason is not None:
            self._leave(sentence.start, sentence.end, reason, each.tables)
        else:
            self._note_read(each, None)

    def _note_read(self, each: SpokenSentence, reason: RefusalReason | None) -> None:
        """Note that a sentence was read, with what was taken from it."""
        start, end = each.sentence.start, each.sentence.end
        taken = tuple(one for one in self._taken if start <= one.start < end)
        self._spans.append(ReadSpan(start, end, reason, taken, each.tables[0]))

    def _keep(
        self,
        each: SpokenSentence,
        one: ExtractedStatement,
        table: RuleTable,
        reading: SentenceReading,
    ) -> bool:
        start, end = trim_statement(self._hidden, one.start, one.end, table)
        end = include_closing_bracket(self._text, start, end)
        content = capitalize(self._text[start:end])
        reason = check_content(content, self._hidden[start:end], table)
        reason = reason or self._foreign(start, end, one, table)
        if reason is not None:
            reading.reason = reading.reason or reason
            return False
        finding = Finding(
            content=state_day(content, self._now, one.type)[:MAX_CONTENT_LENGTH],
            type=one.type,
            confidence=one.confidence,
            rule=one.rule,
            key=one.key,
            scope=_choose_scope(content, one.type, one.scope, table),
            expires_at=find_expiry(content, self._now, one.type),
            sentence=self._sentence(each),
        )
        self._put(finding)
        self._taken.append(TakenSpan(start, end, finding.content))
        return True

    def _foreign(
        self, start: int, end: int, one: ExtractedStatement, table: RuleTable
    ) -> RefusalReason | None:
        """Return why a statement is not the speaker's: it breaks off, or is not about them."""
        if table["clipped"].search(self._hidden[start:end]):
            return RefusalReason.NO_REFERENT
        if len(self._text) <= (_REMARK if one.is_plain else _TALK):
            return None
        speaks = table["own"].match if one.is_plain else table["person"].search
        return None if speaks(self._hidden, start, end) else RefusalReason.QUOTATION

    def _keep_item(
        self, each: SpokenSentence, shown: str, heading: ListHeading, table: RuleTable
    ) -> None:
        start, end = trim_statement(self._hidden, each.sentence.start, each.sentence.end, table)
        content = capitalize(f"{shown}: {self._text[start:end]}")
        if start < end and len(content) <= MAX_CONTENT_LENGTH:
            self._put(
                Finding(
                    content=content,
                    type=heading.type,
                    confidence=0.85,
                    rule=f"{table.language}.list",
                    scope=_choose_scope(content, heading.type, None, table),
                    sentence=self._sentence(each),
                )
            )
            self._taken.append(TakenSpan(start, end, content))

    def _sentence(self, each: SpokenSentence) -> str:
        return self._text[each.sentence.start : each.sentence.end][:MAX_CONTENT_LENGTH]

    def _put(self, finding: Finding) -> None:
        if len(self._findings) < MAX_FINDINGS:
            self._findings.setdefault(finding.content.casefold(), finding)

    def _leave(
        self, start: int, end: int, reason: RefusalReason, asked: Sequence[RuleTable]
    ) -> None:
        """Record why a sentence was refused, and report it if it sounded worth remembering."""
        self._spans.append(ReadSpan(start, end, reason))
        if len(self._refused) >= MAX_FINDINGS:
            return
        if any(known["cues"].search(self._text, start, end) for known in asked):
            sentence = self._text[start:end].strip()[:MAX_CONTENT_LENGTH]
            self._refused.append(Refused(sentence=sentence, reason=reason))


def _has_quotes(
    text: str, hidden: str, written: Sequence[MessageLine], reasons: Mapping[int, RefusalReason]
) -> bool:
    """Whether anything in a message looks quoted or pasted; a horizontal rule alone does not."""
    is_foreign = any(
        line.reason is not None and _WORD.search(text, line.start, line.end) for line in written
    )
    return is_foreign or has_masked_passage(hidden) or RefusalReason.QUOTATION in reasons.values()


def _choose_scope(content: str, type: MemoryType, ruled: Scope | None, table: RuleTable) -> Scope:
    """Choose the scope of a statement: the project's if it is about what "we" work on.

    A rule is the project's too, unless it speaks of the person or of how to talk to them.
    """
    if type in RULE_TYPES and table["session"].search(content):
        return Scope.SESSION
    if table["here"].search(content):
        return Scope.PROJECT
    is_own = type is MemoryType.IDENTITY or bool(table["own"].match(content))
    is_ours = ruled is Scope.PROJECT or (not is_own and bool(table["project"].search(content)))
    is_ours = is_ours or (type in RULE_TYPES and not table["personal"].search(content))
    return Scope.PROJECT if is_ours and not table["home"].search(content) else Scope.USER


# Objections: why a sentence that somebody else found is not worth keeping.


_OPENINGS = (
    ("requests", RefusalReason.MOMENT),
    ("pleasantries", RefusalReason.PLEASANTRY),
    ("pronouns", RefusalReason.NO_REFERENT),
    ("supposes", RefusalReason.HYPOTHETICAL),
)
_INSIDE = (
    ("complaints", RefusalReason.COMPLAINT),
    ("doubts", RefusalReason.NEGATED),
    ("idioms", RefusalReason.IDIOM),
)


def find_objection(text: str) -> RefusalReason | None:
    """Return why nothing in a text is worth remembering; None if a sentence may be."""
    reasons = list(_sentence_reasons(normalize_line_ends(text[:MAX_CHARACTERS])))
    return reasons[0] if reasons and all(reasons) else None if reasons else RefusalReason.TOO_SHORT


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
    inside = next((why for name, why in _INSIDE if words[name].search(hidden, start, end)), None)
    return opening or inside or check_content(said[start:end], hidden[start:end], words)
