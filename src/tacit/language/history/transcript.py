"""A history as plain text, for those who sum it up or learn from it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from tacit.core.messages import (
    ToolCall,
    call_of_part,
    calls_beside_content,
    content_of,
    is_tool_answer,
    is_tool_result,
    media_placeholder,
    role_of,
    text_of,
    text_of_part,
    to_compact_text,
)
from tacit.language.history.quotation import without_quotes
from tacit.language.history.summary import is_summary
from tacit.language.structure.fences import is_fence
from tacit.language.structure.neutral import neutralised_lines, neutralised_once
from tacit.language.structure.templates import (
    ASSISTANT,
    SUMMARY_PREFIX,
    SYSTEM,
    TOOL_CALL,
    TOOL_RESULT,
    USER,
)

_SPEAKERS = {"user": f"{USER}: ", "assistant": f"{ASSISTANT}: "}
_SYSTEM = f"{SYSTEM}: "


def transcript(messages: Sequence[object], known: Mapping[str, str]) -> str:
    """Who said what, a line or more for each message; blocks are absent wherever they stand.

    `known` has the exact text of each block by its id. A line inside a text that looks like the
    beginning of another message gets a backslash in front (`tacit.structure`).
    """
    return "\n".join(line for message in messages for line in _lines(message, known))


def _lines(message: object, known: Mapping[str, str]) -> Iterator[str]:
    if is_summary(message):
        words = without_quotes(text_of(message), known).removeprefix(SUMMARY_PREFIX)
        yield SUMMARY_PREFIX + neutralised_once(words, begins_line=False)
    elif is_tool_answer(message):
        yield _result(content_of(message), known)
    else:
        yield from _spoken(message, known)
        yield from (_call(call, known) for call in calls_beside_content(message))


def _spoken(message: object, known: Mapping[str, str]) -> Iterator[str]:
    prefix = _SPEAKERS.get(role_of(message), _SYSTEM)
    for by_tools, parts in groupby(_parts(content_of(message)), _is_of_tools):
        if by_tools:
            yield from (_of_tool(part, known) for part in parts)
        elif words := _own(_said(parts), known):
            yield prefix + words


def _parts(content: object) -> Sequence[object]:
    return content if isinstance(content, list | tuple) else (to_compact_text(content),)


def _is_of_tools(part: object) -> bool:
    return is_tool_result(part) or call_of_part(part) is not None


def _of_tool(part: object, known: Mapping[str, str]) -> str:
    call = call_of_part(part)
    return _result(content_of(part), known) if call is None else _call(call, known)


def _result(content: object, known: Mapping[str, str]) -> str:
    return TOOL_RESULT + _own(_said(_parts(content)), known)


def _call(call: ToolCall, known: Mapping[str, str]) -> str:
    name, arguments = _own(call.name, known), _own(to_compact_text(call.arguments), known)
    end = "\n" if is_fence(arguments.rpartition("\n")[2]) else ""
    return f"{TOOL_CALL}{name}({arguments}{end})]"


def _said(parts: Iterable[object]) -> str:
    texts = (
        media_placeholder(part) if text_of_part(part) is None else text_of_part(part)
        for part in parts
    )
    return "\n".join(text for text in texts if text)


def _own(text: str, known: Mapping[str, str]) -> str:
    """The words in a text that are no block, unable to pass for another message."""
    return neutralised_lines(without_quotes(text, known).strip(), begins_line=False)
