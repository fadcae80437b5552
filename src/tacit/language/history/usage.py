"""How full a model's context is, and how urgently room is needed."""

from collections.abc import Callable, Sequence
from enum import StrEnum

from tacit.core.messages import (
    ToolCall,
    call_of_part,
    calls_beside_content,
    content_of,
    is_tool_result,
    text_of_media,
    text_of_part,
    to_compact_text,
)
from tacit.language.tokens import estimate

_PER_MESSAGE = 4
_PER_IMAGE = 1_000
"""Also for every other part whose size in tokens cannot be told from its text."""


class Level(StrEnum):
    """How urgently room is needed."""

    NONE = "none"
    BACKGROUND = "background"
    AGGRESSIVE = "aggressive"
    EMERGENCY = "emergency"


_BEGINS_AT = ((0.95, Level.EMERGENCY), (0.85, Level.AGGRESSIVE), (0.80, Level.BACKGROUND))


def level_of(usage: float) -> Level:
    """The level of a share of the context window; a level begins at its share."""
    return next((level for share, level in _BEGINS_AT if usage >= share), Level.NONE)


def estimated(messages: Sequence[object]) -> int:
    """The tokens of a history: all text, calls and results, blocks among them."""
    return sum(map(_tokens, messages))


def _tokens(message: object) -> int:
    beside = sum(map(_of_call, calls_beside_content(message)))
    return _PER_MESSAGE + _of_content(content_of(message), _of_part) + beside


def _of_content(content: object, of_part: Callable[[object], int]) -> int:
    if isinstance(content, list | tuple):
        return sum(map(of_part, content))
    return estimate(to_compact_text(content))


def _of_part(part: object) -> int:
    if is_tool_result(part):
        return _of_content(content_of(part), _of_said)
    call = call_of_part(part)
    return _of_said(part) if call is None else _of_call(call)


def _of_said(part: object) -> int:
    text = text_of_part(part)
    text = text_of_media(part) if text is None else text
    return _PER_IMAGE if text is None else estimate(text)


def _of_call(call: ToolCall) -> int:
    return estimate(call.name) + estimate(to_compact_text(call.arguments))
