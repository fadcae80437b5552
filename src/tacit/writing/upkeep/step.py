"""One thing to do, with the memories as they were when it was thought of."""

from dataclasses import dataclass

from tacit.core.memory import Memory
from tacit.core.vectors import EmbeddingModel, Vector
from tacit.writing.upkeep.report import Deed, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What to do with a memory, perhaps towards another; `vector` is that of merged words."""

    kind: Kind
    memory: Memory
    reason: str
    other: Memory | None = None
    cosine: float = 0.0
    result: Memory | None = None
    vector: tuple[EmbeddingModel, Vector] | None = None

    @property
    def deed(self) -> Deed:
        """How it is told."""
        return Deed(
            memory=self.memory.id,
            other=None if self.other is None else self.other.id,
            content=(self.result or self.memory).content,
            reason=self.reason,
        )
