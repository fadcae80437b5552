"""The trainings whose average is the table in the package."""

from dataclasses import dataclass

RANK = 24
"""The rank that their average is cut to."""


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """How one model is trained."""

    name: str
    rank: int
    steps: int
    learning_rate: float
    written_share: float
    """How many of the pairs are taken from those written; the others are made of attributes."""
    seed: int
    has_test_pairs: bool
    """Whether a twelfth of the written pairs is set aside, to see how it does on these."""
    is_balanced: bool
    """Whether pairs that say the same are taken twice as often and rare relations weigh more."""
    life_share: float = 0.0
    """How many of the pairs are two statements of one life."""
    averaging_share: float = 0.004
    """How much of the weights after each step goes into their average, which is kept."""


RUNS = (
    TrainingRun("rank_8", 8, 2_400, 1e-3, 0.8, 1, has_test_pairs=True, is_balanced=False),
    TrainingRun("rank_16", 16, 3_600, 7e-4, 0.8, 0, has_test_pairs=True, is_balanced=False),
    TrainingRun("rank_12_all", 12, 3_600, 8e-4, 0.9, 4, has_test_pairs=False, is_balanced=True),
    TrainingRun("rank_16_all", 16, 5_400, 7e-4, 0.85, 3, has_test_pairs=False, is_balanced=True),
)

CONTINUED = TrainingRun(
    "continued",
    RANK,
    600,
    3.5e-4,
    0.77,
    23,
    has_test_pairs=True,
    is_balanced=True,
    life_share=0.1,
    averaging_share=0.01,
)
"""A shorter training that goes on from a table."""
