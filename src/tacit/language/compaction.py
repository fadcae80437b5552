"""Compaction of a history: how full the context is, which messages go, and what replaces them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, takewhile

from tacit.core.messages import (
    ToolCall,
    answered_call_ids,
    call_of_part,
    calls_beside_content,
    calls_of,
    content_of,
    is_tool_result,
    role_of,
    text_of,
    text_of_media,
    text_of_part,
    to_compact_text,
    user_message,
)
from tacit.language.injection_blocks import remove_blocks
from tacit.language.neutralization import neutralize_once
from tacit.language.prompt_templates import SUMMARY_PREFIX
from tacit.language.tokens import estimate_tokens

# Usage of the context window.


_PER_MESSAGE = 4
_PER_IMAGE = 1_000
"""Also for every other part whose tokens cannot be estimated from its text."""


class CompactionLevel(StrEnum):
    """How urgently the context window needs room."""

    NONE = "none"
    BACKGROUND = "background"
    AGGRESSIVE = "aggressive"
    EMERGENCY = "emergency"


_LEVEL_THRESHOLDS = (
    (0.95, CompactionLevel.EMERGENCY),
    (0.85, CompactionLevel.AGGRESSIVE),
    (0.80, CompactionLevel.BACKGROUND),
)


def compaction_level(usage: float) -> CompactionLevel:
    """Return the level for this share of the context window."""
    return next(
        (level for share, level in _LEVEL_THRESHOLDS if usage >= share), CompactionLevel.NONE
    )


def estimate_history_tokens(messages: Sequence[object]) -> int:
    """Estimate the tokens of a history: all text, tool calls, results and blocks."""
    return sum(map(_message_tokens, messages))


def _message_tokens(message: object) -> int:
    beside = sum(map(_call_tokens, calls_beside_content(message)))
    return _PER_MESSAGE + _content_tokens(content_of(message), _part_tokens) + beside


def _content_tokens(content: object, of_part: Callable[[object], int]) -> int:
    if isinstance(content, list | tuple):
        return sum(map(of_part, content))
    return estimate_tokens(to_compact_text(content))


def _part_tokens(part: object) -> int:
    if is_tool_result(part):
        return _content_tokens(content_of(part), _text_tokens)
    call = call_of_part(part)
    return _text_tokens(part) if call is None else _call_tokens(call)


def _text_tokens(part: object) -> int:
    text = text_of_part(part)
    text = text_of_media(part) if text is None else text
    return _PER_IMAGE if text is None else estimate_tokens(text)


def _call_tokens(call: ToolCall) -> int:
    return estimate_tokens(call.name) + estimate_tokens(to_compact_text(call.arguments))


# The message that replaces what was left out.


_COUNT = re.compile(r"(\d{1,18}) earlier messages were left out to make room\.(?:\n|\Z)")


def is_summary(message: object) -> bool:
    """Whether a message is a summary of earlier ones."""
    return role_of(message) == "user" and text_of(message).startswith(SUMMARY_PREFIX)


def format_summary_message(summary: str | None, zone: Sequence[object]) -> str:
    """Format what replaces the removed messages: a summary, or their count and older summaries.

    Without a new summary the words of older ones stay, and their counts are added to the new one.
    No line of it can pass for another message.
    """
    words = summary if summary and summary.strip() else _format_left_out(zone)
    return SUMMARY_PREFIX + neutralize_once(words, begins_line=False)


def _format_left_out(zone: Sequence[object]) -> str:
    older = [_parse_summary(message) for message in zone if is_summary(message)]
    count = len(zone) - len(older) + sum(count for count, _ in older)
    marker = f"{count} earlier messages were left out to make room."
    return "\n".join([marker, *(words for _, words in older if words)])


def _parse_summary(summary: object) -> tuple[int, str]:
    """Return how many messages an older summary counts as removed, and its words."""
    text = text_of(summary).removeprefix(SUMMARY_PREFIX)
    marker = _COUNT.match(text)
    return (int(marker[1]), text[marker.end() :]) if marker else (0, text)


# What belongs together: a tool call and its results, a block and its message.


def find_cuts(messages: Sequence[object], known: Mapping[str, str]) -> list[int]:
    """Find where a history may be cut; each number is the count of messages before the cut."""
    furthest = accumulate(_last_partners(messages, known), max)
    return [index + 1 for index, partner in enumerate(furthest) if partner <= index]


def _last_partners(messages: Sequence[object], known: Mapping[str, str]) -> list[int]:
    """For each message, the index of the last one that it must not be separated from.

    An id may be used again: a result belongs to the last call before it. A result without an id
    belongs to the last message that called anything.
    """
    partners = list(range(len(messages)))
    called: dict[str | None, int] = {}
    for index, message in enumerate(messages):
        for id in answered_call_ids(message):
            if id in called:
                partners[called[id]] = index
        if calls := calls_of(message):
            called |= dict.fromkeys([None, *(call.id for call in calls)], index)
        if not remove_blocks([message], known):
            partners[index] = index + 1
    return partners


# Plans.


_CUT_PERCENT = {
    CompactionLevel.BACKGROUND: 30,
    CompactionLevel.AGGRESSIVE: 50,
    CompactionLevel.EMERGENCY: 50,
}
_MIN_KEPT = 2
_INSTRUCTION_ROLES = ("system", "developer")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionPlan:
    """A history in three parts: the instructions in front, what is removed, and what is kept."""

    level: CompactionLevel
    head: tuple[object, ...]
    zone: tuple[object, ...]
    kept: tuple[object, ...]


def plan_compaction(
    messages: Sequence[object], level: CompactionLevel, known: Mapping[str, str]
) -> CompactionPlan:
    """Choose the oldest messages to remove; `known` maps ids to the exact text of each block.

    The cut is the one nearest to the level's share that separates no tool call from its results and
    no block from its message; of two equally near, the later. Without such a cut nothing is
    removed.
    """
    head = tuple(takewhile(_is_instruction, messages))
    rest = tuple(messages[len(head) :])
    cut = _choose_cut(rest, level, known)
    return CompactionPlan(level=level, head=head, zone=rest[:cut], kept=rest[cut:])


def plan_compaction_at(
    messages: Sequence[object], level: CompactionLevel, cut: int, known: Mapping[str, str]
) -> CompactionPlan | None:
    """Plan to remove this many of the oldest messages; None if they cannot be cut off there."""
    head = tuple(takewhile(_is_instruction, messages))
    rest = tuple(messages[len(head) :])
    if cut > len(rest) - _MIN_KEPT or cut not in find_cuts(rest, known):
        return None
    return CompactionPlan(level=level, head=head, zone=rest[:cut], kept=rest[cut:])


def compact_history(plan: CompactionPlan, summary: str | None) -> list[object]:
    """Apply a plan: put a summary, or a count without one, in place of the removed messages."""
    if not plan.zone:
        return [*plan.head, *plan.kept]
    text = format_summary_message(summary, plan.zone)
    stand_in = user_message(text, [*plan.head, *plan.zone, *plan.kept])
    return [*plan.head, stand_in, *plan.kept]


def _is_instruction(message: object) -> bool:
    return role_of(message) in _INSTRUCTION_ROLES


def _choose_cut(rest: Sequence[object], level: CompactionLevel, known: Mapping[str, str]) -> int:
    """Choose how many messages to remove: more than just earlier summaries, or none."""
    if level not in _CUT_PERCENT:
        return 0
    wanted = len(rest) * _CUT_PERCENT[level] // 100
    summaries = sum(1 for _ in takewhile(is_summary, rest))
    possible = (cut for cut in find_cuts(rest, known) if summaries < cut <= len(rest) - _MIN_KEPT)
    return min(possible, key=lambda cut: (abs(cut - wanted), -cut), default=0)
