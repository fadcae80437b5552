"""How good it is: public benchmarks and sets of our own, through the public interface only."""

from tacit.evals.abstention import evaluate_abstention
from tacit.evals.conflicts import evaluate_conflicts
from tacit.evals.followups import evaluate_followups
from tacit.evals.locomo import evaluate_locomo
from tacit.evals.longmemeval import evaluate_longmemeval
from tacit.evals.summaries import evaluate_summaries

__all__ = [
    "evaluate_abstention",
    "evaluate_conflicts",
    "evaluate_followups",
    "evaluate_locomo",
    "evaluate_longmemeval",
    "evaluate_summaries",
]
