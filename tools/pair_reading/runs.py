"""The trainings that make the table: teachers, students that learn from them, and refinements."""

from dataclasses import dataclass

from tools.pair_reading.drawing import PairShares

RANK = 48
"""The rank of the table."""

STUDENTS_AVERAGE = "students"
"""The file of the students' average, which the refining runs begin with and learn from."""


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
    batch: int = 128
    """Pairs that one step learns from."""
    warm_up_steps: int = 150
    """Steps in which the learning rate rises."""
    latest_share: float | None = None
    """How much each step counts in the average over time; None: the early ones count more."""
    has_whole_matrices: bool = False
    """Whether whole matrices are trained, and what changed is then cut to the rank."""
    teachers: tuple[str, ...] = ()
    """The runs that it learns from."""
    begins_with: tuple[str, ...] = ()
    """The runs that it begins with the average of; with none, the published weights."""
    teachers_weight: float = 0.7
    """How much of what it learns is what its teachers say, and not a label."""
    corrects_teachers: bool = False
    """Whether labels say what is unrelated, where teachers take it for a change."""


def _teacher(
    name: str, rank: int, learning_rate: float, seed: int, *, has_whole_matrices: bool = False
) -> TrainingRun:
    shares = PairShares(written=0.62, life=0.14, unlike=0.03)
    return TrainingRun(
        name,
        rank,
        learning_rate,
        seed,
        5_000,
        180,
        shares,
        workers=3,
        has_whole_matrices=has_whole_matrices,
    )


def _student(name: str, rank: int, seed: int) -> TrainingRun:
    shares = PairShares(written=0.5, life=0.12, unlike=0.03, crossed=0.12)
    teachers = tuple(run.name for run in TEACHERS)
    return TrainingRun(
        name, rank, 4e-4, seed, 4_000, 240, shares, 5, teachers=teachers, begins_with=teachers
    )


def _refinement(
    name: str,
    learning_rate: float,
    seed: int,
    steps: int,
    seconds: float,
    shares: PairShares,
    begins_with: tuple[str, ...],
) -> TrainingRun:
    return TrainingRun(
        name,
        RANK,
        learning_rate,
        seed,
        steps,
        seconds,
        shares,
        workers=1,
        batch=48,
        warm_up_steps=25,
        latest_share=0.02,
        teachers=(STUDENTS_AVERAGE,),
        begins_with=begins_with,
        teachers_weight=0.6,
        corrects_teachers=True,
    )


TEACHERS = (
    _teacher("teacher_rank_64", 64, 6e-4, 41),
    _teacher("teacher_rank_32", 32, 8e-4, 42),
    _teacher("teacher_whole", 64, 1.2e-4, 43, has_whole_matrices=True),
    _teacher("teacher_whole_faster", 64, 1.8e-4, 44, has_whole_matrices=True),
)
"""They differ in what they may change and how fast, so that they make different mistakes."""

STUDENTS = (_student("student_rank_32", 32, 51), _student("student_rank_48", 48, 52))
"""Their average is what is refined."""

REFINED = _refinement(
    "refined",
    2.5e-4,
    61,
    steps=260,
    seconds=900,
    shares=PairShares(written=0.448, life=0.087, unlike=0.022, misread=0.108, two_of_one=0.17),
    begins_with=(STUDENTS_AVERAGE,),
)
"""Learns that two statements of one person or thing mostly leave each other alone."""

REFINED_AGAIN = _refinement(
    "refined_again",
    3e-4,
    71,
    steps=340,
    seconds=960,
    shares=PairShares(
        written=0.455, life=0.069, unlike=0.021, misread=0.068, two_of_one=0.103, switches=0.14
    ),
    begins_with=(STUDENTS_AVERAGE, REFINED.name),
)
"""Learns what "switched from X to Y" gives up; it is the table."""
