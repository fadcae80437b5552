"""What a language model would add to what the rules found in a message; for `tacit extract`."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from tacit.cli.output import console, format_type, make_table, notices, shorten
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput
from tacit.core.open_turn import CapturedTurn
from tacit.embedding.llm import ChatModel
from tacit.language.extraction.findings import Finding
from tacit.language.extraction.messages import MAX_CHARACTERS
from tacit.language.redaction.redact import redact_start
from tacit.runtime.clock import new_id, system_clock
from tacit.settings.writing import WritingSettings
from tacit.writing.learning.lesson import Verdict
from tacit.writing.learning.model_reader import ModelNote, ModelReading, read_turns

_WHY_NOT = {
    Verdict.UNFOUNDED: "nobody said the words that it names",
    Verdict.EMPTY: "a question, a request, a remark or noise",
}


def read_by_model(text: str, settings: WritingSettings) -> ModelReading:
    """Let the model that is set read a message, as it would read it in a turn."""
    if not settings.llm_model:
        raise InvalidInput(
            "with-model", "no language model is set; set one up: tacit settings llm openai"
        )
    said = redact_start(text, MAX_CHARACTERS).text
    turn = CapturedTurn(id=new_id(), session="extract", at=system_clock(), said=(said,))
    model = ChatModel(
        settings.llm_model, settings.llm_base_url or None, key_env=settings.llm_key_env
    )
    return read_turns(model, [turn])


def to_model_dict(
    reading: ModelReading, found: Sequence[Finding], settings: WritingSettings
) -> dict[str, Any]:
    """A reading as JSON: what it adds, what the rules found too, and what was refused."""
    return {
        "name": settings.llm_model,
        "findings": [
            each.finding.to_dict() | {"found_by_rules": is_found(each, found)}
            for each in reading.notes
        ],
        "refused": [
            finding.to_dict() | {"verdict": str(verdict)} for finding, verdict in reading.refused
        ],
        "tokens": reading.tokens,
        "problem": reading.problem,
    }


def is_found(note: ModelNote, found: Sequence[Finding]) -> bool:
    """Whether the rules took something from the words that a note rests on."""
    words = _normalise(note.quote)
    said = [_normalise(each.sentence or each.content) for each in found]
    return any(words in each or each in words for each in said if each)


def _normalise(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .!?")


def print_model_reading(
    reading: ModelReading, found: Sequence[Finding], settings: WritingSettings
) -> None:
    """Show what the model would add, and what was refused of it."""
    if reading.problem is not None:
        told = f"The model's answer could not be used: {reading.problem}"
        notices().print(escape_unseen(told), style="red", markup=False, soft_wrap=True)
        return
    fresh = [each for each in reading.notes if not is_found(each, found)]
    again = len(reading.notes) - len(fresh)
    if fresh:
        _print_notes(fresh, settings)
    else:
        console().print("The model would add nothing.", style="bright_black")
    if again:
        told = f"Of words from which the rules took something it noted {again} more."
        console().print(told, style="bright_black")
    if reading.refused:
        drawn = make_table("why not", "type", "content", title="Refused of what the model noted")
        for finding, verdict in reading.refused:
            why = Text(_WHY_NOT.get(verdict, str(verdict)), style="yellow")
            content = Text(escape_unseen(shorten(finding.content)))
            drawn.add_row(why, format_type(finding.type), content)
        console().print(drawn)
    told = f"{escape_unseen(settings.llm_model)} took {reading.tokens:,} tokens"
    console().print(told, style="bright_black", markup=False)


def _print_notes(notes: Sequence[ModelNote], settings: WritingSettings) -> None:
    drawn = make_table("type", "conf.", "content", "from the words", title="The model would add")
    for each in notes:
        finding = each.finding
        line = Text(f"{escape_unseen(finding.key)}: " if finding.key else "", style="bold")
        line.append(escape_unseen(finding.content), style="not bold")
        if finding.confidence < settings.min_confidence:
            doubt = f"\nnot sure enough: min_confidence is {settings.min_confidence:g}"
            line.append(doubt, style="italic bright_black")
        words = Text(escape_unseen(shorten(each.quote)), style="bright_black")
        drawn.add_row(format_type(finding.type), f"{finding.confidence:.2f}", line, words)
    console().print(drawn)
