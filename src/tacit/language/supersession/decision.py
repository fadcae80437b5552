"""Decide whether a newer text supersedes an older one, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.language.statements.comparison import Comparison, compare_texts
from tacit.language.statements.parser import MAX_CHARACTERS, parse_text
from tacit.language.supersession.change_rules import has_another_doer, is_changed, is_ended
from tacit.language.supersession.clause_parts import ClauseMark
from tacit.language.supersession.clauses import MarkedClause, read_clauses
from tacit.language.supersession.figure_rules import has_another_figure
from tacit.language.supersession.lexicon import EVENT_VERBS
from tacit.language.supersession.tokens import to_canonical
from tacit.language.supersession.topics import product_kinds
from tacit.language.supersession.value_rules import (
    has_another_preference,
    has_another_state,
    has_another_value,
    is_reversed,
)
from tacit.language.supersession.word_classes import COUNTRIES

RULES = {
    "another figure": has_another_figure,
    "another word of which only one holds": has_another_state,
    "turned round": is_reversed,
    "another value": has_another_value,
    "another preference": has_another_preference,
    "somebody else": has_another_doer,
    "ended": is_ended,
    "changed": is_changed,
}
"""The rules by the reason they give, in the order in which they are tried."""


_LEAST_LETTERS = 0.3
_MOST_WORDS = 24


@dataclass(frozen=True, slots=True)
class Replacement:
    """Why a newer text supersedes an older one."""

    reason: str
    """The rule that applied, or `contradicts`."""
    was: str
    """The words of the older text that no longer hold."""


def replaces(old: str, new: str) -> bool:
    """Whether somebody who believes the newer text must stop believing the older one."""
    return find_replacement(old, new) is not None


def find_replacement(old: str, new: str) -> Replacement | None:
    """Return why the newer text supersedes the older one; None if both may hold."""
    if old == new or not (_is_text(old) and _is_text(new)):
        return None
    before, after = read_clauses(old[:MAX_CHARACTERS]), read_clauses(new[:MAX_CHARACTERS])
    if _have_other_speakers(before, after) or sum(clause.stands_alone for clause in before) > 1:
        return None
    if compare_texts(old, new) is Comparison.CONTRADICTS and _may_contradict(
        old, new, before, after
    ):
        return Replacement("contradicts", _show_words(before))
    holding = [clause for clause in before if _holds(clause) and _is_short(clause)]
    fresh = [clause for clause in after if _states_present(clause) and _is_short(clause)]
    for was in holding:
        for now in fresh:
            if _may_concern_same_person(was, now):
                for reason, is_found in RULES.items():
                    if is_found(was, now):
                        return Replacement(reason, _show_words([was]))
    return None


def _may_concern_same_person(was: MarkedClause, now: MarkedClause) -> bool:
    """Whether both can be about one person; `you` is not `me`, except in a rule."""
    is_rule = was.has(ClauseMark.MUST, ClauseMark.MAY) or now.has(ClauseMark.MUST, ClauseMark.MAY)
    return is_rule or not (was.person and now.person) or was.person == now.person


def _is_text(text: str) -> bool:
    """Whether a text has words, not only figures and punctuation."""
    return sum(map(str.isalpha, text)) > len(text) * _LEAST_LETTERS


def _show_words(clauses: Sequence[MarkedClause]) -> str:
    return " ".join(token.stem or "#" for clause in clauses for token in clause.tokens)


def _have_other_speakers(before: Sequence[MarkedClause], after: Sequence[MarkedClause]) -> bool:
    ours = {clause.speaker for clause in before} - {""}
    theirs = {clause.speaker for clause in after} - {""}
    return bool(ours and theirs) and ours != theirs


def _is_short(clause: MarkedClause) -> bool:
    """Whether a clause is short enough to be understood."""
    return len(clause.tokens) <= _MOST_WORDS


def _holds(clause: MarkedClause) -> bool:
    """Whether an older clause says how things are."""
    return not clause.has(ClauseMark.PAST, ClauseMark.CLOSED, ClauseMark.DOUBTFUL)


def _states_present(clause: MarkedClause) -> bool:
    """Whether a newer clause says how things are, not what was added to them."""
    if clause.has(ClauseMark.PAST, ClauseMark.CLOSED, ClauseMark.DOUBTFUL, ClauseMark.ALSO):
        return False
    is_to_come = clause.has(ClauseMark.AHEAD, ClauseMark.MAY, ClauseMark.MUST) and not clause.has(
        ClauseMark.DENIED
    )
    return not (is_to_come and not clause.keys.isdisjoint(EVENT_VERBS))


def _may_contradict(
    old: str, new: str, before: Sequence[MarkedClause], after: Sequence[MarkedClause]
) -> bool:
    """Whether a formal contradiction is one of meaning too."""
    if any(clause.has(ClauseMark.CLOSED, ClauseMark.ALSO) for clause in (*before, *after)):
        return False
    if any(clause.stands_alone and clause.has(ClauseMark.DOUBTFUL) for clause in (*before, *after)):
        return False
    if any(clause.has(ClauseMark.PAST) for clause in after) != any(
        clause.has(ClauseMark.PAST) for clause in before
    ):
        return False
    ours, theirs = (
        frozenset[str]().union(*(product_kinds(clause.tokens) for clause in clauses))
        for clauses in (before, after)
    )
    if ours and theirs and ours.isdisjoint(theirs):
        return False
    return not _are_places_of_other_size(old, new)


def _are_places_of_other_size(old: str, new: str) -> bool:
    """Whether one is a country and the other a town, which may be in it."""
    ours, theirs = (
        {
            each.claim: to_canonical(each.value) in COUNTRIES
            for each in parse_text(text).statements
            if each.attribute == "live in"
        }
        for text in (old, new)
    )
    return any(ours[claim] != theirs[claim] for claim in ours.keys() & theirs)
