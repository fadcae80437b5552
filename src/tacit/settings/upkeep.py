"""What steers the upkeep of memories."""

from dataclasses import dataclass

from tacit.settings.checking import settle
from tacit.settings.definition import Group, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepSettings:
    """What fades, what becomes one, what is related, and how much is looked at in one go."""

    automatic: bool = setting(
        True,
        "Upkeep by the Server",
        "A server does it by itself every hour; off, only when it is asked to.",
        Group.UPKEEP,
    )
    batch: int = setting(
        1_000,
        "Memories per Pass",
        "So many memories are looked at in one pass; the next one goes on after them.",
        Group.UPKEEP,
        low=1,
        high=100_000,
    )
    prune_below: float = setting(
        0.1,
        "Prune Below",
        "What has faded to less importance than this is forgotten; 0 forgets nothing.",
        Group.UPKEEP,
        low=0,
        high=1,
    )
    prune_after_days: int = setting(
        30,
        "Prune After (days)",
        "Nothing is forgotten before it is so old.",
        Group.UPKEEP,
        low=1,
        high=3_650,
    )
    merge_at: float = setting(
        0.95,
        "Merge At",
        "Memories that say the same in other words become one from this similarity on.",
        Group.UPKEEP,
        low=0.9,
        high=1,
    )
    link_at: float = setting(
        0.85,
        "Link At",
        "Memories are related to each other from this similarity on, up to that of merging.",
        Group.UPKEEP,
        low=0.5,
        high=1,
    )

    def __post_init__(self) -> None:
        settle(self)
