"""The message of a grounded prompt, and the conversation whose chat log takes it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """What was said, and where: in a context, or through a connector under its id there."""

    text: str
    context: str | None = None
    connector: str = "local"
    external_id: str = ""
