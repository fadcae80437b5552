"""Messages as callers hold them: OpenAI's shape, Anthropic's, SDK objects, and our own."""

from tacit.messages.media import label_of, written_in
from tacit.messages.message import Message
from tacit.messages.parts import is_tool_result, parts_of, text_in, text_of
from tacit.messages.shape import (
    checked,
    content_of,
    is_message,
    replace_content,
    role_of,
    to_plain_data,
)
from tacit.messages.speaker import is_assistant, is_human
from tacit.messages.spoken import as_messages, assistant_message, user_message
from tacit.messages.tools import (
    ToolCall,
    answered_in,
    call_in,
    calls_beside,
    calls_of,
    is_answer,
    written,
)

__all__ = [
    "Message",
    "ToolCall",
    "answered_in",
    "as_messages",
    "assistant_message",
    "call_in",
    "calls_beside",
    "calls_of",
    "checked",
    "content_of",
    "is_answer",
    "is_assistant",
    "is_human",
    "is_message",
    "is_tool_result",
    "label_of",
    "parts_of",
    "replace_content",
    "role_of",
    "text_in",
    "text_of",
    "to_plain_data",
    "user_message",
    "written",
    "written_in",
]
