"""What is told of a receipt: words of closed sets and numbers, never texts or names."""

from tacit.core.receipt import Receipt

OTHER = "other"
PARTS = (
    "session",
    "ledger",
    "pinned_and_facts",
    "search",
    "vectors",
    "graph",
    "record",
    OTHER,
)
"""The parts of a turn that can be degraded."""

VERDICTS = ("learned", "known", "merged", "proposed", "restated", "unsure", "unfounded", "empty")
"""What can become of a statement that was found in a conversation."""


def outcome_of(receipt: Receipt) -> str:
    """`injected`, `nothing`, or `skipped:` and why."""
    if receipt.injected:
        return "injected"
    return "nothing" if receipt.skipped is None else f"skipped:{receipt.skipped}"


def degraded_parts(receipt: Receipt) -> tuple[str, ...]:
    """The parts that were degraded, each once, without what was wrong with them."""
    named = (_word(note.partition(":")[0]) for note in receipt.degraded)
    return tuple(dict.fromkeys(part if part in PARTS else OTHER for part in named))


def stage_seconds(receipt: Receipt) -> dict[str, float]:
    """Seconds by stage, in the order of the stages."""
    timings = receipt.timings_ms.items()
    return {_word(name): ms / 1_000 for name, ms in timings if name != _TOTAL}


def total_seconds(receipt: Receipt) -> float:
    """How long the turn took to begin."""
    return receipt.timings_ms.get(_TOTAL, 0.0) / 1_000


def _word(name: str) -> str:
    return name.replace(" ", "_")


_TOTAL = "total"
