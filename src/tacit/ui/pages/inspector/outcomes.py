"""Questions of the inspector, their outcomes, and the difference between two outcomes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from tacit.core.explanations import explain_candidate
from tacit.core.receipt import (
    NOTE_NOTHING_RELEVANT,
    SEARCHED,
    Candidate,
    CandidateSource,
    Fate,
    Receipt,
)
from tacit.language.injection_blocks import block_id_in
from tacit.language.prompt_templates import PREFACE
from tacit.turn.block import BlockSection, frame_of
from tacit.turn.relevance_rules import BEST_SHARE, BEST_SHARE_LINKED
from tacit.ui.turn_labels import SKIP_LABELS, capitalize_first, disposition_label

NEW_SESSION = "inspector"
"""The session of a question that names none; nothing was ever injected into it."""

_MAX_TEXT_IN_ADDRESS = 2_000
_AFRESH = "afresh"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorQuestion:
    """A question; `afresh` ignores what the session has in its history."""

    text: str = ""
    session: str = ""
    agent: str = ""
    user: str = ""
    project: str = ""
    org: str = ""
    afresh: bool = False

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read a question from the query of an address."""
        fields = {name: query.get(name, "") for name in QUESTION_FIELDS}
        return cls(**fields, afresh=_AFRESH in query)

    @classmethod
    def from_receipt(cls, receipt: Receipt) -> Self:
        """The question of a past turn, ignoring the history of its session."""
        who = {name: getattr(receipt, name) or "" for name in AUDIENCE_FIELDS}
        return cls(text=receipt.query, session=receipt.session, **who, afresh=True)

    @property
    def is_empty(self) -> bool:
        """Whether the question has no text."""
        return not self.text.strip()

    def to_preview_arguments(self) -> dict[str, Any]:
        """The arguments for the client's `preview`."""
        who = {name: value for name in AUDIENCE_FIELDS if (value := getattr(self, name))}
        history = () if self.afresh else None
        return {
            "session": self.session or NEW_SESSION,
            "text": self.text,
            "history": history,
            **who,
        }

    def to_query(self) -> dict[str, str]:
        """The question as the query of an address; a very long text is left out."""
        fields = {name: value for name in QUESTION_FIELDS if (value := getattr(self, name))}
        if len(self.text) > _MAX_TEXT_IN_ADDRESS:
            del fields["text"]
        return {**fields, _AFRESH: "1"} if self.afresh else fields

    def audience_text(self) -> str:
        """Who asks, in which session, and whether its history is ignored."""
        view = ", as if nothing were in view" if self.afresh and self.session else ""
        return f"{self.audience_names()}{view}"

    def audience_names(self) -> str:
        """Who asks, in which session."""
        named = [
            f"{name} {value}" for name in QUESTION_FIELDS[1:] if (value := getattr(self, name))
        ]
        return ", ".join(named) or "nobody by name, in a new session"


AUDIENCE_FIELDS = ("agent", "user", "project", "org")
QUESTION_FIELDS = tuple(each.name for each in fields(InspectorQuestion) if each.name != _AFRESH)


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorOutcome:
    """What a turn injected, or would inject; `is_past` if it took place."""

    receipt: Receipt
    block: str | None = None
    is_past: bool = False

    def no_block_reason(self, floor: float | None = None) -> str | None:
        """Why nothing is injected; None if there is a block to show.

        `floor` is the relevance that a hit needed, if that is known.
        """
        if self.block:
            return None
        if self.receipt.blocks:
            return "A block was injected, but its words are not kept any more."
        return _nothing_injected_text(self.receipt, floor)


def _nothing_injected_text(receipt: Receipt, floor: float | None) -> str:
    parts = [SKIP_LABELS[receipt.skipped].sentence] if receipt.skipped is not None else []
    if receipt.candidates:
        parts.append(_left_out_text(receipt))
        if (short := missing_relevance_text(receipt.candidates, floor)) is not None:
            parts.append(f"{capitalize_first(short)}.")
    elif receipt.skipped is None:
        parts.append(_NONE_FOUND)
    return " ".join(parts)


def mark_result_text(before: InspectorOutcome, after: InspectorOutcome | None) -> str:
    """What a mark changed, in one sentence."""
    is_emptied = before.block and after is not None and not after.block
    return _EMPTIED if is_emptied else "Marked: it counts less for questions like this one."


def _left_out_text(receipt: Receipt) -> str:
    """How many candidates were left out for each reason, the most frequent first."""
    reasons = Counter(explain_candidate(replace(each, note="")) for each in receipt.candidates)
    reasons_text = "; ".join(f"{count} × {reason}" for reason, count in reasons.most_common())
    count = len(receipt.candidates)
    who = "The only candidate was" if count == 1 else f"All {count} candidates were"
    return f"{who} left out: {reasons_text}."


_EMPTIED = "Marked. Nothing is injected now; Undo brings it back."
_NONE_FOUND = (
    "No memory came to mind. Either none is visible to this agent, user and project, or none has"
    " a word or a meaning in common with the message."
)


# The difference between two outcomes.


@dataclass(frozen=True, slots=True, kw_only=True)
class DispositionChange:
    """A memory with another disposition than before; None if it was not a candidate."""

    memory: str
    was: Fate | None
    now: Fate | None

    @property
    def is_seen(self) -> bool:
        """Whether the model sees the change."""
        return Fate.INJECTED in (self.was, self.now)

    def to_text(self) -> str:
        """The change in words."""
        return f"was: {_disposition_text(self.was)} → now: {_disposition_text(self.now)}"

    @property
    def before_text(self) -> str:
        """The earlier disposition in words."""
        return _disposition_text(self.was)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDifference:
    """Lines added to and removed from the block, its tokens, and changed dispositions."""

    came: tuple[str, ...]
    went: tuple[str, ...]
    tokens: tuple[int, int]
    changes: tuple[DispositionChange, ...]

    @property
    def is_none(self) -> bool:
        """Whether nothing differs."""
        return not (self.came or self.went or self.changes)


def compare_outcomes(before: InspectorOutcome, after: InspectorOutcome) -> TurnDifference:
    """The difference between two outcomes; changes that the model sees come first."""
    old, new = _block_lines(before.block), _block_lines(after.block)
    changes = _find_changes(before.receipt, after.receipt)
    return TurnDifference(
        came=_extra_lines(new, old),
        went=_extra_lines(old, new),
        tokens=(before.receipt.tokens, after.receipt.tokens),
        changes=tuple(sorted(changes, key=lambda each: not each.is_seen)),
    )


def _find_changes(before: Receipt, after: Receipt) -> list[DispositionChange]:
    was, now = _dispositions(before), _dispositions(after)
    return [
        DispositionChange(memory=id, was=was.get(id), now=now.get(id))
        for id in dict.fromkeys([*now, *was])
        if was.get(id) is not now.get(id)
    ]


def _dispositions(receipt: Receipt) -> dict[str, Fate]:
    return {each.memory: each.fate for each in receipt.candidates}


def _block_lines(block: str | None) -> list[str]:
    """The lines of blocks without those that every block has."""
    lines = (block or "").split("\n")
    return [
        line for line in lines if line.strip() not in _BOILERPLATE and block_id_in(line) is None
    ]


def _extra_lines(lines: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The lines that the others lack, counting repetitions."""
    left = Counter(others)
    beyond = []
    for line in lines:
        if left[line]:
            left[line] -= 1
        else:
            beyond.append(line)
    return tuple(beyond)


def _disposition_text(fate: Fate | None) -> str:
    return "not thought of" if fate is None else disposition_label(fate)


_TITLES = [frame_of(section).before.strip() for section in set(BlockSection) - {BlockSection.FRAME}]
_BOILERPLATE = frozenset({"", PREFACE, *_TITLES})


# Why a candidate was left out.

_ONLY_ASKS = "it only asks, and no question answers another"


def reason_text(
    candidate: Candidate, candidates: Sequence[Candidate], floor: float | None = None
) -> str:
    """Why a candidate was left out, with the measured values that decided it.

    `floor` is the relevance that a hit needed, if that is known.
    """
    if candidate.fate is not Fate.BELOW_FLOOR:
        return explain_candidate(candidate)
    rivals = [each for each in candidates if _compete(each, candidate)]
    if candidate.note == NOTE_NOTHING_RELEVANT:
        if _is_only_question(candidate, floor):
            return _ONLY_ASKS
        return f"{NOTE_NOTHING_RELEVANT}: {missing_relevance_text(rivals, floor)}"
    if candidate.note:
        return explain_candidate(candidate)
    share = BEST_SHARE_LINKED if candidate.found is CandidateSource.EPISODE else BEST_SHARE
    own, needed = _own_score(candidate), share * max(map(_own_score, rivals), default=0.0)
    if own < needed:
        part = " without what its session has" if own < candidate.score else ""
        return f"its score {own:.2f}{part} is under {needed:.2f}, {share:.0%} of the best one's"
    if floor is None:
        return f"its relevance {candidate.relevance:.2f} is less than was asked for"
    return f"its relevance is {candidate.relevance:.2f}, and {floor:.2f} is needed"


def _compete(first: Candidate, second: Candidate) -> bool:
    """Whether two candidates are judged among each other: both memories, or both episodes."""
    is_said = first.found is CandidateSource.EPISODE
    return first.found in SEARCHED and is_said is (second.found is CandidateSource.EPISODE)


def _own_score(candidate: Candidate) -> float:
    """The score without what the whole session of a candidate has."""
    return candidate.score - candidate.signals.get("session", 0.0)


def _is_only_question(candidate: Candidate, floor: float | None) -> bool:
    """Whether it was relevant enough, and yet let nothing in."""
    is_stopped = candidate.note == NOTE_NOTHING_RELEVANT
    is_episode = candidate.found is CandidateSource.EPISODE
    return is_episode and is_stopped and floor is not None and candidate.relevance >= floor


def missing_relevance_text(
    candidates: Sequence[Candidate], floor: float | None = None
) -> str | None:
    """How much relevance the best hit lacks; None if it has enough, or that is unknown."""
    stopped = {each.found for each in candidates if each.note == NOTE_NOTHING_RELEVANT}
    hits = [
        each.relevance
        for each in candidates
        if each.found in stopped
        and each.fate is not Fate.SUPERSEDED
        and not _is_only_question(each, floor)
    ]
    if not hits:
        return None
    best = max(hits)
    if floor is None:
        return f"the best relevance is {best:.2f}, less than was asked for"
    return f"the best relevance is {best:.2f}, and {floor:.2f} is needed"
