"""Match a sentence against the rules: what it states, or why it does not count."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tacit.core.kinds import MemoryType, Scope
from tacit.language.extraction.contents import MAX_CONTENT_LENGTH, MAX_TAIL_LENGTH
from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.guards import SentenceContext, check_guards
from tacit.language.extraction.memory_orders import is_memory_order, show_headings
from tacit.language.extraction.messages import MessageText
from tacit.language.extraction.questions import (
    SentenceOpening,
    find_stated,
    split_sentence,
)
from tacit.language.extraction.rule_tables import (
    RULE_TYPES,
    ExtractionRule,
    RuleTable,
    compile_cached,
)
from tacit.language.extraction.sentences import ClauseSpan, SentenceSpan

# Matching a clause against the rules, and the guards that take a statement back.


_MAX_CLAUSES_MATCHED = 3
"""The most clauses that a rule may extend over."""
_MAX_CHARACTERS_MATCHED = MAX_CONTENT_LENGTH + MAX_TAIL_LENGTH
"""The most characters that a rule is matched against; longer statements are not kept."""


class RuleMatch(NamedTuple):
    """A rule that matches a clause, and where the match ends."""

    rule: ExtractionRule
    end: int


def match_rules(
    setting: SentenceContext, following: Sequence[ClauseSpan], start: int, table: RuleTable
) -> RuleMatch | RefusalReason | None:
    """Return the first rule that matches a clause, or why it does not count; None without a match.

    A rule may extend over the clauses after the first, but no further than it must. `start` is
    where the phrase before the clause begins, or the clause itself.
    """
    said_from = following[0].start
    hidden = _subject_first(setting.hidden, said_from, table)
    ends = [clause.end for clause in following[:_MAX_CLAUSES_MATCHED]]
    for rule in table.rules:
        end = _match_end(rule, hidden, said_from, ends)
        if end is None:
            continue
        reason = _find_exception(rule, hidden, said_from, end)
        reason = reason or check_guards(setting, ClauseSpan(start, end), rule, table)
        return reason or RuleMatch(rule, end)
    return None


def _subject_first(hidden: str, start: int, table: RuleTable) -> str:
    """Return a message in which the verb and the subject that a clause begins with change places.

    After a phrase, German says "nehmen wir"; the rules are written for "wir nehmen".
    """
    turned = table["turned"].match(hidden, start)
    if turned is None:
        return hidden
    return f"{hidden[:start]}{turned['subject']} {turned['verb']}{hidden[turned.end() :]}"


def _match_end(rule: ExtractionRule, hidden: str, start: int, ends: Sequence[int]) -> int | None:
    """Return the end of the first clause with which a rule matches, if it does."""
    farthest = start + _MAX_CHARACTERS_MATCHED
    if rule.pattern.match(hidden, start, min(ends[0], farthest)):
        return ends[0]
    if len(ends) == 1 or not rule.pattern.match(hidden, start, min(ends[-1], farthest)):
        return None
    return next(end for end in ends[1:] if rule.pattern.match(hidden, start, min(end, farthest)))


def _find_exception(
    rule: ExtractionRule, hidden: str, start: int, end: int
) -> RefusalReason | None:
    said = hidden[start:end]
    return next(
        (reason for reason, pattern in rule.unless if compile_cached(pattern).search(said)), None
    )


# Reading a sentence clause by clause.


_EXPLICIT_CONFIDENCE = 0.95
_HEDGE_PENALTY = 0.1
_MIN_CONFIDENCE = 0.7


@dataclass(slots=True)
class ExtractedStatement:
    """A part of a sentence and the rule that it matched."""

    start: int
    end: int
    rule: str
    type: MemoryType
    confidence: float
    key: str | None = None
    scope: Scope | None = None
    is_plain: bool = False
    """Whether no explicit wording marks it."""
    is_explicit: bool = False
    """Whether somebody asked to keep it."""
    restated: str = ""
    """What it means, if its words do not say it by themselves: "I'm Bill" for "Bill here"."""


@dataclass(slots=True)
class SentenceReading:
    """What was read in a sentence so far."""

    statements: list[ExtractedStatement] = field(default_factory=list)
    reason: RefusalReason | None = None
    is_open: bool = False
    """Whether the last statement goes on in the next clause."""

    def refuse(self, reason: RefusalReason) -> None:
        """Keep the first reason, and end the last statement."""
        self.reason = self.reason or reason
        self.is_open = False

    def reach(self, end: int) -> None:
        """Extend the last statement, unless it becomes too long."""
        last = self.statements[-1]
        self.is_open = end - last.start <= MAX_CONTENT_LENGTH
        if self.is_open:
            last.end = end


def is_about_memory(
    message: MessageText, sentence: SentenceSpan, tables: Sequence[RuleTable]
) -> bool:
    """Whether a sentence gives orders about the memory, such as to ignore it."""
    start, end = sentence.start, sentence.end
    is_named = any(table["memory"].search(message.hidden, start, end) for table in tables)
    return is_named or is_memory_order(
        show_headings(message.said[start:end], message.hidden[start:end])
    )


def read_sentence(hidden: str, sentence: SentenceSpan, table: RuleTable) -> SentenceReading:
    """Read the statements of a sentence, or why there are none."""
    reading = SentenceReading()
    opening, found, asked, *_ = split_sentence(hidden, sentence, table)
    stated = found[:asked]
    if asked < len(found):
        reading.reason = RefusalReason.QUESTION
        stated = find_stated(hidden, found, asked, table)
    if not stated:
        _add_told_inside(reading, hidden, sentence, table)
        return reading
    said_from = opening.start if opening.is_explicit else sentence.start
    asks = reading.reason is RefusalReason.QUESTION
    setting = SentenceContext(hidden, said_from, stated[-1].end, opening.is_explicit, asks)
    if opening.is_task:
        name = f"{table.language}.task"
        task = ExtractedStatement(
            opening.start, setting.end, name, MemoryType.TODO, _EXPLICIT_CONFIDENCE
        )
        reading.statements.append(task)
        return reading
    _read_clauses(reading, setting, stated, opening, table)
    if not reading.statements:
        _add_told_inside(reading, hidden, sentence, table)
    return reading


def _add_told_inside(
    reading: SentenceReading, hidden: str, sentence: SentenceSpan, table: RuleTable
) -> None:
    """Add what a question or a request tells of somebody near: "for my aunt, who is vegan"."""
    told = table["told_inside"].search(hidden, sentence.start, sentence.end)
    if told is None or any(table[name].search(told[0]) for name in ("states", "complaints")):
        return
    name = f"{table.language}.told_inside"
    reading.statements.append(
        ExtractedStatement(
            told.start(), told.end(), name, MemoryType.FACT, _MIN_CONFIDENCE, is_plain=True
        )
    )


def _read_clauses(
    reading: SentenceReading,
    setting: SentenceContext,
    stated: list[ClauseSpan],
    opening: SentenceOpening,
    table: RuleTable,
) -> None:
    front: ClauseSpan | None = None
    reached = -1
    for place, clause in enumerate(stated):
        if clause.end <= reached or _takes_bound(reading, clause):
            continue
        joint = front.joint if front is not None and clause.joint == "" else clause.joint
        start = clause.start if front is None else front.start
        verdict = match_rules(setting, stated[place:], start, table)
        if place and front is None and _lacks_subject(setting.hidden, clause, table):
            start = stated[place - 1].start
        if isinstance(verdict, RuleMatch):
            reached = verdict.end
            _add_statement(reading, setting, ClauseSpan(start, verdict.end, joint), verdict, table)
        elif verdict is RefusalReason.NO_REFERENT and reading.is_open:
            _extend_or_end(reading, setting, clause, table)
        elif verdict is not None:
            reading.refuse(verdict)
        elif clause.is_front and not (reading.is_open and _ends_phrase(stated, place)):
            front = clause
            continue
        elif opening.is_explicit and place == (front is not None) and not reading.statements:
            _add_explicit_statement(reading, setting, clause._replace(start=start), table)
        elif reading.is_open:
            _extend_or_end(reading, setting, clause, table)
        front = None


def _takes_bound(reading: SentenceReading, clause: ClauseSpan) -> bool:
    """Extend the last statement over a clause that belongs to it; whether it did."""
    if not (clause.is_bound and reading.is_open):
        return False
    reading.reach(clause.end)
    return True


def _lacks_subject(hidden: str, clause: ClauseSpan, table: RuleTable) -> bool:
    """Whether a clause has its subject in the one before it: "I signed, starting on 2 May"."""
    return not clause.joint and bool(table["subjectless"].match(hidden, clause.start, clause.end))


def _ends_phrase(stated: Sequence[ClauseSpan], place: int) -> bool:
    """Whether a phrase belongs to what is before it: nothing follows, or "and" does."""
    return place == len(stated) - 1 or stated[place + 1].joint != ""


def _add_statement(
    reading: SentenceReading,
    setting: SentenceContext,
    clause: ClauseSpan,
    match: RuleMatch,
    table: RuleTable,
) -> None:
    rule = match.rule
    if reading.is_open and (
        _leans_on_last(setting.hidden, reading.statements[-1], clause, table)
        or _belongs_to_last(reading.statements[-1], clause, match, table)
    ):
        reading.reach(clause.end)
        return
    said = setting.hidden[setting.start : clause.end]
    confidence = rule.confidence
    if setting.is_explicit:
        confidence = max(confidence, _EXPLICIT_CONFIDENCE)
    elif table["hedges"].search(said):
        confidence = max(confidence - _HEDGE_PENALTY, _MIN_CONFIDENCE)
    reading.statements.append(
        ExtractedStatement(
            clause.start,
            clause.end,
            rule.name,
            rule.type,
            round(confidence, 2),
            rule.key,
            rule.scope,
            rule.is_plain and not setting.is_explicit,
            setting.is_explicit,
        )
    )
    reading.is_open = True


def _leans_on_last(
    hidden: str, last: ExtractedStatement, clause: ClauseSpan, table: RuleTable
) -> bool:
    """Whether a clause needs the last statement: by a pronoun, or as it shares its subject."""
    if table["points_back"].search(hidden[clause.start : clause.end]):
        return True
    if not clause.joint and table["fragments"].match(hidden, clause.start, clause.end):
        return last.type not in RULE_TYPES
    is_joined = bool(clause.joint) and "," not in hidden[last.end : clause.start]
    is_shared = table["person"].search(hidden, last.start, last.end) and is_joined
    return bool(is_shared and table["predicates"].match(hidden, clause.start, clause.end))


def _belongs_to_last(
    last: ExtractedStatement, clause: ClauseSpan, match: RuleMatch, table: RuleTable
) -> bool:
    """Whether a clause gives a reason for the last statement or a consequence of it."""
    if _continues(clause.joint, table):
        return True
    if match.rule.is_open and last.key is None:
        return True
    is_aside = match.rule.type not in RULE_TYPES and match.rule.key is None
    return is_aside and last.type in RULE_TYPES and clause.joint == ""


def _add_explicit_statement(
    reading: SentenceReading, setting: SentenceContext, clause: ClauseSpan, table: RuleTable
) -> None:
    """Add what was explicitly said to be worth remembering and matches no other rule."""
    if table["pronouns"].match(setting.hidden, clause.start, clause.end):
        reading.refuse(RefusalReason.NO_REFERENT)
        return
    reason = check_guards(setting, clause, None, table)
    if reason is not None:
        reading.refuse(reason)
        return
    name = f"{table.language}.explicit"
    reading.statements.append(
        ExtractedStatement(
            clause.start,
            clause.end,
            name,
            MemoryType.FACT,
            _EXPLICIT_CONFIDENCE,
            is_explicit=True,
        )
    )
    reading.is_open = True


def _extend_or_end(
    reading: SentenceReading, setting: SentenceContext, clause: ClauseSpan, table: RuleTable
) -> None:
    """Extend the last statement over a clause that adds to it, or end it."""
    said = setting.hidden[clause.start : clause.end]
    ends = any(table[name].match(said) for name in ("requests", "pleasantries"))
    ends = ends or (not clause.joint and table["orders"].match(said) is not None)
    ends = ends or any(table[name].search(said) for name in ("complaints", "doubts"))
    is_apart = table["subjects"].match(said) and not table["points_back"].search(said)
    if ends or (is_apart and not _continues(clause.joint, table)):
        reading.is_open = False
    else:
        reading.reach(clause.end)


def _continues(joint: str, table: RuleTable) -> bool:
    """Whether a reason or a consequence follows."""
    return bool(table["reasons"].search(joint) or table["follows"].search(joint))
