"""Extract from a message what is worth remembering, by rules, and by a model's weight if given."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from tacit.core.kinds import MemoryType, Scope
from tacit.language.extraction.antecedents import name_person, split_at_person
from tacit.language.extraction.clause_reports import ReadSpan, TakenSpan, report_clauses
from tacit.language.extraction.contents import (
    MAX_CONTENT_LENGTH,
    capitalize,
    check_content,
    include_closing_bracket,
    trim_statement,
)
from tacit.language.extraction.expiry import find_expiry, state_day, type_by_day
from tacit.language.extraction.findings import (
    ClauseReport,
    Extraction,
    Finding,
    RefusalReason,
    Refused,
)
from tacit.language.extraction.foreign_sentences import SpokenSentence, find_foreign_sentences
from tacit.language.extraction.guards import explain_no_match
from tacit.language.extraction.lines import MessageLine
from tacit.language.extraction.messages import MessageText, prepare_message, prepare_sentence
from tacit.language.extraction.questions import read_opening
from tacit.language.extraction.quoted_text import (
    MASK,
    has_masked_passage,
    remove_masked_passages,
)
from tacit.language.extraction.rule_matches import (
    ExtractedStatement,
    SentenceReading,
    is_about_memory,
    read_sentence,
)
from tacit.language.extraction.rule_tables import (
    RULE_TYPES,
    ListHeading,
    RuleTable,
)
from tacit.language.extraction.sentences import TextSpan
from tacit.language.extraction.worth import (
    ENOUGH,
    MAX_CLAUSES_WEIGHED,
    OpenClause,
    Weigh,
    find_open_clauses,
    is_passing,
    weigh_once,
)

_WORD = re.compile(r"[^\W_]")
_TALK = 350
_REMARK = 200
"""In longer messages, a statement that is not about the speaker counts as a text they work on; for
plain statements, which no explicit wording marks, the limit is lower."""
_HEADING = 200
"""The maximum length of a list heading."""
WEIGHED = "model"
"""The rule of what no rule of a table takes and a model weighs enough."""
_WEIGHED_CONFIDENCE = 0.8
MAX_FINDINGS = 20
"""The most statements, and the most refusals, that are reported for one message."""


def extract_findings(
    text: str, now: datetime, *, explains: bool = False, weigh: Weigh | None = None
) -> Extraction:
    """Extract the statements worth remembering from a message, and the refusals with reasons.

    If it `explains`, it says of every clause what became of it. What `weigh` finds hardly worth
    remembering is left, and what it finds clearly so is taken without a rule.
    """
    reader = _MessageReader(prepare_message(text), now)
    found = reader.extraction(weigh)
    return replace(found, clauses=reader.clauses()) if explains else found


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


class _MessageReader:
    """Reads one message."""

    def __init__(self, message: MessageText, now: datetime) -> None:
        self._message = message
        self._text = message.said
        self._hidden = message.hidden
        self._now = now
        self._findings: dict[str, Finding] = {}
        self._refused: list[Refused] = []
        self._taken: list[TakenSpan] = []
        self._spans: list[ReadSpan] = []
        self._clause_reasons: dict[int, RefusalReason] = {}

    def clauses(self) -> tuple[ClauseReport, ...]:
        """What became of each clause of the message that was read."""
        return report_clauses(self._text, self._hidden, self._spans)

    def extraction(self, weigh: Weigh | None = None) -> Extraction:
        """Read the message and return everything found."""
        for line in self._message.lines:
            if line.reason is not None:
                self._leave(line.start, line.end, line.reason, self._message.tables)
        spoken = [
            part for each in self._message.split_sentences() for part in self._split_at_person(each)
        ]
        reasons = find_foreign_sentences(self._hidden, spoken)
        headings = self._headings()
        for place, each in enumerate(spoken):
            is_full = len(self._findings) >= MAX_FINDINGS
            reason = RefusalReason.TOO_MANY if is_full else reasons.get(place)
            if reason is not None:
                self._leave(each.sentence.start, each.sentence.end, reason, each.tables)
                continue
            heading = headings.get(each.sentence.line)
            if heading is not None and _asks_to_keep(*heading):
                each = each._replace(is_explicit=True)
            if not self._read_named(spoken[:place], each):
                self._read(each, heading)
        has_quotes = _has_quotes(self._message, reasons)
        if weigh is not None:
            self._weigh(weigh, [] if has_quotes else self._open_clauses())
        return Extraction(
            findings=tuple(self._findings.values()),
            refused=tuple(self._refused[:MAX_FINDINGS]),
            has_quotes=has_quotes,
        )

    def _weigh(self, weigh: Weigh, clauses: Sequence[OpenClause]) -> None:
        """Leave what is hardly worth remembering, and take the clauses that clearly are."""
        plain = self._weighed_statements()
        likelihoods = weigh_once(weigh, self._text, [*plain, *clauses])
        self._leave_passing({each.content.casefold() for each in plain}, likelihoods)
        for clause in clauses:
            if likelihoods[clause.content.casefold()] >= ENOUGH:
                self._take_clause(clause)
        self._spans = [self._span_after_weighing(span) for span in self._spans]

    def _open_clauses(self) -> list[OpenClause]:
        """The clauses that are kept if they are worth it; what cannot be kept is refused."""
        found: list[OpenClause] = []
        for clause in find_open_clauses(self._text, self._hidden, self._spans):
            _, reason = self._cut(_to_statement(clause), clause.table)
            if reason is not None:
                self._clause_reasons[clause.start] = reason
            elif len(found) < MAX_CLAUSES_WEIGHED:
                found.append(clause)
            else:
                self._clause_reasons[clause.start] = RefusalReason.TOO_MANY
        return found

    def _weighed_statements(self) -> list[TakenSpan]:
        """What nobody asked to keep, and what does not answer a question that has a key."""
        kept = {each.content.casefold() for each in self._taken if each.is_explicit}
        kept |= {content for content, finding in self._findings.items() if finding.key is not None}
        return [each for each in self._taken if each.content.casefold() not in kept]

    def _leave_passing(self, weighed: Collection[str], likelihoods: Mapping[str, float]) -> None:
        """Leave the statements that are hardly worth remembering."""
        left = [
            finding
            for content, finding in self._findings.items()
            if content in weighed and is_passing(finding.type, likelihoods[content])
        ]
        gone = {finding.content.casefold() for finding in left}
        self._findings = {key: each for key, each in self._findings.items() if key not in gone}
        self._taken = [taken for taken in self._taken if taken.content.casefold() not in gone]
        refused = [Refused(sentence=each.sentence, reason=RefusalReason.PASSING) for each in left]
        self._refused += refused[: max(0, MAX_FINDINGS - len(self._refused))]

    def _take_clause(self, clause: OpenClause) -> None:
        """Take a clause that no rule reads, as a fact."""
        reading = SentenceReading()
        self._keep(clause.sentence, _to_statement(clause), clause.table, reading)
        if reading.reason is not None:
            self._clause_reasons[clause.start] = reading.reason

    def _span_after_weighing(self, span: ReadSpan) -> ReadSpan:
        taken = tuple(one for one in self._taken if span.start <= one.start < span.end)
        is_left = not {*span.taken} <= {*taken}
        refused = tuple(
            (start, reason)
            for start, reason in self._clause_reasons.items()
            if span.start <= start < span.end
        )
        reason = span.reason or (RefusalReason.PASSING if is_left else None)
        return span._replace(taken=taken, reason=reason, refused=refused)

    def _read_named(self, before: Sequence[SpokenSentence], each: SpokenSentence) -> bool:
        """Read a sentence with the person whom its pronoun means; whether it states anything."""
        earlier = [self._hidden[one.sentence.start : one.sentence.end] for one in before]
        said = self._text[each.sentence.start : each.sentence.end]
        named = name_person(said, earlier, each.tables[0])
        if named is None:
            return False
        found = _MessageReader(prepare_sentence(named), self._now).extraction().findings
        start, end = each.sentence.start, each.sentence.end
        for finding in found:
            named_finding = replace(finding, sentence=self._sentence(each.sentence))
            self._take(named_finding, start, end, is_explicit=each.is_explicit)
        if found:
            self._note_read(each, None)
        return bool(found)

    def _split_at_person(self, each: SpokenSentence) -> Iterator[SpokenSentence]:
        """The parts of a sentence that goes on about a person whom it names."""
        table = each.tables[0]
        first, *later = split_at_person(self._hidden, each.sentence, table)
        yield each._replace(sentence=first)
        is_explicit = bool(later) and read_opening(self._hidden, first, table).is_explicit
        yield from (SpokenSentence(part, each.tables, is_explicit) for part in later)

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
        said = self._hidden[line.start : line.end].strip()
        for known in self._message.tables if len(said) <= _HEADING else ():
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
            for one in reading.statements:
                one.is_explicit = one.is_explicit or each.is_explicit
            kept = [self._keep(sentence, one, known, reading) for one in reading.statements]
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
        sentence: TextSpan,
        one: ExtractedStatement,
        table: RuleTable,
        reading: SentenceReading,
    ) -> bool:
        (start, end, content), reason = self._cut(one, table)
        if reason is not None:
            reading.reason = reading.reason or reason
            return False
        type = type_by_day(content, self._now, one.type)
        finding = Finding(
            content=state_day(content, self._now, type)[:MAX_CONTENT_LENGTH],
            type=type,
            confidence=one.confidence,
            rule=one.rule,
            key=one.key,
            scope=_choose_scope(content, type, one.scope, table),
            expires_at=find_expiry(content, self._now, type),
            sentence=self._sentence(sentence),
        )
        if self._take(finding, start, end, is_explicit=one.is_explicit):
            return True
        reading.reason = reading.reason or RefusalReason.TOO_MANY
        return False

    def _cut(
        self, one: ExtractedStatement, table: RuleTable
    ) -> tuple[tuple[int, int, str], RefusalReason | None]:
        """The place and the content of a statement, and why it cannot be kept, if it cannot."""
        start, end = trim_statement(self._hidden, one.start, one.end, table)
        end = include_closing_bracket(self._text, start, end)
        content = capitalize(self._text[start:end])
        reason = check_content(content, self._hidden[start:end], table)
        return (start, end, content), reason or self._foreign(start, end, one, table)

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
            finding = Finding(
                content=content,
                type=heading.type,
                confidence=0.85,
                rule=f"{table.language}.list",
                scope=_choose_scope(content, heading.type, None, table),
                sentence=self._sentence(each.sentence),
            )
            self._take(finding, start, end, is_explicit=each.is_explicit)

    def _sentence(self, sentence: TextSpan) -> str:
        return self._text[sentence.start : sentence.end][:MAX_CONTENT_LENGTH]

    def _take(self, finding: Finding, start: int, end: int, *, is_explicit: bool) -> bool:
        """Take a statement, unless there are too many."""
        content = finding.content.casefold()
        if len(self._findings) < MAX_FINDINGS:
            self._findings.setdefault(content, finding)
        if content not in self._findings:
            return False
        self._taken.append(TakenSpan(start, end, finding.content, is_explicit))
        return True

    def _leave(
        self, start: int, end: int, reason: RefusalReason, asked: Sequence[RuleTable]
    ) -> None:
        """Record why a sentence was refused, and report it if it sounded worth remembering.

        What stands before a question may be read once more.
        """
        table = asked[0] if reason is RefusalReason.QUESTION else None
        self._spans.append(ReadSpan(start, end, reason, table=table))
        if len(self._refused) >= MAX_FINDINGS:
            return
        if any(known["cues"].search(self._text, start, end) for known in asked):
            sentence = self._text[start:end].strip()[:MAX_CONTENT_LENGTH]
            self._refused.append(Refused(sentence=sentence, reason=reason))


def _to_statement(clause: OpenClause) -> ExtractedStatement:
    """A clause that no rule reads, as a fact."""
    return ExtractedStatement(
        clause.start, clause.end, WEIGHED, MemoryType.FACT, _WEIGHED_CONFIDENCE, is_plain=True
    )


def _asks_to_keep(shown: str, _: ListHeading, table: RuleTable) -> bool:
    """Whether the heading of a list asks to keep its items: "please remember:"."""
    return table["explicit"].match(f"{shown}: ") is not None


def _has_quotes(message: MessageText, reasons: Mapping[int, RefusalReason]) -> bool:
    """Whether anything in a message looks quoted or pasted; a horizontal rule alone does not."""
    is_foreign = any(
        line.reason is not None and _WORD.search(message.said, line.start, line.end)
        for line in message.lines
    )
    is_foreign = is_foreign or RefusalReason.QUOTATION in reasons.values()
    return is_foreign or has_masked_passage(message.hidden)


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
