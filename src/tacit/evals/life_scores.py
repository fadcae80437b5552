"""What a question of a life was shown, read from blocks, and whether it was the right memory.

Everything here is a pure function of texts; docs/measurements.md says what each figure means.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.evals.corpus import ratio
from tacit.evals.lives import ANSWERABLE_KINDS, Life, LifeQuestion, Patterns
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX, PREFACE
from tacit.turn.block import BlockSection, frame_of

# The lines of a block


@dataclass(frozen=True, slots=True)
class BlockLines:
    """The memories that blocks show, as they are written there: for what was said, and standing."""

    own: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Both, standing rules first, as in the block."""
        return (*self.standing, *self.own)


def read_block(block: str | None) -> BlockLines:
    """The lines of a turn's blocks; headings and what frames a section are not among them."""
    found: dict[bool, list[str]] = {False: [], True: []}
    section: BlockSection | None = None
    for line in (block or "").split("\n"):
        if line.startswith(INJECTION_BLOCK_PREFIX):
            section = None
        elif line in _SECTIONS:
            section = _SECTIONS[line]
        elif section is not None and line not in _FRAMING:
            found[section is BlockSection.STANDING].append(line)
    return BlockLines(tuple(found[False]), tuple(found[True]))


_SECTIONS = {frame_of(section).before.split("\n")[0]: section for section in BlockSection}
_FRAMING = frozenset(
    [
        PREFACE,
        *(
            line
            for section in BlockSection
            for part in (frame_of(section).before, frame_of(section).after)
            for line in ("", *part.split("\n"))
        ),
    ]
)


# What a question got


@dataclass(frozen=True, slots=True)
class ShownMemories:
    """What stood before the model when a question was asked, and what there was to show.

    `lines` are those of the question's own turn, `earlier` those of the turns ahead of it, and
    `visible` the contents of all live memories that the question may see.
    """

    lines: BlockLines
    earlier: tuple[str, ...] = ()
    visible: tuple[str, ...] = ()
    tokens: int = 0
    is_degraded: bool = False


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """What one question of a person got."""

    person: str
    question: LifeQuestion
    shown: ShownMemories
    is_known: bool
    """Whether live memories that it may see would answer it."""
    is_right: bool
    has_stale_line: bool
    """Whether an outdated value is shown in a line that does not say the current one as well."""
    useful_lines: int
    marks: int
    confirmed_marks: int
    repeated_lines: int
    has_secret: bool

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that were injected for it."""
        return self.shown.lines.own

    @property
    def standing(self) -> tuple[str, ...]:
        """The standing rules that its turn shows."""
        return self.shown.lines.standing

    @property
    def is_silent(self) -> bool:
        """Whether nothing was injected for it."""
        return not self.lines

    @property
    def is_stale_only(self) -> bool:
        """Whether an outdated value is shown, and the current one is not."""
        return self.has_stale_line and not self.is_right

    @property
    def is_stale_beside_current(self) -> bool:
        """Whether an outdated value is shown beside the current one."""
        return self.has_stale_line and self.is_right

    @property
    def failure(self) -> str | None:
        """What went wrong in a word or two; None if nothing did."""
        if self.has_secret:
            return "secret shown"
        if not self.question.needs_memory:
            return None if self.is_silent else "not silent"
        if self.is_stale_only:
            return "stale"
        if not self.is_right:
            return "not shown" if self.is_known else "not learned"
        return "stale beside current" if self.is_stale_beside_current else None

    def describe(self) -> str:
        """The question, what went wrong, what would answer it and what was shown, in lines."""
        place = " in conversation" if self.question.context else ""
        head = f"{self.failure or 'right'}: {self.question.id} ({self.question.kind}{place})"
        parts = [
            f"{head} {self.question.text}",
            *(f"said: {words}" for words in self.question.gold),
            *(f"shown earlier: {line}" for line in self.shown.earlier),
            *(f"standing: {line}" for line in self.standing),
            *(f"shown: {line}" for line in self.lines),
        ]
        return "\n    ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """What it got in figures, without any words, ready for JSON."""
        return {
            "person": self.person,
            "question": self.question.id,
            "kind": str(self.question.kind),
            "in_conversation": bool(self.question.context),
            "right": self.is_right,
            "in_store": self.is_known,
            "stale_only": self.is_stale_only,
            "stale_beside_current": self.is_stale_beside_current,
            "lines": len(self.lines),
            "useful_lines": self.useful_lines,
            "standing_lines": len(self.standing),
        }


def score_question(life: Life, question: LifeQuestion, shown: ShownMemories) -> QuestionScore:
    """Judge what a question of this person got."""
    own = shown.lines.own
    in_view = (*shown.earlier, *shown.lines.all)
    marks = [(line, other) for line in own for other in _quoted_others(line)]
    return QuestionScore(
        life.id,
        question,
        shown,
        is_known=_meets_needs(question, shown.visible),
        is_right=_meets_needs(question, in_view),
        has_stale_line=any(_is_stale(question, line) for line in in_view),
        useful_lines=sum(_is_useful(question, line) for line in own),
        marks=len(marks),
        confirmed_marks=sum(_is_confirmed(life, _unmarked(line), other) for line, other in marks),
        repeated_lines=_count_repeated(own),
        has_secret=any(_meets(life.never, line) for line in in_view),
    )


def _meets(patterns: Patterns, text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _meets_needs(question: LifeQuestion, texts: Sequence[str]) -> bool:
    """Whether each group of needs is met by some text; where nothing is needed nothing is right."""
    return question.needs_memory and all(
        any(_meets(group, text) for text in texts) for group in question.needs
    )


def _is_useful(question: LifeQuestion, line: str) -> bool:
    return any(_meets(group, line) for group in question.needs)


def _is_stale(question: LifeQuestion, line: str) -> bool:
    return _meets(question.stale, line) and not _is_useful(question, line)


# Marks on lines: other words that say, or said before, something else about the same thing


_MARK = re.compile(r'\((?:conflict|replaces): "(?P<other>.*?)"(?:, [^")]*)?\)')


def _quoted_others(line: str) -> Iterator[str]:
    """What each mark of a line quotes."""
    return (mark["other"] for mark in _MARK.finditer(line))


def _unmarked(line: str) -> str:
    return _MARK.sub("", line)


def _is_confirmed(life: Life, line: str, other: str) -> bool:
    """Whether some question says that one of the two is outdated and the other is current."""
    return any(
        _meets(question.stale, old) and _is_useful(question, new)
        for question in life.questions
        for old, new in ((line, other), (other, line))
    )


# Lines that say hardly more than another


_SAME_WORDS = 0.8
_WORD = re.compile(r"\w{3,}")
_FRAME_WORDS = frozenset({"importance", "fact", "said"})
"""Words that stand around what a line shows."""


def _count_repeated(lines: Sequence[str]) -> int:
    """The lines of which another line has at least four fifths of the words."""
    words = [set(_WORD.findall(_unmarked(line).lower())) - _FRAME_WORDS for line in lines]
    return sum(
        bool(own)
        and any(
            len(own & others) >= _SAME_WORDS * len(own)
            for other, others in enumerate(words)
            if other != place
        )
        for place, own in enumerate(words)
    )


# Figures


def sum_up(scores: Sequence[QuestionScore]) -> dict[str, Any]:
    """The figures of some questions; a pair is so many of so many."""
    needing = [each for each in scores if each.question.needs_memory]
    idle = [each for each in scores if not each.question.needs_memory]
    return {
        "questions": len(scores),
        "right": ratio(sum(each.is_right for each in needing), len(needing)),
        "right_of": _share(each.is_right for each in needing),
        **{
            f"right_{kind}": _share(each.is_right for each in needing if each.question.kind is kind)
            for kind in ANSWERABLE_KINDS
        },
        "right_fresh": _share(each.is_right for each in needing if not each.question.context),
        "right_in_conversation": _share(each.is_right for each in needing if each.question.context),
        "answer_in_store": _share(each.is_known for each in needing),
        "right_of_those": _share(each.is_right for each in needing if each.is_known),
        "nothing_shown": _share(each.is_silent for each in needing),
        **_sum_up_stale([each for each in needing if each.question.stale]),
        "silent_for_none": _share(each.is_silent for each in idle),
        "silent_for_none_fresh": _share(
            each.is_silent for each in idle if not each.question.context
        ),
        "silent_for_none_in_conversation": _share(
            each.is_silent for each in idle if each.question.context
        ),
        **_sum_up_lines(needing, idle),
        "conflict_marks_confirmed": [
            sum(each.confirmed_marks for each in scores),
            sum(each.marks for each in scores),
        ],
        "tokens_per_block": _tokens_per_block(scores),
        "secrets_shown": sum(each.has_secret for each in scores),
        "degraded": sum(each.shown.is_degraded for each in scores),
    }


def _sum_up_stale(dated: Sequence[QuestionScore]) -> dict[str, Any]:
    """Of the questions that have an outdated value."""
    return {
        "stale_only": _share(each.is_stale_only for each in dated),
        "stale_beside_current": _share(each.is_stale_beside_current for each in dated),
    }


def _sum_up_lines(
    needing: Sequence[QuestionScore], idle: Sequence[QuestionScore]
) -> dict[str, Any]:
    lines = sum(len(each.lines) for each in needing)
    return {
        "lines_per_question": ratio(lines, len(needing)),
        "lines_per_none": ratio(sum(len(each.lines) for each in idle), len(idle)),
        "line_precision": ratio(sum(each.useful_lines for each in needing), lines),
        "lines_said_twice": ratio(sum(each.repeated_lines for each in needing), lines),
        "standing_lines_per_question": ratio(
            sum(len(each.standing) for each in needing), len(needing)
        ),
        "standing_lines_per_none": ratio(sum(len(each.standing) for each in idle), len(idle)),
    }


def _tokens_per_block(scores: Sequence[QuestionScore]) -> float:
    spoken = [each.shown.tokens for each in scores if not each.is_silent]
    return round(ratio(sum(spoken), len(spoken)), 1)


def _share(outcomes: Iterable[bool]) -> list[int]:
    """How many are so, of how many."""
    all_outcomes = list(outcomes)
    return [sum(all_outcomes), len(all_outcomes)]
