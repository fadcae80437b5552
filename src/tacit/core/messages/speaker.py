"""Who speaks: a person, or the assistant."""

from tacit.core.messages.parts import is_tool_result, parts_of, text_in
from tacit.core.messages.shape import role_of


def is_human(message: object) -> bool:
    """Whether a person speaks: the role is user, and not only tools answer in it."""
    return role_of(message) == "user" and any(
        not is_tool_result(part) and text_in(part) != "" for part in parts_of(message)
    )


def is_assistant(message: object) -> bool:
    """Whether the assistant speaks."""
    return role_of(message) == "assistant"
