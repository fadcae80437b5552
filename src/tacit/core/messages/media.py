"""Parts that are not plain text: images, documents, and what the model thinks or refuses."""

from tacit.core.messages.shape import field_of

_IMAGES = ("image", "image_url", "input_image")
_THOUGHTS = ("thinking", "redacted_thinking", "reasoning")


def label_of(part: object) -> str:
    """What stands for a part where only text can stand; for the model's thoughts, nothing."""
    type = field_of(part, "type")
    if type in _THOUGHTS:
        return ""
    if type == "refusal":
        return written_in(part) or ""
    return "[image]" if type in _IMAGES else "[document]"


def written_in(part: object) -> str | None:
    """The text that such a part carries: thoughts, a refusal, a document in plain text."""
    type, source = field_of(part, "type"), field_of(part, "source")
    if type == "document" and field_of(source, "type") == "text":
        text = field_of(source, "data")
    elif type in (*_THOUGHTS, "refusal"):
        text = field_of(part, "data" if type == "redacted_thinking" else str(type))
    else:
        text = None
    return text if isinstance(text, str) else None
