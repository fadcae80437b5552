"""What a sentence states, clause by clause."""

from dataclasses import dataclass, field
from typing import NamedTuple

from tacit.core.kinds import MemoryType, Scope
from tacit.language.extraction.clauses import Clause, clauses, past_leads
from tacit.language.extraction.finding import Reason
from tacit.language.extraction.judging import Match, Setting, guarded, matched
from tacit.language.extraction.sentences import Sentence
from tacit.language.extraction.table import Table
from tacit.language.extraction.wording import LONGEST

_EXPLICIT = 0.95
_HEDGED = 0.1
_LEAST = 0.7
_RULED = frozenset((MemoryType.CONSTRAINT, MemoryType.DECISION, MemoryType.PREFERENCE))


@dataclass(slots=True)
class Statement:
    """A stretch of a sentence and the rule that it met."""

    start: int
    end: int
    rule: str
    type: MemoryType
    confidence: float
    key: str | None = None
    scope: Scope | None = None
    is_plain: bool = False
    """Whether no openly marked wording tells that it counts."""


class Opening(NamedTuple):
    """How a sentence begins, and where it begins to state something."""

    start: int
    is_explicit: bool
    is_task: bool
    is_wish: bool


@dataclass(slots=True)
class Reading:
    """What was read in a sentence so far."""

    statements: list[Statement] = field(default_factory=list)
    reason: Reason | None = None
    is_open: bool = False
    """Whether the last statement goes on in the next clause."""

    def refuse(self, reason: Reason) -> None:
        """Keep the first reason, and end the statement before."""
        self.reason = self.reason or reason
        self.is_open = False

    def reach(self, end: int) -> None:
        """Let the last statement go on, unless it becomes too long."""
        last = self.statements[-1]
        self.is_open = end - last.start <= LONGEST
        if self.is_open:
            last.end = end


def read(hidden: str, sentence: Sentence, table: Table) -> Reading:
    """The statements of a sentence, or why there are none."""
    reading = Reading()
    if table["memory"].search(hidden, sentence.start, sentence.end):
        reading.refuse(Reason.ABOUT_MEMORY)
        return reading
    opening = _opening(hidden, sentence, table)
    found = clauses(hidden, opening.start, sentence.end, table)
    asked = _asked_from(hidden, sentence, found, opening, table)
    stated = found[:asked]
    if asked < len(found):
        reading.reason = Reason.QUESTION
    if not stated:
        return reading
    said_from = opening.start if opening.is_explicit else sentence.start
    setting = Setting(hidden, said_from, stated[-1].end, opening.is_explicit)
    if opening.is_task:
        name = f"{table.language}.task"
        task = Statement(opening.start, setting.end, name, MemoryType.TODO, _EXPLICIT)
        reading.statements.append(task)
        return reading
    _take(reading, setting, stated, opening, table)
    return reading


def _opening(hidden: str, sentence: Sentence, table: Table) -> Opening:
    """What leads up to a statement: greetings, "remember that", "could you always"."""
    start, end = sentence.start, sentence.end
    marks = {"explicit": False, "tasks_ahead": False, "wishes": False}
    before = -1
    while before != start:
        before = start
        for name in marks:
            mark = table[name].match(hidden, start, end)
            if mark is not None and start < mark.end() < end:
                marks[name] = True
                start = mark.end()
        if before == start:
            start = past_leads(hidden, start, end, table)
    return Opening(start, marks["explicit"], marks["tasks_ahead"], marks["wishes"])


def _asked_from(
    hidden: str, sentence: Sentence, found: list[Clause], opening: Opening, table: Table
) -> int:
    """The place of the first clause that asks; all before it is stated."""
    said = hidden[sentence.start : sentence.end].rstrip("\"”»')* ")
    is_question = said.endswith(("?", "？")) and not table["nods"].search(said)
    if is_question and table["tags"].search(said):
        return 0
    for place, clause in enumerate(found):
        follows_front = place > 0 and found[place - 1].is_front
        if table["asks"].match(hidden, clause.start, clause.end):
            return place
        if not follows_front and table["inverts"].match(hidden, clause.start, clause.end):
            return place
        inside = table["asks_inside"].search(hidden, clause.start, clause.end)
        if is_question and inside is not None:
            found[place : place + 1] = [
                clause._replace(end=inside.start()),
                Clause(inside.start(), clause.end),
            ]
            return place + 1
    if is_question and not opening.is_wish:
        last = len(found) - 1
        return last if last > 0 and _requests(hidden, found[last], table) else 0
    return len(found)


def _requests(hidden: str, clause: Clause, table: Table) -> bool:
    return table["requests"].match(hidden, clause.start, clause.end) is not None


def _take(
    reading: Reading, setting: Setting, stated: list[Clause], opening: Opening, table: Table
) -> None:
    front: Clause | None = None
    reached = -1
    for place, clause in enumerate(stated):
        if clause.end <= reached:
            continue
        joint = front.joint if front is not None and clause.joint == "" else clause.joint
        start = clause.start if front is None else front.start
        verdict = matched(setting, stated[place:], start, table)
        if isinstance(verdict, Match):
            reached = verdict.end
            _add(reading, setting, Clause(start, verdict.end, joint), verdict, table)
        elif verdict is not None:
            reading.refuse(verdict)
        elif clause.is_front and not (reading.is_open and place == len(stated) - 1):
            front = clause
            continue
        elif opening.is_explicit and place == (front is not None) and not reading.statements:
            _add_explicit(reading, setting, clause._replace(start=start), table)
        elif reading.is_open:
            _go_on(reading, setting, clause, table)
        front = None


def _add(reading: Reading, setting: Setting, clause: Clause, match: Match, table: Table) -> None:
    rule = match.rule
    if reading.is_open and _belongs(reading.statements[-1], clause, match, table):
        reading.reach(clause.end)
        return
    said = setting.hidden[setting.start : clause.end]
    confidence = rule.confidence
    if setting.is_explicit:
        confidence = max(confidence, _EXPLICIT)
    elif table["hedges"].search(said):
        confidence = max(confidence - _HEDGED, _LEAST)
    reading.statements.append(
        Statement(
            clause.start,
            clause.end,
            rule.name,
            rule.type,
            round(confidence, 2),
            rule.key,
            rule.scope,
            rule.is_plain and not setting.is_explicit,
        )
    )
    reading.is_open = True


def _belongs(last: Statement, clause: Clause, match: Match, table: Table) -> bool:
    """Whether a clause that states something says why or what follows of the one before."""
    if _leads_on(clause.joint, table):
        return True
    if match.rule.is_open and last.key is None:
        return True
    is_aside = match.rule.type not in _RULED and match.rule.key is None
    return is_aside and last.type in _RULED and clause.joint == ""


def _add_explicit(reading: Reading, setting: Setting, clause: Clause, table: Table) -> None:
    """What was openly said to be worth remembering and meets no other rule."""
    if table["pronouns"].match(setting.hidden, clause.start, clause.end):
        reading.refuse(Reason.NO_REFERENT)
        return
    reason = guarded(setting, clause, None, table)
    if reason is not None:
        reading.refuse(reason)
        return
    name = f"{table.language}.explicit"
    reading.statements.append(Statement(clause.start, clause.end, name, MemoryType.FACT, _EXPLICIT))
    reading.is_open = True


def _go_on(reading: Reading, setting: Setting, clause: Clause, table: Table) -> None:
    """Let the last statement reach over a clause that adds to it, or end it."""
    said = setting.hidden[clause.start : clause.end]
    ends = any(table[name].match(said) for name in ("requests", "pleasantries"))
    ends = ends or any(table[name].search(said) for name in ("complaints", "doubts"))
    if ends or (table["subjects"].match(said) and not _leads_on(clause.joint, table)):
        reading.is_open = False
    else:
        reading.reach(clause.end)


def _leads_on(joint: str, table: Table) -> bool:
    """Whether a reason or a consequence of what was said follows."""
    return bool(table["reasons"].search(joint) or table["follows"].search(joint))
