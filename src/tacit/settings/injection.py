"""The settings of the table `memory_injection`: what is injected into a turn."""

from dataclasses import dataclass
from enum import StrEnum

from tacit.core.kinds import MemoryType, Scope
from tacit.language.tokens import TokenCounting
from tacit.settings.definition import Caution, SettingGroup, check_settings, setting

MIN_BLOCK_TOKENS = 141
MIN_BLOCK_CHARACTERS = 447
"""The size of a block with one short fact and its frame; with less, no fact could be shown."""


class PinnedSort(StrEnum):
    """Which memories of a pinned type come first."""

    RECENT = "recent"
    IMPORTANCE = "importance"


class ConflictPolicy(StrEnum):
    """What happens to statements that contradict each other when no rule decides."""

    FLAG = "flag"
    OMIT = "omit"


class CachePolicy(StrEnum):
    """When blocks over the cap leave the history."""

    CAP = "cap"
    PREFIX = "prefix"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class InjectionSettings:
    """How memories are injected into a turn."""

    enabled: bool = setting(
        True,
        "Enable Memory Injection",
        "Put what the agent needs to know into the context before every turn.",
        SettingGroup.CONTEXTUAL,
    )
    search_limit: int = setting(
        20,
        "Search Limit",
        "How many memories found for the message may be offered to a turn.",
        SettingGroup.CONTEXTUAL,
        low=1,
        high=100,
        in_project=True,
    )
    max_total: int = setting(
        25,
        "Max Total",
        "The most memories that a turn shows, whatever they come from.",
        SettingGroup.CONTEXTUAL,
        low=1,
        high=200,
        in_project=True,
    )
    contextual_min_score: float = setting(
        0.45,
        "Minimum Relevance",
        "How relevant to the message each memory must be to be injected, from 0 to 1.",
        SettingGroup.CONTEXTUAL,
        low=0,
        high=1,
        caution=Caution(
            below=0.05,
            text="On this scale, from 0 to 1, that is next to nothing: almost everything that is"
            " found is injected. Values such as 0.01 come from systems with another scale; the"
            " default is 0.45.",
        ),
    )
    least_need: float = setting(
        0.6,
        "Least Need",
        "How likely a message must need what is remembered, from 0 to 1, for anything to be found"
        " for it; 0 finds something for every message.",
        SettingGroup.CONTEXTUAL,
        low=0,
        high=1,
        in_project=True,
    )
    episode_lines: int = setting(
        5,
        "Lines of What Was Said",
        "How many lines of what was said earlier one block shows; 0 shows none.",
        SettingGroup.CONTEXTUAL,
        low=0,
        high=50,
        in_project=True,
    )
    standing_lines: int = setting(
        8,
        "Standing Rules",
        "How many constraints, preferences and facts of identity are shown as standing rules, in at"
        " most a quarter of the budget and half of Max Total; 0 shows none.",
        SettingGroup.CONTEXTUAL,
        low=0,
        high=50,
        in_project=True,
    )
    context_aware_query: bool = setting(
        True,
        "Context-Aware Query",
        "Let the last exchanges help to understand a follow-up question.",
        SettingGroup.CONTEXTUAL,
        in_project=True,
    )
    max_injected_blocks_in_history: int = setting(
        3,
        "History Block Limit",
        "How many blocks stay in the history beside those of standing rules; 0 = ephemeral, each"
        " goes after its turn.",
        SettingGroup.CONTEXTUAL,
        low=0,
        high=10,
        in_project=True,
    )
    semantic_threshold: float = setting(
        0.85,
        "Semantic Threshold",
        "A memory more similar than this to one that is already there is a duplicate.",
        SettingGroup.DEDUPLICATION,
        low=0.5,
        high=1,
    )
    context_window_depth: int = setting(
        10,
        "Re-injection Delay (Turns)",
        "How many turns a memory stays out after it was shown, where a host keeps the history or"
        " re-injection when pruned is off; while its block stands in the history, it never comes"
        " twice.",
        SettingGroup.DEDUPLICATION,
        low=1,
        high=200,
    )
    reinject_when_pruned: bool = setting(
        True,
        "Re-inject When Pruned",
        "A memory whose block has left the history may return at once.",
        SettingGroup.DEDUPLICATION,
    )
    ambient_enabled: bool = setting(
        False,
        "Ambient Awareness",
        "Inject memories of the pinned types whatever the message is about.",
        SettingGroup.AMBIENT,
        guidance="A bot of a community does well without: what fits the message is found anyway."
        " For a personal assistant or a small team, pin todo and goal; decision too where a"
        " project goes on for long.",
        in_project=True,
    )
    pinned_types: tuple[MemoryType, ...] = setting(
        (),
        "Pinned Types",
        "The types of memory that are always injected.",
        SettingGroup.AMBIENT,
        needs="ambient_enabled",
        caution=Caution(
            values=(MemoryType.FACT, MemoryType.EVENT, MemoryType.OBSERVATION),
            text="There are many of these and few concern every message; pinned, they draw the"
            " model away from what was asked.",
        ),
        in_project=True,
    )
    pinned_limit: int = setting(
        3,
        "Per-Type Limit",
        "How many memories of each pinned type are injected.",
        SettingGroup.AMBIENT,
        needs="ambient_enabled",
        low=1,
        high=20,
        in_project=True,
    )
    pinned_sort: PinnedSort = setting(  # noqa: RUF009
        PinnedSort.RECENT,
        "Sort By",
        "Whether the latest or the most important memories of a pinned type come first.",
        SettingGroup.AMBIENT,
        needs="ambient_enabled",
        in_project=True,
    )
    memory_confidence_threshold: float = setting(
        0.7,
        "Minimum Confidence",
        "Memories held with less confidence than this are never injected.",
        SettingGroup.SELECTION,
        low=0,
        high=1,
    )
    min_importance: float = setting(
        0.0,
        "Minimum Importance",
        "Memories less important than this are not injected, unless they are pinned.",
        SettingGroup.SELECTION,
        low=0,
        high=1,
    )
    general_min_confidence: float = setting(
        0.8,
        "Minimum Confidence, General Requests",
        "The confidence that a fact needs when a request is of no particular kind.",
        SettingGroup.SELECTION,
        low=0,
        high=1,
    )
    memory_scope_priority: tuple[Scope, ...] = setting(
        tuple(Scope),
        "Scope Priority",
        "The scopes that memories with a key and standing rules are read from, the first one first;"
        " others are not read.",
        SettingGroup.SELECTION,
    )
    fact_limit: int = setting(
        10,
        "Fact Limit",
        "How many current facts with a key may be offered to a turn.",
        SettingGroup.SELECTION,
        low=0,
        high=100,
    )
    memory_detect_conflicts: bool = setting(
        True,
        "Detect Conflicts",
        "Notice memories that contradict each other.",
        SettingGroup.SELECTION,
    )
    conflict_policy: ConflictPolicy = setting(  # noqa: RUF009
        ConflictPolicy.FLAG,
        "Conflict Policy",
        "When no rule decides a conflict, flag shows both sides and omit shows neither.",
        SettingGroup.SELECTION,
        needs="memory_detect_conflicts",
    )
    inject_untrusted: bool = setting(
        False,
        "Inject Untrusted Memories",
        "Inject, with a mark, what comes from web pages and foreign documents.",
        SettingGroup.SELECTION,
    )
    max_tokens: int = setting(
        1_500,
        "Max Tokens",
        "The most tokens that the blocks of a turn take, headers included.",
        SettingGroup.BUDGET,
        low=MIN_BLOCK_TOKENS,
        high=100_000,
        in_project=True,
    )
    token_counter: TokenCounting = setting(  # noqa: RUF009
        TokenCounting.ESTIMATE,
        "Token Counter",
        "How Max Tokens counts: estimate, which needs nothing, or exactly by a vocabulary,"
        " cl100k_base or o200k_base, with the extra tokens (a second to load, 140 MB).",
        SettingGroup.BUDGET,
    )
    memory_context_max_chars: int = setting(
        5_000,
        "Max Characters",
        "The most characters that the blocks of a turn take, headers included.",
        SettingGroup.BUDGET,
        low=MIN_BLOCK_CHARACTERS,
        high=1_000_000,
        in_project=True,
    )
    memory_read_only_marker: bool = setting(
        True,
        "Read-Only Frame",
        "Show current facts that a person wrote explicitly in a frame that calls them"
        " authoritative.",
        SettingGroup.BLOCK,
    )
    cache_policy: CachePolicy = setting(  # noqa: RUF009
        CachePolicy.CAP,
        "Cache Policy",
        "cap: the oldest blocks leave at once; prefix: they stay, up to twice the cap, until the"
        " prompt's prefix is lost anyway; tokens: all stay until History Block Tokens is reached,"
        " then all leave together. The proxy uses tokens unless this is set.",
        SettingGroup.BLOCK,
        in_project=True,
    )
    history_block_tokens: int = setting(
        6_000,
        "History Block Tokens",
        "How many tokens the blocks in a history may take under the cache policy tokens, those of"
        " standing rules included, before all of them leave.",
        SettingGroup.BLOCK,
        low=MIN_BLOCK_TOKENS,
        high=1_000_000,
        in_project=True,
    )
    context_window: int = setting(
        128_000,
        "Context Window",
        "How many tokens the model takes; a history is compacted as it fills up.",
        SettingGroup.LIMITS,
        low=1_000,
        high=100_000_000,
    )
    deadline_ms: int = setting(
        200,
        "Deadline (ms)",
        "How long a turn waits for its memories before it goes on with what is there.",
        SettingGroup.LIMITS,
        low=1,
        high=60_000,
    )
    first_turn_ms: int = setting(
        10_000,
        "First Turn (ms)",
        "How long the first turn of a process in a workspace waits for what is loaded once: the"
        " model and the memories. That does not count against the deadline.",
        SettingGroup.LIMITS,
        low=0,
        high=600_000,
    )
    receipt_days: int = setting(
        30,
        "Keep Receipts (Days)",
        "How long receipts are kept; 0 keeps only the last one of each session.",
        SettingGroup.LIMITS,
        low=0,
        high=3_650,
    )

    def __post_init__(self) -> None:
        check_settings(self)
