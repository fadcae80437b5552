"""The decision: what a later statement does to an earlier one, how sure that is, and why.

`decide_texts` tells what the words do, from what a model reads of both together and from their
structure. `decide` tells what follows for two memories, by who said them, and where. Learning asks
before it replaces a memory, a comparison before it is stored, the list of conflicts for what it
recommends, and a turn for what was stored: it reads no pair itself.

A memory is replaced if it clearly no longer holds. Two memories conflict if they may not both hold
and nothing decides it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tacit.core.episodes import is_episode_id, only_asks
from tacit.core.kinds import PERSONS, TURN, Actor, MemoryType, Scope, Trust
from tacit.core.memory import Memory
from tacit.core.permissions import may_change, outranks
from tacit.language.extraction.sentences import find_clauses
from tacit.language.languages import DEFAULT_LANGUAGE, FUNCTION_WORDS, guess_language
from tacit.language.terms import find_words
from tacit.statements.common_words import (
    find_common_words,
    find_telling_stems,
    says_several_things,
)
from tacit.statements.comparison import Comparison, compare_texts
from tacit.statements.parser import parse_text
from tacit.statements.partial_change import leaves_part_standing
from tacit.statements.self_statements import stands_against
from tacit.statements.subjects import (
    differ_in_numbers_only,
    have_different_subjects,
    tells_new_number,
)


class Outcome(StrEnum):
    """What becomes of a memory beside another one."""

    REPLACED = "replaced"
    REVIEW = "review"
    """Its words are replaced, and a person is asked."""
    OUTRANKED = "outranked"
    """It holds where the other one is not known."""
    CONFLICT = "conflict"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """What becomes of an earlier statement or a memory, how likely it is replaced, and why."""

    outcome: Outcome = Outcome.NOTHING
    likelihood: float = 0.0
    reason: str = ""
    by_model: bool = False
    sameness: float | None = None
    """How likely both say the same; nothing if neither a model nor their subjects tell."""
    others: tuple[str, ...] = ()
    """The memories that it is replaced by or conflicts with, where there may be several."""

    @property
    def is_replaced(self) -> bool:
        """Whether the earlier statement clearly no longer holds."""
        return self.outcome is Outcome.REPLACED

    @property
    def is_conflict(self) -> bool:
        """Whether both may not hold, and nothing decides it."""
        return self.outcome is Outcome.CONFLICT

    @property
    def in_part(self) -> bool:
        """Whether only a part of the earlier statement is clearly replaced."""
        return self.reason == IN_PART


SAY_THE_SAME = "both say the same"
OTHER_THINGS = "they are about two things"
READ = "the local model read both"
STRUCTURE = "one attribute has two values"
IN_PART = "a part of it is replaced"
SAID_LATER = "the later words replace the earlier ones"
WRITTEN = "one was written, the other said later"
"""Why nothing decides between what a person wrote and what they only said later."""
NOT_CLEAR = "it is not clear whether both hold"


# Two texts

CLEAR = 0.8
"""From this likelihood on a later statement replaces an earlier one (docs/conflicts.md)."""

_CLEAR_FOREIGN = 0.9
"""So sure the model must be of texts that are not in English, which it knows less well."""

_CLEAR_NUMBER = 0.6
"""So likely another number must be of what two words or more say that it is the same thing."""

DOUBTFUL = 0.5
"""From this likelihood on two statements conflict, and nobody has decided."""

_MOST_DOUBTFUL = 0.79
"""What is in doubt is at most so likely replaced: as a text is of which one clause is replaced."""

_OBJECTION = 0.4
"""Below this likelihood the model objects to a conflict by structure."""

_SAYS_THE_SAME = 0.15
"""From this likelihood on two statements that resemble each other are in no doubt."""

_UNTOUCHED = 0.1
"""Below this likelihood a clause still holds, although the text it stands in is replaced."""

_MOST_CLAUSES = 4
"""Clauses of an earlier text that are read by themselves."""

_FEWEST_STEMS = 2
"""Words that say what a number is of."""

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def decide_by_structure(old: str, new: str) -> StatementVerdict:
    """What a later text does to an earlier one, as far as it can be told without a model."""
    told = decide_unread(old, new)
    if told is not None:
        return told
    if compare_texts(old, new) is Comparison.CONFLICTS:
        return StatementVerdict(Outcome.REPLACED, 1.0, STRUCTURE)
    return StatementVerdict(reason=OTHER_THINGS)


def decide_unread(old: str, new: str) -> StatementVerdict | None:
    """What needs no model: texts that say the same, or are about two things; None for others."""
    if compare_texts(old, new) is Comparison.REPEATS:
        return StatementVerdict(reason=SAY_THE_SAME)
    if have_different_subjects(old, new):
        return StatementVerdict(reason=OTHER_THINGS, sameness=0.0)
    ours, theirs = _named_claims(old), _named_claims(new)
    if ours and theirs and ours.isdisjoint(theirs):
        return StatementVerdict(reason=OTHER_THINGS)
    return None


def decide_texts(old: str, new: str, shares: Sequence[float]) -> StatementVerdict:
    """What a later text does to an earlier one, given what a model reads of both.

    `shares` are the likelihoods of the relations, in their order. Structure counts beside the
    model, unless that objects.
    """
    likelihood, sameness = shares[0], shares[1]
    is_other_value = tells_new_number(old, new) or (
        likelihood >= _OBJECTION
        and (compare_texts(old, new) is Comparison.CONFLICTS or differ_in_numbers_only(old, new))
    )
    clear = _find_clear(old, new) if likelihood >= DOUBTFUL else CLEAR
    ours, theirs = find_telling_stems(old), find_telling_stems(new)
    says_of_what = len(theirs) >= _FEWEST_STEMS or not _NUMBER.search(new)
    is_unlike = ours.isdisjoint(theirs) and not is_other_value
    if is_unlike and (likelihood < clear or not says_of_what):
        return StatementVerdict(reason=OTHER_THINGS)
    if likelihood >= clear:
        if leaves_part_standing(old, new):
            return _REPLACED_IN_PART
        return StatementVerdict(Outcome.REPLACED, max(likelihood, CLEAR), READ, True, sameness)
    if is_other_value:
        return StatementVerdict(Outcome.REPLACED, CLEAR, STRUCTURE, True, sameness)
    if sameness >= _SAYS_THE_SAME and compare_texts(old, new) is Comparison.RESEMBLES:
        return StatementVerdict(Outcome.NOTHING, 0.0, SAY_THE_SAME, True, sameness)
    outcome = Outcome.CONFLICT if likelihood >= DOUBTFUL else Outcome.NOTHING
    return StatementVerdict(outcome, min(likelihood, _MOST_DOUBTFUL), READ, True, sameness)


def find_deciding_clauses(old: str, new: str, verdict: StatementVerdict) -> list[str]:
    """The clauses of an earlier text that decide whether only a part of it is replaced.

    That is all of what is replaced, else what has something in common with the later text.
    """
    clauses, known = find_clauses(old), find_telling_stems(new)
    if len(clauses) < 2 or verdict.in_part:
        return []
    if not verdict.is_replaced:
        clauses = [each for each in clauses if not known.isdisjoint(find_telling_stems(each))]
    return clauses[:_MOST_CLAUSES]


def add_clause(verdict: StatementVerdict, likelihood: float) -> StatementVerdict:
    """The verdict on a text, given how likely one of its clauses is replaced."""
    in_part = likelihood < _UNTOUCHED if verdict.is_replaced else likelihood >= CLEAR
    return _REPLACED_IN_PART if in_part else verdict


_REPLACED_IN_PART = StatementVerdict(Outcome.CONFLICT, _MOST_DOUBTFUL, IN_PART, by_model=True)


def _named_claims(text: str) -> frozenset[str]:
    """What a text states of things with a name of which there is one value: a capital, a spouse.

    "Our CI" is the same thing as "CI".
    """
    reading = parse_text(text)
    found = set()
    for each in reading.statements:
        words = each.entity.split()
        if each.is_functional and not reading.names.isdisjoint(words):
            bare = " ".join(word for word in words if word not in FUNCTION_WORDS)
            found.add(each.claim.replace(each.entity, bare, 1))
    return frozenset(found)


def _find_clear(old: str, new: str) -> float:
    """From which likelihood on a text replaces an earlier one, in the languages of both.

    Another number of the same thing is plainer than other changes, in every language.
    """
    ours, theirs = set(_NUMBER.findall(old)), set(_NUMBER.findall(new))
    is_other_number = bool(ours) and bool(theirs) and ours.isdisjoint(theirs)
    if is_other_number and not find_telling_stems(old).isdisjoint(find_telling_stems(new)):
        return _CLEAR_NUMBER if len(find_common_words(old, new)) >= _FEWEST_STEMS else CLEAR
    languages = {
        guess_language(word.casefold() for _, word in find_words(text)) for text in (old, new)
    }
    return CLEAR if languages == {DEFAULT_LANGUAGE} else _CLEAR_FOREIGN


# Two memories

ALIKE = 0.4
"""Statements whose vectors are less near are about different things."""

AKIN = 0.2
"""Statements are compared from this likeness on, if they share a word that says something."""

BEYOND_DOUBT = 0.85
"""From this likelihood on a written memory replaces an earlier written one."""

_DOUBTFUL_SAID = 0.65
"""From this likelihood on what was only said is in conflict: subjects mostly just come up again."""

_HAPPENED = frozenset({MemoryType.EVENT, MemoryType.OBSERVATION})


def decide(old: Memory, new: Memory, likelihood: float, likeness: float = 1.0) -> StatementVerdict:
    """What a later statement does to an earlier one that its words so likely replace.

    What somebody wrote to be kept is replaced by another written memory only, and beyond doubt.
    What says several things is not replaced by news about one of them, and what holds in a project
    not by words about no project.
    """
    is_clear = likelihood >= CLEAR and likeness >= ALIKE
    is_there = project_of(old) in ("", project_of(new))
    if is_clear and is_there and not says_several_things(old.content):
        if not old.explicit or (new.explicit and likelihood >= BEYOND_DOUBT):
            return StatementVerdict(Outcome.REPLACED, likelihood, SAID_LATER)
        return StatementVerdict(Outcome.REVIEW, likelihood, SAID_LATER if new.explicit else WRITTEN)
    if is_episode_id(old.id) or is_episode_id(new.id):
        is_conflict = likelihood >= _DOUBTFUL_SAID and likeness >= ALIKE
    else:
        is_conflict = likelihood >= DOUBTFUL
    return StatementVerdict(
        Outcome.CONFLICT if is_conflict else Outcome.NOTHING, likelihood, NOT_CLEAR
    )


def decide_value(old: Memory, new: Memory, by: Actor) -> Outcome:
    """What a new value of a key, stated by somebody, does to an older one of the same owner.

    None replaces what another says of themselves.
    """
    if stands_against(old, new):
        return Outcome.CONFLICT
    if outranks(old, new):
        is_wish = old.trust is Trust.TRUSTED and new.trust is not Trust.UNTRUSTED
        return Outcome.REVIEW if is_wish else Outcome.CONFLICT
    if new.confidence < old.confidence and not outranks(new, old):
        return Outcome.CONFLICT
    return Outcome.REPLACED if may_change(old, by) else Outcome.REVIEW


def may_follow(old: Memory, new: Memory) -> bool:
    """Whether one kind of person said both, on two occasions, and not about two projects.

    What has two keys is about two things, or one; the key of an episode only tells messages apart.
    """
    keyed = [each for each in (old, new) if each.key and not is_episode_id(each.id)]
    if old.source is not new.source or len(keyed) > 1 or are_of_one_turn(old, new):
        return False
    if stands_against(old, new):
        return False
    return len({project_of(old), project_of(new)} - {""}) <= 1


def may_meet(one: Memory, other: Memory) -> bool:
    """Whether some turn sees both: two users, projects or agents see different things."""
    if one.scope is other.scope and one.scope_id != other.scope_id:
        return False
    agents = {each.agent for each in (one, other) if each.agent and not is_episode_id(each.id)}
    return len(agents) <= 1


def is_alike(old: Memory, new: Memory, likeness: float) -> bool:
    """Whether two statements may be about the same thing."""
    if likeness >= ALIKE:
        return True
    return likeness >= AKIN and bool(find_common_words(old.content, new.content))


def is_live_statement(memory: Memory) -> bool:
    """Whether a memory says how things are; an event is not undone by a later event."""
    return memory.type not in _HAPPENED


def is_own_statement(memory: Memory) -> bool:
    """Whether a memory is a person's statement, and not an event of the past.

    What is planned has an end; what has happened has none.
    """
    is_personal = memory.source in PERSONS and memory.trust is Trust.TRUSTED
    is_planned = memory.type is MemoryType.EVENT and memory.expires_at is not None
    return is_personal and (is_planned or is_live_statement(memory)) and not only_asks(memory)


def are_of_one_turn(old: Memory, new: Memory) -> bool:
    """Whether one of two was learned from what the other is: the words of the same turn."""
    is_either = is_episode_id(old.id) is not is_episode_id(new.id)
    return is_either and old.metadata.get(TURN) == new.metadata.get(TURN)


def project_of(memory: Memory) -> str:
    """The project that a memory or an episode is limited to; empty for none."""
    if is_episode_id(memory.id):
        return memory.agent or ""
    return memory.scope_id if memory.scope is Scope.PROJECT else ""
