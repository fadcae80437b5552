"""What is worth remembering, where a model weighs statements beside the rules.

The rules know the form of a statement. Whether it will matter next week is in what it says: "my
left sock has a hole" has the form of "my sister has a farm".
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tacit.core.kinds import MemoryType
from tacit.language.extraction.clause_reports import ReadSpan, TakenSpan, split_span
from tacit.language.extraction.drafts import ExtractionDraft
from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.guards import SentenceContext, check_guards
from tacit.language.extraction.introductions import INTRODUCES
from tacit.language.extraction.messages import MessageText
from tacit.language.extraction.questions import split_sentence
from tacit.language.extraction.quoted_text import MASK
from tacit.language.extraction.rule_matches import ExtractedStatement
from tacit.language.extraction.rule_tables import RuleTable
from tacit.language.extraction.sentences import LEAST_WORDS, ClauseSpan, skip_lead_ins

Weigh = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""Says of each pair of a message and a statement in it how likely that is worth remembering."""

MODEL_RULE = "model"
"""The name of the rule of what no rule of a table takes and a model finds worth it."""

_MODEL_CONFIDENCE = 0.8

MIN_WORTH = 0.2
"""What a rule takes for a fact is left if it is less likely worth remembering."""

MIN_WORTH_MARKED = 0.05
"""The same for a wish, a rule, a plan or a decision, which says by its form that it matters."""

MIN_WORTH_UNMATCHED = 0.85
"""What no rule takes is remembered from this likelihood on."""

MAX_CLAUSES_WEIGHED = 24
"""The most clauses of a message that are weighed besides what the rules take."""

_AROUND = 150
"""Characters on either side of a statement that are read with it."""

_OPEN = (None, RefusalReason.QUESTION)
"""What a sentence may be refused for, if the clauses before a question in it are weighed."""

_EDGES = " ,:"
_NO_STATEMENTS = ("pronouns", "requests", "pleasantries")
_FACTS = (MemoryType.FACT, MemoryType.IDENTITY)


def _is_passing(type: MemoryType, likelihood: float) -> bool:
    """Whether what a rule took for this type is hardly worth remembering."""
    return likelihood < (MIN_WORTH if type in _FACTS else MIN_WORTH_MARKED)


class OpenClause(NamedTuple):
    """A clause of which the rules say nothing, in the sentence that it stands in."""

    start: int
    end: int
    content: str
    sentence: ReadSpan
    table: RuleTable

    def to_statement(self) -> ExtractedStatement:
        """The clause as a fact."""
        return ExtractedStatement(
            self.start, self.end, MODEL_RULE, MemoryType.FACT, _MODEL_CONFIDENCE, is_plain=True
        )


def _find_open_clauses(draft: ExtractionDraft) -> Iterator[OpenClause]:
    """The clauses that the rules neither took nor refused, and that may state something."""
    for span in draft.spans:
        if span.table is not None and span.reason in _OPEN:
            yield from _split_sentence(draft.message, span, span.table)


def _split_sentence(message: MessageText, span: ReadSpan, table: RuleTable) -> Iterator[OpenClause]:
    hidden = message.hidden
    parts = split_sentence(hidden, span, table)
    if parts.only_asks:
        return
    told = parts.told_until
    context = SentenceContext(hidden, span.start, told, is_explicit=False, asks=told < span.end)
    for start, end, taken in split_span(hidden, span, table):
        if taken or start >= told or _opens_with_reason(hidden, span, start, table):
            continue
        clause = ClauseSpan(start, min(end, told))
        if _may_state(context, clause, table):
            said = message.said[clause.start : clause.end]
            yield OpenClause(clause.start, clause.end, said, span, table)


def _opens_with_reason(hidden: str, span: ReadSpan, start: int, table: RuleTable) -> bool:
    """Whether a clause is a reason for what its sentence does not say: "yes, because …"."""
    joints = list(table["reasons"].finditer(hidden, span.start, start))
    if not joints or hidden[joints[-1].end() : start].strip(_EDGES):
        return False
    joint = joints[-1]
    lead = skip_lead_ins(hidden, span.start, joint.start(), table)
    return len(hidden[lead : joint.start()].split()) < LEAST_WORDS


def _may_state(context: SentenceContext, clause: ClauseSpan, table: RuleTable) -> bool:
    said = context.hidden[clause.start : clause.end]
    if len(said.split()) < LEAST_WORDS or MASK in said:
        return False
    if any(table[name].match(said) for name in _NO_STATEMENTS) or table["passing"].search(said):
        return False
    return check_guards(context, clause, None, table) is None


def weigh_draft(draft: ExtractionDraft, weigh: Weigh, *, takes_clauses: bool) -> None:
    """Refuse what is hardly worth remembering, and take the clauses that clearly are."""
    clauses, reasons = _choose_clauses(draft) if takes_clauses else ([], {})
    statements = _weighed_statements(draft)
    likelihoods = _weigh_once(weigh, _hide_introduction(draft), [*statements, *clauses])
    passing = {
        content
        for content in {each.content.casefold() for each in statements}
        if _is_passing(draft.findings[content].type, likelihoods[content])
    }
    draft.drop(passing, RefusalReason.PASSING)
    for clause in clauses:
        if likelihoods[clause.content.casefold()] >= MIN_WORTH_UNMATCHED:
            reason = draft.keep(clause.sentence, clause.to_statement(), clause.table)
            reasons |= {} if reason is None else {clause.start: reason}
    draft.note_clauses(reasons)


def _choose_clauses(
    draft: ExtractionDraft,
) -> tuple[list[OpenClause], dict[int, RefusalReason]]:
    """The clauses that are kept if they are worth it, and why others cannot be kept."""
    found: list[OpenClause] = []
    reasons: dict[int, RefusalReason] = {}
    for clause in _find_open_clauses(draft):
        reason = draft.check(clause.to_statement(), clause.table)
        if reason is None and len(found) == MAX_CLAUSES_WEIGHED:
            reason = RefusalReason.TOO_MANY
        if reason is None:
            found.append(clause)
        else:
            reasons[clause.start] = reason
    return found, reasons


def _weighed_statements(draft: ExtractionDraft) -> list[TakenSpan]:
    """What nobody asked to keep, and what does not answer a question that has a key."""
    kept = {each.content.casefold() for each in draft.taken if each.is_explicit}
    kept |= {content for content, finding in draft.findings.items() if finding.key is not None}
    return [each for each in draft.taken if each.content.casefold() not in kept]


def _hide_introduction(draft: ExtractionDraft) -> str:
    """The message without a greeting and a name, beside which the model weighs too little."""
    said = draft.message.said
    for each in draft.taken:
        if draft.findings[each.content.casefold()].rule.endswith(f".{INTRODUCES}"):
            return " " * each.end + said[each.end :]
    return said


def _weigh_once(
    weigh: Weigh, text: str, stated: Sequence[TakenSpan | OpenClause]
) -> dict[str, float]:
    """The likelihood of each distinct content, by its casefolded words.

    What is said again is weighed where it is said first.
    """
    pairs: dict[str, tuple[str, str]] = {}
    for each in stated:
        content = each.content.casefold()
        if content not in pairs:
            pairs[content] = (read_around(text, each.start, each.end), each.content)
    return dict(zip(pairs, weigh(list(pairs.values())), strict=True)) if pairs else {}


def read_around(text: str, start: int, end: int) -> str:
    """A statement with what stands around it in a long message; a short one whole."""
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    if first > 0:
        first = text.find(" ", first, start) + 1 or start
    if last < len(text):
        cut = text.rfind(" ", end, last)
        last = end if cut < 0 else cut
    return text[first:last].strip()
