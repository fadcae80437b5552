"""Whether a newer text takes the place of an older one, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from tacit.language.statements.likeness import Likeness, compare
from tacit.language.statements.reading import MAX_CHARACTERS, read
from tacit.language.statements.succession.marks import Mark
from tacit.language.statements.succession.places import BROAD
from tacit.language.statements.succession.rules import RULES
from tacit.language.statements.succession.told import Told, told
from tacit.language.statements.succession.topics import tools
from tacit.language.statements.succession.verbs import NEWS
from tacit.language.statements.succession.wording import canonical

_LEAST_LETTERS = 0.3
_MOST_WORDS = 24


@dataclass(frozen=True, slots=True)
class Replacement:
    """Why a newer text takes the place of an older one."""

    reason: str
    """What is found: one of the rules, or `contradicts`."""
    was: str
    """The words of the older text that hold no longer."""


def replaces(old: str, new: str) -> bool:
    """Whether who believes the newer text must stop believing the older one."""
    return replacement(old, new) is not None


def replacement(old: str, new: str) -> Replacement | None:
    """Why the newer text takes the place of the older one; None if both may hold."""
    if old == new or not (_is_text(old) and _is_text(new)):
        return None
    before, after = told(old[:MAX_CHARACTERS]), told(new[:MAX_CHARACTERS])
    if _have_other_speakers(before, after) or sum(clause.stands_alone for clause in before) > 1:
        return None
    if compare(old, new) is Likeness.CONTRADICTS and _may_contradict(old, new, before, after):
        return Replacement("contradicts", _words(before))
    holding = [clause for clause in before if _holds(clause) and _is_short(clause)]
    fresh = [clause for clause in after if _is_news(clause) and _is_short(clause)]
    for was in holding:
        for now in fresh:
            if _may_be_of_one(was, now):
                for reason, is_found in RULES.items():
                    if is_found(was, now):
                        return Replacement(reason, _words([was]))
    return None


def _may_be_of_one(was: Told, now: Told) -> bool:
    """What is said of `you` is not said of `me`, unless it is a rule."""
    is_rule = was.has(Mark.MUST, Mark.MAY) or now.has(Mark.MUST, Mark.MAY)
    return is_rule or not (was.person and now.person) or was.person == now.person


def _is_text(text: str) -> bool:
    """Whether there are words, not only figures and signs."""
    return sum(map(str.isalpha, text)) > len(text) * _LEAST_LETTERS


def _words(clauses: Sequence[Told]) -> str:
    return " ".join(token.stem or "#" for clause in clauses for token in clause.tokens)


def _have_other_speakers(before: Sequence[Told], after: Sequence[Told]) -> bool:
    ours = {clause.speaker for clause in before} - {""}
    theirs = {clause.speaker for clause in after} - {""}
    return bool(ours and theirs) and ours != theirs


def _is_short(clause: Told) -> bool:
    """Whether a clause is short enough to be understood."""
    return len(clause.tokens) <= _MOST_WORDS


def _holds(clause: Told) -> bool:
    """Whether an older clause says how things are."""
    return not clause.has(Mark.PAST, Mark.CLOSED, Mark.DOUBTFUL)


def _is_news(clause: Told) -> bool:
    """Whether a newer clause says how things are, and not that something came beside them."""
    if clause.has(Mark.PAST, Mark.CLOSED, Mark.DOUBTFUL, Mark.ALSO):
        return False
    is_to_come = clause.has(Mark.AHEAD, Mark.MAY, Mark.MUST) and not clause.has(Mark.DENIED)
    return not (is_to_come and not clause.keys.isdisjoint(NEWS))


def _may_contradict(old: str, new: str, before: Sequence[Told], after: Sequence[Told]) -> bool:
    """Whether a contradiction of form is one of meaning too."""
    if any(clause.has(Mark.CLOSED, Mark.ALSO) for clause in (*before, *after)):
        return False
    if any(clause.stands_alone and clause.has(Mark.DOUBTFUL) for clause in (*before, *after)):
        return False
    if any(clause.has(Mark.PAST) for clause in after) != any(
        clause.has(Mark.PAST) for clause in before
    ):
        return False
    ours, theirs = (
        frozenset[str]().union(*(tools(clause.tokens) for clause in clauses))
        for clauses in (before, after)
    )
    if ours and theirs and ours.isdisjoint(theirs):
        return False
    return not _are_places_of_other_size(old, new)


def _are_places_of_other_size(old: str, new: str) -> bool:
    """Whether one is a country and the other a town, which may be in it."""
    ours, theirs = (
        {
            each.claim: canonical(each.value) in BROAD
            for each in read(text).statements
            if each.attribute == "live in"
        }
        for text in (old, new)
    )
    return any(ours[claim] != theirs[claim] for claim in ours.keys() & theirs)
