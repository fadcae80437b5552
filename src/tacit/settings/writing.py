"""What steers memory that fills itself from conversations."""

from dataclasses import dataclass
from enum import StrEnum

from tacit.settings.checking import settle
from tacit.settings.definition import Group, setting


class WritePolicy(StrEnum):
    """Who has the last word on what was learned."""

    AUTO = "auto"
    REVIEW = "review"


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingSettings:
    """What is learned from conversations, by whom, and at what cost."""

    learn: bool = setting(
        True,
        "Learn from Conversations",
        "Remember by itself what people say in turns that were committed.",
        Group.WRITING,
    )
    write_policy: WritePolicy = setting(  # noqa: RUF009
        WritePolicy.AUTO,
        "Write Policy",
        "auto: what was learned, or agents and tools keep, is remembered at once; review: it waits"
        " until a person accepts it.",
        Group.WRITING,
    )
    min_confidence: float = setting(
        0.7,
        "Minimum Confidence",
        "What was learned with less confidence than this is not remembered.",
        Group.WRITING,
        low=0,
        high=1,
    )
    llm_model: str = setting(
        "",
        "Model",
        "The language model that reads conversations too, in the background; empty for none. Its"
        " key is in the environment, in OPENAI_API_KEY.",
        Group.WRITING,
    )
    llm_base_url: str = setting(
        "",
        "Address of the Model",
        "An OpenAI-compatible address, like http://127.0.0.1:11434/v1; empty for OpenAI's own.",
        Group.WRITING,
    )
    llm_tokens_per_day: int = setting(
        200_000,
        "Tokens per Day",
        "So many tokens a day the model may take in one workspace; then it waits for the next day.",
        Group.WRITING,
        low=0,
        high=1_000_000_000,
    )
    persist_every: int = setting(
        50,
        "Messages per Reading",
        "The model reads a session after so many messages of its user, when it is compacted, and"
        " when it ends.",
        Group.WRITING,
        low=1,
        high=1_000,
    )

    def __post_init__(self) -> None:
        settle(self)
