"""Why a review waits for a person, what happens until then, and what each decision does.

The sentences are shown by the review page and by `tacit review show`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from tacit.core.changes import Review, ReviewReport
from tacit.core.kinds import LEARNED_BY, Action, Actor, MemoryType, Relation, State, Subject
from tacit.core.memory import Memory, may_stand_as_rule
from tacit.core.permissions import outranks

ASKERS: Mapping[Actor, str] = MappingProxyType(
    {
        Actor.USER: "the user",
        Actor.OPERATOR: "an operator",
        Actor.AGENT: "an agent",
        Actor.TOOL: "a tool",
        Actor.IMPORT: "an import",
        Actor.SYSTEM: "Tacit",
    }
)
"""Who asks for a change, in words."""


def statement_verb(memory: Memory) -> str:
    """How a memory was stated: said in a conversation, or written by a call."""
    return "said" if LEARNED_BY in memory.metadata else "written"


@dataclass(frozen=True, slots=True)
class ReviewExplanation:
    """A review in plain words, a sentence each."""

    why: str
    until: str
    accept: str
    reject: str


def explain_review(report: ReviewReport, now: datetime) -> ReviewExplanation:
    """Why a review waits, what happens to the memory until then, and what a decision does."""
    review = report.review
    if review.is_proposal:
        return _explain_proposal(review)
    explained = (
        _explain_relation(report)
        if review.subject is Subject.ASSOCIATION
        else _EXPLAINERS.get(review.action, _explain_update)(report, now)
    )
    obstacle = _find_obstacle(report, now)
    if obstacle is None:
        return explained
    return ReviewExplanation(
        explained.why,
        f"There is nothing left to decide: {obstacle}. Reject it.",
        "Is refused, or changes nothing that a turn uses.",
        "Drops the request; nothing else changes.",
    )


def _explain_proposal(review: Review) -> ReviewExplanation:
    metadata = review.change.get("metadata")
    is_learned = isinstance(metadata, Mapping) and LEARNED_BY in metadata
    asker = _start_sentence(ASKERS[review.by])
    what = (
        "This was learned from a conversation" if is_learned else f"{asker} wants to remember this"
    )
    change = review.change
    is_rule = not is_learned and may_stand_as_rule(
        MemoryType(change.get("type") or MemoryType.FACT),
        change.get("confidence") or 0.0,
        pinned=bool(change.get("pinned")),
    )
    why = (
        "as a pin or a standing rule, which a person decides"
        if is_rule
        else "and with write_policy = review a person decides what is remembered"
    )
    return ReviewExplanation(
        f"{what}, {why}.",
        "Until you decide, it is not remembered, and no turn uses it.",
        "Remembers it as trusted; its source still says whose words they are.",
        "Drops it; nothing is remembered.",
    )


def _explain_update(report: ReviewReport, now: datetime) -> ReviewExplanation:
    if report.review.by is Actor.SYSTEM and "trust" in report.review.change:
        return ReviewExplanation(
            "Somebody asked to keep or follow a text that may not be their own words.",
            "Until you decide, it is found and marked as unverified, and is no standing rule.",
            "Makes it trusted, as if the user had said it.",
            "Leaves it unverified, and drops the request.",
        )
    return ReviewExplanation(
        f"{_who(report)} wants to change a memory {_origin(report.memory)}, and only a person may"
        " do that.",
        f"Until you decide, the memory stays as it is, and {_describe_use(report.memory, now)}.",
        "Makes the change in your name; the history keeps what was said before.",
        "Leaves the memory as it is, and drops the request.",
    )


def _explain_forget(report: ReviewReport, now: datetime) -> ReviewExplanation:
    return ReviewExplanation(
        f"{_who(report)} wants to forget a memory {_origin(report.memory)}, and only a person may"
        " do that.",
        f"Until you decide, the memory stays, and {_describe_use(report.memory, now)}.",
        "Hides it from every turn and list; restoring it brings it back.",
        "Leaves the memory as it is, and drops the request.",
    )


def _explain_restore(report: ReviewReport, _now: datetime) -> ReviewExplanation:
    memory = report.memory
    is_hidden = memory is not None and memory.forgotten
    is_replaced = memory is not None and not is_hidden and memory.superseded_by is not None
    state = "was forgotten" if is_hidden else "was replaced" if is_replaced else "has ended"
    return ReviewExplanation(
        f"{_who(report)} stated again, or wants back, a memory that {state}, and only a person may"
        " bring it back.",
        f"Until you decide, it stays {'hidden' if is_hidden else 'past'}, and no turn uses it.",
        "Lets it hold again beside what replaced it, and turns use both."
        if is_replaced
        else "Brings it back as it was, and turns use it again.",
        f"Leaves it {'hidden' if is_hidden else 'past'}, and drops the request.",
    )


def _explain_supersede(report: ReviewReport, _now: datetime) -> ReviewExplanation:
    memory, other = report.memory, report.other
    asker = "What was said later" if report.review.by is Actor.SYSTEM else _who(report)
    verb = "contradicts" if report.review.by is Actor.SYSTEM else "wants to replace"
    is_weaker = memory is not None and other is not None and outranks(memory, other)
    return ReviewExplanation(
        f"{asker} {verb} a memory {_origin(memory)}, and only a person may replace it.",
        "Until you decide, turns use the first one and leave the other out."
        if is_weaker
        else "Until you decide, both stay, and turns treat them as a contradiction.",
        "Makes the first one past and uses the second; the history of the first names what"
        " replaced it.",
        "Keeps both as they are; Conflicts lists them as long as they contradict each other.",
    )


def _explain_relation(report: ReviewReport) -> ReviewExplanation:
    relation = report.review.change.get("relation")
    if relation != Relation.COMPATIBLE_WITH:
        return ReviewExplanation(
            f"{_who(report)} wants to relate two memories ({relation}), one of them a person's.",
            "Until you decide, they are not related, and both stay as they are.",
            "Relates them; their words do not change.",
            "Drops the request; they are not related.",
        )
    return ReviewExplanation(
        f"{_who(report)} says that these do not contradict each other, and of a person's memory"
        " only a person may say that.",
        "Until you decide, they are a conflict, and turns treat them as one.",
        "Says that both are right: turns use both, and Conflicts does not list them again.",
        "Drops the request; they stay a conflict.",
    )


_EXPLAINERS = MappingProxyType(
    {
        Action.FORGET: _explain_forget,
        Action.RESTORE: _explain_restore,
        Action.SUPERSEDE: _explain_supersede,
    }
)


def _who(report: ReviewReport) -> str:
    return _start_sentence(ASKERS[report.review.by])


def _start_sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _origin(memory: Memory | None) -> str:
    """Where a memory comes from that only a person may change."""
    is_learned = memory is not None and not memory.explicit
    return "learned from a person's own words" if is_learned else "that a person wrote"


def _describe_use(memory: Memory | None, now: datetime) -> str:
    is_live = memory is not None and memory.state(now) is State.LIVE
    return "turns go on using it" if is_live else "no turn uses it"


def _find_obstacle(report: ReviewReport, now: datetime) -> str | None:
    """Why nothing is left to decide, as far as the memories of a change tell."""
    review, memory, other = report.review, report.memory, report.other
    if memory is None:
        return "the memory was forgotten or erased"
    is_since = memory.valid_to is None or memory.valid_to > review.created_at
    if memory.superseded_by is not None and (is_since or review.action is not Action.RESTORE):
        return "the memory was replaced by another"
    if review.action is Action.RESTORE and memory.state(now) in (State.LIVE, State.FUTURE):
        return "the memory was brought back already"
    if review.other is not None and other is None:
        return "the other memory was forgotten or erased"
    if other is not None and other.superseded_by is not None:
        return "the other memory was replaced by another"
    return None
