"""What a language model would add to what the rules found in a message; for `tacit extract`."""

from collections.abc import Sequence

from rich.text import Text

from tacit.cli.output import console, format_type, make_table, notices, shorten
from tacit.cli.terminal_text import escape_unseen
from tacit.language.extraction.findings import Finding, ModelExtraction
from tacit.writing.learning.lesson import Verdict

_WHY_NOT = {
    str(Verdict.UNFOUNDED): "nobody said the words that it names",
    str(Verdict.EMPTY): "a question, a request, a remark or noise",
}


def print_model_extraction(model: ModelExtraction, least: float) -> None:
    """Show what the model would add, and what was refused of it."""
    if model.problem is not None:
        told = f"The model's answer could not be used: {model.problem}"
        notices().print(escape_unseen(told), style="red", markup=False, soft_wrap=True)
        return
    fresh = [each.finding for each in model.findings if not each.found_by_rules]
    again = len(model.findings) - len(fresh)
    if fresh:
        _print_findings(fresh, least)
    else:
        console().print("The model would add nothing.", style="bright_black")
    if again:
        told = f"Of words from which the rules took something it noted {again} more."
        console().print(told, style="bright_black")
    if model.refused:
        drawn = make_table("why not", "type", "content", title="Refused of what the model noted")
        for each in model.refused:
            why = Text(_WHY_NOT.get(each.verdict, each.verdict), style="yellow")
            content = Text(escape_unseen(shorten(each.finding.content)))
            drawn.add_row(why, format_type(each.finding.type), content)
        console().print(drawn)
    told = f"{escape_unseen(model.name)} took {model.tokens:,} tokens"
    console().print(told, style="bright_black", markup=False)


def _print_findings(findings: Sequence[Finding], least: float) -> None:
    drawn = make_table("type", "conf.", "content", "from the words", title="The model would add")
    for each in findings:
        line = Text(f"{escape_unseen(each.key)}: " if each.key else "", style="bold")
        line.append(escape_unseen(each.content), style="not bold")
        if each.confidence < least:
            doubt = f"\nnot sure enough: min_confidence is {least:g}"
            line.append(doubt, style="italic bright_black")
        words = Text(escape_unseen(shorten(each.sentence)), style="bright_black")
        drawn.add_row(format_type(each.type), f"{each.confidence:.2f}", line, words)
    console().print(drawn)
