"""The settings of the tables `writing` (learning from conversations) and `upkeep`."""

import re
from dataclasses import dataclass
from enum import StrEnum

from tacit.core.errors import InvalidInput
from tacit.settings.definition import SettingGroup, check_settings, setting


class WritePolicy(StrEnum):
    """Who has the last word on what was learned."""

    AUTO = "auto"
    REVIEW = "review"


class EpisodePolicy(StrEnum):
    """Whose messages are kept as they were said."""

    USER = "user"
    BOTH = "both"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingSettings:
    """What is learned from conversations, by whom, and at what cost."""

    learn: bool = setting(
        True,
        "Learn from Conversations",
        "Remember by itself what people say in turns that were committed.",
        SettingGroup.WRITING,
    )
    write_policy: WritePolicy = setting(  # noqa: RUF009
        WritePolicy.AUTO,
        "Write Policy",
        "auto: what was learned, or agents and tools keep, is remembered at once; review: it waits"
        " until a person accepts it.",
        SettingGroup.WRITING,
    )
    min_confidence: float = setting(
        0.7,
        "Minimum Confidence",
        "What was learned with less confidence than this is not remembered.",
        SettingGroup.WRITING,
        low=0,
        high=1,
    )
    episodes: EpisodePolicy = setting(  # noqa: RUF009
        EpisodePolicy.USER,
        "Keep What Was Said",
        "user: what people say is kept as they said it and found again; both: the assistant's"
        " answers too; off: nothing more is kept, and what is there stays. Where the write policy"
        " is review, nothing is kept unless this is set.",
        SettingGroup.WRITING,
        needs="learn",
    )
    episode_days: int = setting(
        365,
        "Keep What Was Said (Days)",
        "How long what was said is kept; 0 keeps it for ever.",
        SettingGroup.WRITING,
        low=0,
        high=36_500,
    )
    episode_limit: int = setting(
        50_000,
        "Most Messages Kept",
        "How many messages are kept for each user as they were said; the oldest go first.",
        SettingGroup.WRITING,
        low=1,
        high=10_000_000,
    )
    llm_model: str = setting(
        "",
        "Model",
        "The language model that reads conversations too, in the background; empty for none.",
        SettingGroup.WRITING,
    )
    llm_base_url: str = setting(
        "",
        "Address of the Model",
        "An OpenAI-compatible address, like http://127.0.0.1:11434/v1; empty for OpenAI's own.",
        SettingGroup.WRITING,
    )
    llm_key_env: str = setting(
        "OPENAI_API_KEY",
        "Variable of the Model's Key",
        "The environment variable that holds the model's key, never the key itself; empty if the"
        " model needs none.",
        SettingGroup.WRITING,
    )
    llm_tokens_per_day: int = setting(
        200_000,
        "Tokens per Day",
        "So many tokens a day the model may take in one workspace; then it waits for the next day.",
        SettingGroup.WRITING,
        low=0,
        high=1_000_000_000,
    )
    persist_every: int = setting(
        50,
        "Messages per Reading",
        "The model reads a session after so many messages of its user, when it is compacted, and"
        " when it ends.",
        SettingGroup.WRITING,
        low=1,
        high=1_000,
    )

    def __post_init__(self) -> None:
        check_settings(self)
        _check_key_variable("llm_key_env", self.llm_key_env)


_KEY_VARIABLE = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]*_)?API_KEY")
"""Only such variables are read, so that no setting sends another secret somewhere."""


def _check_key_variable(name: str, variable: str) -> None:
    """Refuse what names no variable of a key; the value may be a key, and is not repeated."""
    if variable and not _KEY_VARIABLE.fullmatch(variable):
        raise InvalidInput(
            name,
            "expected the name of an environment variable that ends in API_KEY, such as"
            " ANTHROPIC_API_KEY; the key itself is never written here",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepSettings:
    """What fades, what becomes one, what is related, and how much is looked at in one go."""

    automatic: bool = setting(
        True,
        "Upkeep by the Server",
        "A server does it by itself every hour; off, only when it is asked to.",
        SettingGroup.UPKEEP,
    )
    batch: int = setting(
        1_000,
        "Memories per Pass",
        "So many memories are looked at in one pass; the next one goes on after them.",
        SettingGroup.UPKEEP,
        low=1,
        high=100_000,
    )
    prune_below: float = setting(
        0.1,
        "Prune Below",
        "What has faded to less importance than this is forgotten; 0 forgets nothing.",
        SettingGroup.UPKEEP,
        low=0,
        high=1,
    )
    prune_after_days: int = setting(
        30,
        "Prune After (days)",
        "Nothing is forgotten before it is so old.",
        SettingGroup.UPKEEP,
        low=1,
        high=3_650,
    )
    merge_at: float = setting(
        0.95,
        "Merge At",
        "Memories that say the same in other words become one from this similarity on.",
        SettingGroup.UPKEEP,
        low=0.9,
        high=1,
    )
    link_at: float = setting(
        0.85,
        "Link At",
        "Memories are related to each other from this similarity on, up to that of merging.",
        SettingGroup.UPKEEP,
        low=0.5,
        high=1,
    )

    def __post_init__(self) -> None:
        check_settings(self)
