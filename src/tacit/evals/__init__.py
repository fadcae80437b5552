"""How good it is: public benchmarks and sets of our own, through the public interface only."""

from tacit.evals.abstention import evaluate_abstention
from tacit.evals.conflicts import evaluate_conflicts
from tacit.evals.documents import evaluate_documents
from tacit.evals.echoes import evaluate_echoes
from tacit.evals.extraction import evaluate_extraction
from tacit.evals.followups import evaluate_followups
from tacit.evals.locomo import evaluate_locomo
from tacit.evals.longmemeval import evaluate_longmemeval
from tacit.evals.noise import evaluate_noise
from tacit.evals.secrets import evaluate_secrets
from tacit.evals.strategy import evaluate_strategy
from tacit.evals.summaries import evaluate_summaries
from tacit.evals.supersession import evaluate_supersession

__all__ = [
    "evaluate_abstention",
    "evaluate_conflicts",
    "evaluate_documents",
    "evaluate_echoes",
    "evaluate_extraction",
    "evaluate_followups",
    "evaluate_locomo",
    "evaluate_longmemeval",
    "evaluate_noise",
    "evaluate_secrets",
    "evaluate_strategy",
    "evaluate_summaries",
    "evaluate_supersession",
]
