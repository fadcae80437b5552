"""What a message holds, part by part: texts, images, tool calls and their results."""

from collections.abc import Sequence

from tacit.core.messages.shape import content_of, field_of

_TEXTS = ("text", "input_text", "output_text")


def parts_of(message: object) -> Sequence[object]:
    """The content as parts: a string is one part, a list is its entries, anything else none."""
    content = content_of(message)
    if isinstance(content, str):
        return (content,)
    return content if isinstance(content, list | tuple) else ()


def text_in(part: object) -> str | None:
    """The text of a part, or None if it is something else than text."""
    if isinstance(part, str):
        return part
    text = field_of(part, "text") if field_of(part, "type") in _TEXTS else None
    return text if isinstance(text, str) else None


def is_tool_result(part: object) -> bool:
    """Whether a part is what a tool answered."""
    return field_of(part, "type") == "tool_result"


def text_of(message: object) -> str:
    """The texts of a message, one below the other; images, tool calls and results give none."""
    texts = (text_in(part) for part in parts_of(message))
    return "\n".join(text for text in texts if text is not None)
