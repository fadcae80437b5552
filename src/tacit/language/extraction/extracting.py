"""The course from a message to what is worth knowing in it."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from tacit.core.kinds import MemoryType, Scope
from tacit.language.extraction.expiry import expiry
from tacit.language.extraction.finding import Extraction, Finding, Reason, Refused
from tacit.language.extraction.judging import excuse
from tacit.language.extraction.language import languages
from tacit.language.extraction.lines import Line, lines, with_line_feeds
from tacit.language.extraction.masking import VEIL, holds_passage, masked, tidied, without_passages
from tacit.language.extraction.quotation import quoted_lines
from tacit.language.extraction.reading import Reading, Statement, read
from tacit.language.extraction.sentences import sentences
from tacit.language.extraction.table import DEFAULT, Heading, Table, table
from tacit.language.extraction.voice import Spoken, foreign
from tacit.language.extraction.wording import LONGEST, capitalised, closed, trimmed, unworthy

_WORD = re.compile(r"[^\W_]")
CHARACTERS = 20_000
"""So much of a message is read."""
_TALK = 350
_REMARK = 200
"""In longer messages, what does not speak of who says it is a text that they work on: soonest
where no openly marked wording says otherwise."""
_HEADING = 200
"""So long the heading of a list may be."""
FINDINGS = 20
"""So many statements are taken from one message, and so many refusals told."""

_PASSING = frozenset((MemoryType.CONSTRAINT, MemoryType.DECISION, MemoryType.PREFERENCE))
"""What can hold for a day or a session only."""


def extract(text: str, now: datetime) -> Extraction:
    """The statements of a message that are worth knowing later, and what was left, with reasons."""
    given = with_line_feeds(text[:CHARACTERS])
    said = tidied(given)
    return _Message(said, masked(said), quoted_lines(given), now).extraction()


def own_words(text: str) -> str:
    """What is left of a message without what is quoted or pasted in it, by its layout."""
    given = with_line_feeds(text[:CHARACTERS])
    said, quoted = tidied(given), quoted_lines(given)
    hidden = masked(said)
    kept = [
        without_passages(said[line.start : line.end], hidden[line.start : line.end])
        for line in lines(said, hidden, quoted)
        if line.reason is not Reason.QUOTATION
    ]
    return "\n".join(kept)


class _Message:
    """A message while it is read."""

    def __init__(self, text: str, hidden: str, quoted: Collection[int], now: datetime) -> None:
        self._text = text
        self._hidden = hidden
        self._quoted = quoted
        self._now = now
        self._findings: dict[str, Finding] = {}
        self._refused: list[Refused] = []

    def extraction(self) -> Extraction:
        """All that is found."""
        whole = languages(self._hidden) or [table(DEFAULT)]
        spoken: list[Spoken] = []
        written = lines(self._text, self._hidden, self._quoted)
        for number, line in enumerate(written):
            if line.reason is not None:
                self._leave(line.start, line.end, line.reason, whole)
                continue
            spoken += self._spoken(number, line, whole)
        reasons = foreign(self._hidden, spoken)
        headings = self._headings(written, whole)
        for place, each in enumerate(spoken):
            if len(self._findings) >= FINDINGS:
                break
            reason = reasons.get(place)
            if reason is not None:
                self._leave(each.sentence.start, each.sentence.end, reason, each.tables)
            else:
                self._read(each, headings.get(each.sentence.line))
        return Extraction(
            findings=tuple(self._findings.values()),
            refused=tuple(self._refused[:FINDINGS]),
            has_quotes=_has_quotes(self._text, self._hidden, written, reasons),
        )

    def _spoken(self, number: int, line: Line, whole: Sequence[Table]) -> Iterator[Spoken]:
        for sentence in sentences(self._hidden, number, line):
            said = self._hidden[sentence.start : sentence.end]
            yield Spoken(sentence, languages(said) or whole)

    def _headings(
        self, written: Sequence[Line], whole: Sequence[Table]
    ) -> dict[int, tuple[str, Heading, Table]]:
        """The heading above each item of a list."""
        found: dict[int, tuple[str, Heading, Table]] = {}
        above: tuple[str, Heading, Table] | None = None
        for number, line in enumerate(written):
            if line.is_item:
                if above is not None:
                    found[number] = above
            else:
                above = self._heading(line, whole)
        return found

    def _heading(self, line: Line, whole: Sequence[Table]) -> tuple[str, Heading, Table] | None:
        said = self._hidden[line.start : line.end].strip()
        for known in whole if len(said) <= _HEADING else ():
            for heading in known.headings:
                if heading.pattern.fullmatch(said):
                    shown = self._text[line.start : line.end].strip().rstrip(":").rstrip()
                    return shown, heading, known
        return None

    def _read(self, each: Spoken, heading: tuple[str, Heading, Table] | None) -> None:
        sentence = each.sentence
        reading = Reading()
        for known in each.tables:
            reading = read(self._hidden, sentence, known)
            kept = [self._keep(each, one, known, reading) for one in reading.statements]
            if any(kept):
                return
        if heading is not None and reading.reason is None:
            self._keep_item(each, *heading)
            return
        said = self._hidden[sentence.start : sentence.end]
        reason = reading.reason
        if reason in (None, Reason.QUESTION):
            reason = excuse(said, each.tables[0]) or reason
        if reason is None and VEIL in said:
            reason = Reason.QUOTATION
        if reason is not None:
            self._leave(sentence.start, sentence.end, reason, each.tables)

    def _keep(self, each: Spoken, one: Statement, table: Table, reading: Reading) -> bool:
        start, end = trimmed(self._hidden, one.start, one.end, table)
        end = closed(self._text, start, end)
        content = capitalised(self._text[start:end])
        reason = unworthy(content, self._hidden[start:end], table)
        reason = reason or self._foreign(start, end, one, table)
        if reason is not None:
            reading.reason = reading.reason or reason
            return False
        self._put(
            Finding(
                content=content,
                type=one.type,
                confidence=one.confidence,
                rule=one.rule,
                key=one.key,
                scope=_scope(content, one.type, one.scope, table),
                expires_at=expiry(content, self._now, of_the_moment=one.type in _PASSING),
                sentence=self._sentence(each),
            )
        )
        return True

    def _foreign(self, start: int, end: int, one: Statement, table: Table) -> Reason | None:
        """Whether it breaks off, or speaks of nobody here in a message that is no short word."""
        if table["clipped"].search(self._hidden[start:end]):
            return Reason.NO_REFERENT
        if len(self._text) <= (_REMARK if one.is_plain else _TALK):
            return None
        speaks = table["own"].match if one.is_plain else table["person"].search
        return None if speaks(self._hidden, start, end) else Reason.QUOTATION

    def _keep_item(self, each: Spoken, shown: str, heading: Heading, table: Table) -> None:
        start, end = trimmed(self._hidden, each.sentence.start, each.sentence.end, table)
        content = capitalised(f"{shown}: {self._text[start:end]}")
        if start < end and len(content) <= LONGEST:
            self._put(
                Finding(
                    content=content,
                    type=heading.type,
                    confidence=0.85,
                    rule=f"{table.language}.list",
                    scope=_scope(content, heading.type, None, table),
                    sentence=self._sentence(each),
                )
            )

    def _sentence(self, each: Spoken) -> str:
        return self._text[each.sentence.start : each.sentence.end][:LONGEST]

    def _put(self, finding: Finding) -> None:
        if len(self._findings) < FINDINGS:
            self._findings.setdefault(finding.content.casefold(), finding)

    def _leave(self, start: int, end: int, reason: Reason, asked: Sequence[Table]) -> None:
        """Tell why a sentence was left, if it sounded like something to remember."""
        if len(self._refused) >= FINDINGS:
            return
        if any(known["cues"].search(self._text, start, end) for known in asked):
            sentence = self._text[start:end].strip()[:LONGEST]
            self._refused.append(Refused(sentence=sentence, reason=reason))


def _has_quotes(
    text: str, hidden: str, written: Sequence[Line], reasons: Mapping[int, Reason]
) -> bool:
    """Whether anything in a message looks quoted or pasted; a rule alone does not."""
    is_foreign = any(
        line.reason is not None and _WORD.search(text, line.start, line.end) for line in written
    )
    return is_foreign or holds_passage(hidden) or Reason.QUOTATION in reasons.values()


def _scope(content: str, type: MemoryType, ruled: Scope | None, table: Table) -> Scope:
    """Whose a statement is: the project's where it speaks of what "we" work on."""
    if type in _PASSING and table["session"].search(content):
        return Scope.SESSION
    if table["here"].search(content):
        return Scope.PROJECT
    is_own = type is MemoryType.IDENTITY or bool(table["own"].match(content))
    is_ours = ruled is Scope.PROJECT or (not is_own and bool(table["project"].search(content)))
    return Scope.PROJECT if is_ours and not table["home"].search(content) else Scope.USER
