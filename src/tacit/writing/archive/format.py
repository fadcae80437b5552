"""How a file that somebody wants imported is laid out."""

from enum import StrEnum


class Format(StrEnum):
    """How a file is laid out."""

    AUTO = "auto"
    LINES = "lines"
    JSONL = "jsonl"
    MARKDOWN = "markdown"
    MEM0 = "mem0"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
