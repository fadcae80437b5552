"""How good it is: public benchmarks, run through the public interface only."""

from tacit.evals.locomo import evaluate_locomo
from tacit.evals.longmemeval import evaluate_longmemeval

__all__ = ["evaluate_locomo", "evaluate_longmemeval"]
