"""Write a history as plain text, for summaries and for learning."""

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
from tacit.language.compaction import is_summary
from tacit.language.injection_blocks import remove_quoted_blocks
from tacit.language.neutralization import is_fence, neutralize_lines, neutralize_once
from tacit.language.prompt_templates import (
    ASSISTANT,
    SUMMARY_PREFIX,
    SYSTEM,
    TOOL_CALL,
    TOOL_RESULT,
    USER,
)

_SPEAKERS = {"user": f"{USER}: ", "assistant": f"{ASSISTANT}: "}
_SYSTEM = f"{SYSTEM}: "


def write_transcript(messages: Sequence[object], known: Mapping[str, str]) -> str:
    """Write who said what, one line or more for each message, without any blocks.

    `known` maps ids to the exact text of each block. A line inside a text that looks like the
    beginning of another message gets a backslash (`neutralization`).
    """
    return "\n".join(line for message in messages for line in _message_lines(message, known))


def _message_lines(message: object, known: Mapping[str, str]) -> Iterator[str]:
    if is_summary(message):
        words = remove_quoted_blocks(text_of(message), known).removeprefix(SUMMARY_PREFIX)
        yield SUMMARY_PREFIX + neutralize_once(words, begins_line=False)
    elif is_tool_answer(message):
        yield _result_line(content_of(message), known)
    else:
        yield from _speech_lines(message, known)
        yield from (_call_line(call, known) for call in calls_beside_content(message))


def _speech_lines(message: object, known: Mapping[str, str]) -> Iterator[str]:
    prefix = _SPEAKERS.get(role_of(message), _SYSTEM)
    for by_tools, parts in groupby(_parts(content_of(message)), _is_tool_part):
        if by_tools:
            yield from (_tool_line(part, known) for part in parts)
        elif words := _own_words(_join_texts(parts), known):
            yield prefix + words


def _parts(content: object) -> Sequence[object]:
    return content if isinstance(content, list | tuple) else (to_compact_text(content),)


def _is_tool_part(part: object) -> bool:
    return is_tool_result(part) or call_of_part(part) is not None


def _tool_line(part: object, known: Mapping[str, str]) -> str:
    call = call_of_part(part)
    return _result_line(content_of(part), known) if call is None else _call_line(call, known)


def _result_line(content: object, known: Mapping[str, str]) -> str:
    return TOOL_RESULT + _own_words(_join_texts(_parts(content)), known)


def _call_line(call: ToolCall, known: Mapping[str, str]) -> str:
    name, arguments = (
        _own_words(call.name, known),
        _own_words(to_compact_text(call.arguments), known),
    )
    end = "\n" if is_fence(arguments.rpartition("\n")[2]) else ""
    return f"{TOOL_CALL}{name}({arguments}{end})]"


def _join_texts(parts: Iterable[object]) -> str:
    texts = (
        media_placeholder(part) if text_of_part(part) is None else text_of_part(part)
        for part in parts
    )
    return "\n".join(text for text in texts if text)


def _own_words(text: str, known: Mapping[str, str]) -> str:
    """Remove blocks from a text, and neutralise it so that it cannot pass for another message."""
    return neutralize_lines(remove_quoted_blocks(text, known).strip(), begins_line=False)
