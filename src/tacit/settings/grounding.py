"""The settings of the table `grounding`: prompts of policy, memory, conversation and documents."""

from dataclasses import dataclass

from tacit.settings.definition import SettingGroup, check_settings, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundingSettings:
    """How much of each part goes into a prompt, and where its files are."""

    top_k: int = setting(
        3,
        "Documents",
        "How many excerpts of documents a prompt gets at most.",
        SettingGroup.GROUNDING,
        low=0,
        high=20,
    )
    max_doc_excerpt_bytes: int = setting(
        1_200,
        "Excerpt (bytes)",
        "The most bytes of one excerpt.",
        SettingGroup.GROUNDING,
        low=100,
        high=20_000,
    )
    max_prompt_bytes: int = setting(
        8_000,
        "Prompt (bytes)",
        "The most bytes of what grounding puts together, after all else.",
        SettingGroup.GROUNDING,
        low=500,
        high=1_000_000,
    )
    max_prompt_tokens: int = setting(
        2_000,
        "Prompt (tokens)",
        "The most tokens of what grounding puts together, the memory block not counted.",
        SettingGroup.GROUNDING,
        low=100,
        high=200_000,
    )
    user_max_tokens: int = setting(
        650,
        "User Text (tokens)",
        "The most tokens of what the user said.",
        SettingGroup.GROUNDING,
        low=50,
        high=100_000,
    )
    memory_summary_max_tokens: int = setting(
        380,
        "Summary (tokens)",
        "The most tokens of the summary of a conversation; 0 leaves it out.",
        SettingGroup.GROUNDING,
        low=0,
        high=50_000,
    )
    chat_tail_max_tokens: int = setting(
        300,
        "Recent Conversation (tokens)",
        "The most tokens of what was said last; 0 leaves it out.",
        SettingGroup.GROUNDING,
        low=0,
        high=50_000,
    )
    qmd_max_tokens: int = setting(
        900,
        "Workspace Context (tokens)",
        "The most tokens of excerpts of documents; 0 leaves them out.",
        SettingGroup.GROUNDING,
        low=0,
        high=100_000,
    )
    hint_max_tokens: int = setting(
        200,
        "Response Hint (tokens)",
        "The most tokens of the response hint; 0 leaves it out.",
        SettingGroup.GROUNDING,
        low=0,
        high=50_000,
    )
    chat_tail_lines: int = setting(
        24,
        "Recent Conversation (lines)",
        "So many lines of the chat log are recent.",
        SettingGroup.GROUNDING,
        low=1,
        high=1_000,
    )
    chat_tail_bytes: int = setting(
        1_800,
        "Recent Conversation (bytes)",
        "And at most so many bytes of it.",
        SettingGroup.GROUNDING,
        low=100,
        high=100_000,
    )
    memory_summary_refresh_turns: int = setting(
        6,
        "Summary After (turns)",
        "The summary is written anew when so many turns have come since.",
        SettingGroup.GROUNDING,
        low=1,
        high=1_000,
    )
    memory_summary_max_items: int = setting(
        7,
        "Summary (items)",
        "So many facts, intents, actions and open questions are summed up, of each.",
        SettingGroup.GROUNDING,
        low=1,
        high=100,
    )
    memory_summary_source_max_lines: int = setting(
        120,
        "Summary of (lines)",
        "So many lines of the chat log are summed up at most.",
        SettingGroup.GROUNDING,
        low=10,
        high=10_000,
    )
    policy_max_tokens: int = setting(
        1_500,
        "Policy (tokens)",
        "The most tokens of all directives on the system side.",
        SettingGroup.GROUNDING,
        low=100,
        high=100_000,
    )
    workspaces_folder: str = setting(
        "",
        "Folder of Workspaces",
        "Where chat logs, summaries, directives and documents of workspaces are; empty for beside"
        " the database.",
        SettingGroup.GROUNDING,
    )

    def __post_init__(self) -> None:
        check_settings(self)
