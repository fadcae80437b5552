"""What becomes of candidates and turns, in words: a short label each, and a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tacit.core.receipt.candidate import Candidate, Fate, Found
from tacit.core.receipt.reason import reason_of
from tacit.core.receipt.receipt import Skip

_FATES: Mapping[Fate, str] = MappingProxyType(
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
        Fate.IRRELEVANT_TYPE: "type does not suit",
        Fate.CONFLICT_OMITTED: "in conflict",
        Fate.BELOW_IMPORTANCE: "not important enough",
        Fate.OVER_SLOTS: "enough others before it",
        Fate.OVER_TOKENS: "no room (tokens)",
        Fate.OVER_CHARS: "no room (characters)",
        Fate.UNTRUSTED: "not trusted",
    }
)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Why a turn looked for nothing: in a few words, and as a sentence."""

    label: str
    sentence: str


SKIPS: Mapping[Skip, Skipped] = MappingProxyType(
    {
        Skip.DISABLED: Skipped(
            "memory is switched off",
            "With memory injection switched off, nothing is looked for.",
        ),
        Skip.PAUSED: Skipped(
            "paused", "In a pause of the session or its project, nothing is looked for."
        ),
        Skip.SYSTEM_TURN: Skipped(
            "a system turn", "No person set this turn off, so nothing is looked for."
        ),
        Skip.LOW_INFORMATION: Skipped(
            "the message says too little", "The message says too little to search by."
        ),
    }
)


def label_of(fate: Fate) -> str:
    """A fate in two or three words."""
    return _FATES[fate]


def meaning_of(fate: Fate) -> str:
    """What a fate means, whoever has it."""
    if fate is Fate.INJECTED:
        return "It stands in the block that the model sees."
    some = Candidate(memory="", found=Found.CONTEXTUAL, type="", fate=fate)
    return f"{sentence(reason_of(some))}."


def sentence(words: str) -> str:
    """Words with a capital at their beginning."""
    return words[:1].upper() + words[1:]
