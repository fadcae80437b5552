"""What has been found in a message so far, and how a statement becomes a finding."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from tacit.core.kinds import MemoryType, Scope
from tacit.language.extraction.clause_reports import ReadSpan, TakenSpan
from tacit.language.extraction.contents import (
    MAX_CONTENT_LENGTH,
    capitalize,
    check_content,
    include_closing_bracket,
    trim_statement,
)
from tacit.language.extraction.expiry import find_expiry, state_day, type_by_day
from tacit.language.extraction.findings import Finding, RefusalReason, Refused
from tacit.language.extraction.foreign_sentences import SpokenSentence
from tacit.language.extraction.messages import MessageText
from tacit.language.extraction.rule_matches import ExtractedStatement
from tacit.language.extraction.rule_tables import RULE_TYPES, ListHeading, RuleTable
from tacit.language.extraction.sentences import TextSpan
from tacit.language.topics import (
    opens_with_all_projects,
    speaks_of_all_projects,
    speaks_of_project_parts,
)

MAX_FINDINGS = 20
"""The most statements, and the most refusals, that are reported for one message."""

_MAX_TALK = 350
_MAX_REMARK = 200
"""In longer messages, a statement that is not about the speaker counts as a text they work on; for
plain statements, which no explicit wording marks, the limit is lower."""

_ITEM_CONFIDENCE = 0.85


class ExtractionDraft:
    """What has been taken from a message and refused in it so far."""

    def __init__(self, message: MessageText, now: datetime) -> None:
        self.message = message
        self.findings: dict[str, Finding] = {}
        """By their casefolded contents."""
        self.refused: list[Refused] = []
        self.taken: list[TakenSpan] = []
        self.spans: list[ReadSpan] = []
        self._now = now

    @property
    def is_full(self) -> bool:
        """Whether no more statements are taken."""
        return len(self.findings) >= MAX_FINDINGS

    def keep(
        self, sentence: TextSpan, one: ExtractedStatement, table: RuleTable
    ) -> RefusalReason | None:
        """Take a statement of a sentence; otherwise return why it is not kept."""
        start, end = self._trim(one, table)
        reason = None if one.restated else self._check_span(start, end, one, table)
        if reason is not None:
            return reason
        content = capitalize(one.restated or self.message.said[start:end])
        type = type_by_day(content, self._now, one.type)
        finding = Finding(
            content=state_day(content, self._now, type)[:MAX_CONTENT_LENGTH],
            type=type,
            confidence=one.confidence,
            rule=one.rule,
            key=one.key,
            scope=_choose_scope(content, self.quote(sentence), type, one.scope, table),
            expires_at=find_expiry(content, self._now, type),
            sentence=self.quote(sentence),
        )
        is_taken = self.take(finding, start, end, is_explicit=one.is_explicit)
        return None if is_taken else RefusalReason.TOO_MANY

    def check(self, one: ExtractedStatement, table: RuleTable) -> RefusalReason | None:
        """Return why a statement cannot be kept, whatever it is worth."""
        return self._check_span(*self._trim(one, table), one, table)

    def _check_span(
        self, start: int, end: int, one: ExtractedStatement, table: RuleTable
    ) -> RefusalReason | None:
        content = capitalize(self.message.said[start:end])
        reason = check_content(content, self.message.hidden[start:end], table)
        return reason or self._check_speaker(start, end, table, is_plain=one.is_plain)

    def _trim(self, one: ExtractedStatement, table: RuleTable) -> tuple[int, int]:
        start, end = trim_statement(self.message.hidden, one.start, one.end, table)
        return start, include_closing_bracket(self.message.said, start, end)

    def _check_speaker(
        self, start: int, end: int, table: RuleTable, *, is_plain: bool
    ) -> RefusalReason | None:
        """Return why a statement is not the speaker's: it breaks off, or is not about them."""
        hidden = self.message.hidden
        if table["clipped"].search(hidden[start:end]):
            return RefusalReason.NO_REFERENT
        if len(hidden) <= (_MAX_REMARK if is_plain else _MAX_TALK):
            return None
        speaks = table["own"].match if is_plain else table["person"].search
        return None if speaks(hidden, start, end) else RefusalReason.QUOTATION

    def keep_item(
        self, each: SpokenSentence, shown: str, heading: ListHeading, table: RuleTable
    ) -> None:
        """Take an item of a list, with the heading above it."""
        sentence = each.sentence
        start, end = trim_statement(self.message.hidden, sentence.start, sentence.end, table)
        content = capitalize(f"{shown}: {self.message.said[start:end]}")
        if start < end and len(content) <= MAX_CONTENT_LENGTH:
            finding = Finding(
                content=content,
                type=heading.type,
                confidence=_ITEM_CONFIDENCE,
                rule=f"{table.language}.list",
                scope=_choose_scope(content, shown, heading.type, None, table),
                sentence=self.quote(sentence),
            )
            self.take(finding, start, end, is_explicit=each.is_explicit)

    def take(self, finding: Finding, start: int, end: int, *, is_explicit: bool) -> bool:
        """Take a finding, unless there are too many."""
        content = finding.content.casefold()
        if not self.is_full:
            self.findings.setdefault(content, finding)
        if content not in self.findings:
            return False
        self.taken.append(TakenSpan(start, end, finding.content, is_explicit))
        return True

    def drop(self, contents: Collection[str], reason: RefusalReason) -> None:
        """Refuse findings that were taken, by their casefolded contents."""
        dropped = [each for content, each in self.findings.items() if content in contents]
        self.findings = {key: each for key, each in self.findings.items() if key not in contents}
        self.taken = [each for each in self.taken if each.content.casefold() not in contents]
        refused = [Refused(sentence=each.sentence, reason=reason) for each in dropped]
        self.refused += refused[: max(0, MAX_FINDINGS - len(self.refused))]
        self.spans = [self._without_dropped(span, reason) for span in self.spans]

    def _without_dropped(self, span: ReadSpan, reason: RefusalReason) -> ReadSpan:
        taken = self._taken_in(span.start, span.end)
        is_dropped = not {*span.taken} <= {*taken}
        return span._replace(taken=taken, reason=span.reason or (reason if is_dropped else None))

    def note_clauses(self, reasons: Mapping[int, RefusalReason]) -> None:
        """Note which clauses were taken since, and by where they begin why others were refused."""
        self.spans = [
            span._replace(
                taken=self._taken_in(span.start, span.end),
                refused=tuple(
                    (start, why) for start, why in reasons.items() if span.start <= start < span.end
                ),
            )
            for span in self.spans
        ]

    def note_read(self, each: SpokenSentence, reason: RefusalReason | None) -> None:
        """Note that a sentence was read, with what was taken from it."""
        start, end = each.sentence.start, each.sentence.end
        taken = self._taken_in(start, end)
        self.spans.append(ReadSpan(start, end, reason, taken, each.tables[0]))

    def refuse(self, said: TextSpan, reason: RefusalReason, tables: Sequence[RuleTable]) -> None:
        """Record why a sentence was refused, and report it if it sounded worth remembering.

        What is in a language without rules is reported whatever it sounds like. What stands before
        a question may be read once more.
        """
        table = tables[0] if reason is RefusalReason.QUESTION else None
        self.spans.append(ReadSpan(said.start, said.end, reason, table=table))
        if len(self.refused) >= MAX_FINDINGS:
            return
        text, (start, end) = self.message.said, (said.start, said.end)
        is_cued = any(known["cues"].search(text, start, end) for known in tables)
        is_told = is_cued or reason is RefusalReason.OTHER_LANGUAGE
        if is_told or not self.message.is_clear(start, end):
            sentence = self.message.quote(start, end).strip()[:MAX_CONTENT_LENGTH]
            self.refused.append(Refused(sentence=sentence, reason=reason))

    def quote(self, sentence: TextSpan) -> str:
        """The words of a sentence, for a finding in it."""
        return self.message.quote(sentence.start, sentence.end)[:MAX_CONTENT_LENGTH]

    def _taken_in(self, start: int, end: int) -> tuple[TakenSpan, ...]:
        return tuple(one for one in self.taken if start <= one.start < end)


def _choose_scope(
    content: str, sentence: str, type: MemoryType, ruled: Scope | None, table: RuleTable
) -> Scope:
    """Choose the scope of a statement: the project's, unless it is the speaker's everywhere.

    That is what speaks of the person, of how to talk to them, of their home or of all projects.
    """
    if type in RULE_TYPES and table["session"].search(content):
        return Scope.SESSION
    if speaks_of_all_projects(content) or opens_with_all_projects(sentence, content):
        return Scope.USER
    if table["here"].search(content):
        return Scope.PROJECT
    if type is MemoryType.FACT and speaks_of_project_parts(content):
        return Scope.PROJECT
    is_own = type is MemoryType.IDENTITY or bool(table["own"].match(content))
    is_ours = ruled is Scope.PROJECT or (not is_own and bool(table["project"].search(content)))
    is_ours = is_ours or not (is_own or table["personal"].search(content))
    return Scope.PROJECT if is_ours and not table["home"].search(content) else Scope.USER
