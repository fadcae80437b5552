"""Labels and sentences for what a turn decided: dispositions of candidates, and skipped turns."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tacit.core.episodes import Episode, EpisodeRole
from tacit.core.explanations import explain_candidate
from tacit.core.receipt import NOTE_PROXY, Candidate, CandidateSource, Fate, Receipt, SkipReason

_DISPOSITIONS: Mapping[Fate, str] = MappingProxyType(
    {
        Fate.INJECTED: "injected",
        Fate.BELOW_FLOOR: "not relevant enough",
        Fate.SEEN_IN_WINDOW: "still in view",
        Fate.SAME_BATCH: "chosen already",
        Fate.SAME_CONTENT: "says the same",
        Fate.NEAR_DUPLICATE: "says nearly the same",
        Fate.SHADOWED: "a nearer one counts",
        Fate.SUPERSEDED: "superseded",
        Fate.LOW_CONFIDENCE: "not sure enough",
        Fate.CONFLICT_OMITTED: "in conflict",
        Fate.BELOW_IMPORTANCE: "not important enough",
        Fate.OVER_SLOTS: "enough others before it",
        Fate.OVER_TOKENS: "no room (tokens)",
        Fate.OVER_CHARS: "no room (characters)",
        Fate.UNTRUSTED: "not trusted",
        Fate.RESTATES_QUERY: "repeats the message",
        Fate.NOT_APPLICABLE: "does not apply",
    }
)


@dataclass(frozen=True, slots=True)
class SkipLabel:
    """Why a turn was skipped: in a few words, and as a sentence."""

    label: str
    sentence: str


SKIP_LABELS: Mapping[SkipReason, SkipLabel] = MappingProxyType(
    {
        SkipReason.DISABLED: SkipLabel(
            "memory is switched off",
            "With memory injection switched off, nothing is looked for.",
        ),
        SkipReason.PAUSED: SkipLabel(
            "paused", "In a pause of the session or its project, nothing is looked for."
        ),
        SkipReason.SYSTEM_TURN: SkipLabel(
            "a system turn", "No person set this turn off, so nothing is looked for."
        ),
        SkipReason.LOW_INFORMATION: SkipLabel(
            "the message says too little", "The message says too little to search by."
        ),
    }
)


def disposition_label(fate: Fate) -> str:
    """A disposition in two or three words."""
    return _DISPOSITIONS[fate]


def disposition_meaning(fate: Fate) -> str:
    """What a disposition means, as a sentence."""
    if fate is Fate.INJECTED:
        return "It stands in the block that the model sees."
    some = Candidate(memory="", found=CandidateSource.CONTEXTUAL, type="", fate=fate)
    return f"{capitalize_first(explain_candidate(some))}."


@dataclass(frozen=True, slots=True)
class ProxyLabel:
    """A turn that came through the proxy: its API in a few words, and the whole note."""

    label: str
    note: str


def proxy_label(receipt: Receipt) -> ProxyLabel | None:
    """How to mark a turn that came through the proxy; None if it came another way."""
    note = next((each for each in receipt.notes if each.startswith(NOTE_PROXY)), None)
    return None if note is None else ProxyLabel(note.split(",")[0].split(";")[0], note)


def describe_episode(episode: Episode) -> str:
    """When something was said, and by whom if not by a person."""
    who = "" if episode.role is EpisodeRole.USER else " by the assistant"
    return f"said{who} on {episode.at:%Y-%m-%d}"


def capitalize_first(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]
