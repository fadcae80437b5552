"""The trainings that make the table: teachers, and students that learn from them."""

from dataclasses import dataclass

from tools.pair_reading.drawing import PairShares

RANK = 48
"""The rank of the table."""


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """How one model is trained."""

    name: str
    rank: int
    """Of the updates that it leaves."""
    learning_rate: float
    seed: int
    steps: int
    seconds: float
    """It ends with its steps or its time, whichever is over first."""
    shares: PairShares
    workers: int
    """Processes that make its batches."""
    has_whole_matrices: bool = False
    """Whether whole matrices are trained, and what changed is then cut to the rank."""
    teachers: tuple[str, ...] = ()
    """The runs that it learns from."""
    begins_with: tuple[str, ...] = ()
    """The runs that it begins with the average of; with none, the published weights."""


def _teacher(
    name: str, rank: int, learning_rate: float, seed: int, *, has_whole_matrices: bool = False
) -> TrainingRun:
    shares = PairShares(
        written=0.57, life=0.14, unlike=0.03, misread=0.03, two_of_one=0.05, switches=0.04
    )
    return TrainingRun(
        name,
        rank,
        learning_rate,
        seed,
        6_000,
        200,
        shares,
        workers=3,
        has_whole_matrices=has_whole_matrices,
    )


def _student(name: str, rank: int, seed: int) -> TrainingRun:
    shares = PairShares(
        written=0.47,
        life=0.13,
        unlike=0.03,
        crossed=0.12,
        misread=0.05,
        two_of_one=0.04,
        switches=0.04,
    )
    teachers = tuple(run.name for run in TEACHERS)
    return TrainingRun(
        name, rank, 4e-4, seed, 4_500, 225, shares, 6, teachers=teachers, begins_with=teachers
    )


TEACHERS = (
    _teacher("teacher_rank_64", 64, 6e-4, 41),
    _teacher("teacher_rank_32", 32, 8e-4, 42),
    _teacher("teacher_whole", 64, 1.2e-4, 43, has_whole_matrices=True),
    _teacher("teacher_whole_faster", 64, 1.8e-4, 44, has_whole_matrices=True),
)
"""They differ in what they may change and how fast, so that they make different mistakes."""

STUDENTS = (_student("student_rank_32", 32, 51), _student("student_rank_48", 48, 52))
"""Their average is the table."""
