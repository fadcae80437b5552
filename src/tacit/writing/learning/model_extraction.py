"""What a language model would add to what the rules found in a message; nothing is learned."""

from collections.abc import Sequence

from tacit.core.open_turn import CapturedTurn
from tacit.embedding.llm import ChatModel
from tacit.language.extraction.findings import (
    Finding,
    ModelExtraction,
    ModelFinding,
    RefusedNote,
)
from tacit.writing.learning.model_reader import read_turns


def extract_by_model(
    model: ChatModel, turn: CapturedTurn, found: Sequence[Finding]
) -> ModelExtraction:
    """Let a model read a turn from which the rules took what they found."""
    reading = read_turns(model, [turn])
    return ModelExtraction(
        name=model.model,
        findings=tuple(
            ModelFinding(finding=each.finding, found_by_rules=_is_found(each.quote, found))
            for each in reading.notes
        ),
        refused=tuple(
            RefusedNote(finding=finding, verdict=str(verdict))
            for finding, verdict in reading.refused
        ),
        tokens=reading.tokens,
        problem=reading.problem,
    )


def _is_found(quote: str, found: Sequence[Finding]) -> bool:
    """Whether the rules took something from the words that a note rests on."""
    words = _normalise(quote)
    said = [_normalise(each.sentence or each.content) for each in found]
    return any(words in each or each in words for each in said if each)


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?")
