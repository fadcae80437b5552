"""Messages as callers hold them: OpenAI's shape, Anthropic's, SDK objects, and our own."""

from tacit.messages.message import Message
from tacit.messages.parts import is_tool_result, parts_of, text_in, text_of
from tacit.messages.shape import checked, content_of, is_message, replace_content, role_of
from tacit.messages.speaker import is_assistant, is_human
from tacit.messages.spoken import as_messages, assistant_message, user_message

__all__ = [
    "Message",
    "as_messages",
    "assistant_message",
    "checked",
    "content_of",
    "is_assistant",
    "is_human",
    "is_message",
    "is_tool_result",
    "parts_of",
    "replace_content",
    "role_of",
    "text_in",
    "text_of",
    "user_message",
]
