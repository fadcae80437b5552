"""What takes a statement back, whichever rule it matches, by its grammar and its time words."""

import re
from typing import NamedTuple

from tacit.core.kinds import MemoryType, Scope
from tacit.language.extraction.findings import RefusalReason
from tacit.language.extraction.questions import is_supposed
from tacit.language.extraction.rule_tables import ExtractionRule, RuleTable
from tacit.language.extraction.sentences import ClauseSpan


class SentenceContext(NamedTuple):
    """The sentence that a clause stands in."""

    hidden: str
    start: int
    """Where the sentence begins, or the part that it explicitly says to remember."""
    end: int
    """Where the statement ends: with the sentence, or before a question at its end."""
    is_explicit: bool
    """Whether it was explicitly said to be worth remembering."""
    asks: bool
    """Whether a question follows it in its sentence."""


def check_guards(
    setting: SentenceContext, clause: ClauseSpan, rule: ExtractionRule | None, table: RuleTable
) -> RefusalReason | None:
    """Return what takes a statement back, whichever rule it matches."""
    said = setting.hidden[clause.start : clause.end]
    before = setting.hidden[setting.start : clause.start]
    general = (
        (table["idioms"].search(said), RefusalReason.IDIOM),
        (
            not setting.is_explicit and table["doubts"].search(before + said),
            RefusalReason.NEGATED,
        ),
        (table["reports"].search(before), RefusalReason.QUOTATION),
        (
            not (rule and rule.is_conditional) and is_supposed(before, said, table),
            RefusalReason.HYPOTHETICAL,
        ),
        (
            not (rule and rule.is_modal) and table["unreal"].search(said),
            RefusalReason.HYPOTHETICAL,
        ),
        (table["brief"].search(said), RefusalReason.MOMENT),
    )
    found = next((reason for holds, reason in general if holds), None)
    if rule is None:
        return found or _refused_if(_is_dangling(said, table), RefusalReason.NO_REFERENT)
    return found or _check_rule(setting, said, rule, table)


def _check_rule(
    setting: SentenceContext, said: str, rule: ExtractionRule, table: RuleTable
) -> RefusalReason | None:
    """Return what takes a statement of this kind back: a rule, a plain statement, a fact."""
    is_ruled = rule.type is MemoryType.CONSTRAINT
    is_order = is_ruled or rule.key == "user.name"
    is_fact = rule.type is MemoryType.FACT and not setting.is_explicit
    is_said_with_laugh = table["laughs"].match(setting.hidden, setting.start)
    checks = (
        (not is_ruled and _is_dangling(said, table), RefusalReason.NO_REFERENT),
        (rule.is_plain and table["complaints"].search(said), RefusalReason.COMPLAINT),
        (rule.is_open and table["passing"].search(said), RefusalReason.MOMENT),
        (is_fact and table["states"].search(said), RefusalReason.MOMENT),
        (is_ruled and table["this_once"].search(said), RefusalReason.MOMENT),
        (is_order and is_said_with_laugh, RefusalReason.IDIOM),
        (
            rule.scope is Scope.PROJECT and _is_premise(setting, said, table),
            RefusalReason.MOMENT,
        ),
    )
    return next((reason for holds, reason in checks if holds), None)


def _is_dangling(said: str, table: RuleTable) -> bool:
    return any(table[name].match(said) for name in ("dangling", "refers_back"))


def _refused_if(holds: object, reason: RefusalReason) -> RefusalReason | None:
    return reason if holds else None


_PARTICULAR = re.compile(
    r"[^\W\d]{3,}\.? \d|\d\.? [^\W\d]{3,}|\w[_/]\w|\b(?:every|jede[nrs]?|chaque|cada) ",
    re.IGNORECASE,
)
"""A day, an amount, a habit, a path or the name of something in code."""


def _is_premise(setting: SentenceContext, said: str, table: RuleTable) -> bool:
    """Whether a statement that names nobody here only says what a question is about."""
    is_ours = table["person"].search(said) or _PARTICULAR.search(said)
    return setting.asks and not setting.is_explicit and not is_ours


_EXCUSES = (
    ("idioms", RefusalReason.IDIOM),
    ("doubts", RefusalReason.NEGATED),
    ("complaints", RefusalReason.COMPLAINT),
)


def find_excuse(said: str, table: RuleTable) -> RefusalReason | None:
    """Return why words that match no rule are no statement, if one of theirs says so."""
    return next((reason for name, reason in _EXCUSES if table[name].search(said)), None)


def explain_no_match(said: str, table: RuleTable) -> RefusalReason | None:
    """Return what a sentence is that matches no rule, as far as can be told."""
    if table["supposes"].match(said):
        return RefusalReason.HYPOTHETICAL
    if table["pleasantries"].match(said):
        return RefusalReason.PLEASANTRY
    return find_excuse(said, table) or (
        RefusalReason.NO_REFERENT if _is_dangling(said, table) else None
    )
