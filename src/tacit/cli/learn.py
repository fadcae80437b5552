"""Commands on learning from conversations: learn and extract."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.configuration import load_configuration
from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.extract_model import print_model_extraction
from tacit.cli.options import read_argument
from tacit.cli.output import (
    SHORT_ID,
    console,
    format_count,
    format_id,
    format_time,
    format_type,
    make_table,
    print_json,
    shorten,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.kinds import Scope
from tacit.core.open_turn import UnreadTurn
from tacit.language.extraction.findings import (
    ClauseOutcome,
    ClauseReport,
    Extraction,
    Finding,
    RefusalReason,
)
from tacit.writing.learning.lesson import Learned, Lesson, Verdict

_MOST_UNREAD = 200
_VERDICT_STYLES = {
    Verdict.LEARNED: "green",
    Verdict.MERGED: "cyan",
    Verdict.PROPOSED: "magenta",
    Verdict.UNSURE: "yellow",
    Verdict.UNFOUNDED: "red",
}
REASONS: dict[str, str] = {
    RefusalReason.QUESTION: "a question",
    RefusalReason.HYPOTHETICAL: "hypothetical",
    RefusalReason.QUOTATION: "somebody else's words",
    RefusalReason.NEGATED: "not meant, or not decided",
    RefusalReason.MOMENT: "for this moment only",
    RefusalReason.OTHER_LANGUAGE: "in a language that is not learned from",
    RefusalReason.PASSING: "reads as a passing remark",
    RefusalReason.COMPLAINT: "a complaint",
    RefusalReason.NO_REFERENT: "does not say what it is about",
    RefusalReason.PLEASANTRY: "a pleasantry",
    RefusalReason.IDIOM: "a figure of speech",
    RefusalReason.ABOUT_MEMORY: "an instruction to the memory",
    RefusalReason.CODE: "code",
    RefusalReason.LOG: "a log",
    RefusalReason.TOO_SHORT: "too short",
    RefusalReason.TOO_LONG: "too long",
    RefusalReason.NOISE: "ids, times or a redacted secret",
    RefusalReason.TOO_MANY: "more than is taken from one message",
}
"""Why a sentence was skipped, in words."""
_STATES_NOTHING = "states nothing to remember"


def learn(
    unread: Annotated[
        bool, typer.Option("--unread", help="List the turns that could not be read.")
    ] = False,
    retry: Annotated[
        str | None, typer.Option(metavar="ID", help="Read a turn again that could not be read.")
    ] = None,
    drop: Annotated[
        str | None, typer.Option(metavar="ID", help="Learn nothing from a turn, and drop it.")
    ] = None,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Read now what was said and waits to be learned.

    Programs do that by themselves soon after every turn; a language model, if one is set, reads
    what its time has come for. A turn that could not be read three times is set aside.
    """
    with opt.open_existing(db, workspace, embeds=True) as tacit:
        if drop is not None:
            tacit.reviews.drop_unread_turn(_find_unread(tacit, drop))
        if retry is not None:
            tacit.reviews.retry_unread_turn(_find_unread(tacit, retry))
        learned = Learned() if unread or (drop and not retry) else tacit.learn()
        waiting = tacit.reviews.unread_turns(limit=_MOST_UNREAD)
    if unread or drop:
        _print_unread(waiting, as_json)
    elif as_json:
        print_json(learned.to_dict())
    elif not learned.turns:
        console().print("There is nothing to learn now.", style="bright_black")
    else:
        _print_learned(learned)
    if waiting and not (unread or drop or as_json):
        console().print(
            f"{format_count(len(waiting), 'turn')} could not be read: tacit learn --unread",
            style="yellow",
        )


def _find_unread(tacit: Tacit, given: str) -> str:
    """The whole id of an unread turn, of which the end is given."""
    ids = [
        each.id
        for each in tacit.reviews.unread_turns(limit=_MOST_UNREAD)
        if each.id.endswith(given)
    ]
    return ids[0] if len(ids) == 1 else given


def _print_unread(turns: Sequence[UnreadTurn], as_json: bool) -> None:
    if as_json:
        print_json([each.to_dict() for each in turns])
        return
    if not turns:
        console().print("Every turn could be read.", style="bright_black")
        return
    drawn = make_table("id", "when", "session", "why", "said", title="Could not be read")
    for each in turns:
        drawn.add_row(
            format_id(each.id),
            format_time(each.at),
            Text(escape_unseen(each.session)),
            Text(escape_unseen(shorten(each.problem)), style="yellow"),
            Text(escape_unseen(shorten(each.said))),
        )
    console().print(drawn)
    console().print("Read one again with tacit learn --retry ID, or drop it with --drop ID.")


def extract(
    text: Annotated[str, typer.Argument(help="What somebody would say; - reads standard input.")],
    with_model: Annotated[
        bool,
        typer.Option("--with-model", help="Also ask the language model, to which it is sent."),
    ] = False,
    as_json: opt.Json = False,
) -> None:
    """Show what would be remembered of a message, and why not the rest; nothing happens.

    Every clause is listed: as remembered, or as not remembered with the reason. With a model,
    what it would add to that, and what was refused of it.
    """
    said, settings = read_argument("text", text), load_configuration(None).writing
    with Tacit.open(":memory:", embedder=opt.prepare_embedder()) as tacit:
        found = tacit.extract(said, with_model=with_model)
    if as_json:
        print_json(found.to_dict())
        return
    _print_extraction(found, settings.min_confidence)
    if found.model is not None:
        print_model_extraction(found.model, settings.min_confidence)


def _print_learned(learned: Learned) -> None:
    if learned.lessons:
        drawn = make_table("verdict", "type", "rule", "id", "content")
        for lesson in learned.lessons:
            drawn.add_row(
                Text(lesson.verdict, style=_VERDICT_STYLES.get(lesson.verdict, "bright_black")),
                format_type(lesson.type),
                Text(escape_unseen(lesson.rule)),
                Text("") if lesson.memory is None else format_id(lesson.memory),
                Text("\n").join(_describe_lesson(lesson)),
            )
        console().print(drawn)
    turns = "turn" if learned.turns == 1 else "turns"
    found = f"{len(learned.lessons):,}" if learned.lessons else "nothing"
    tokens = f"; the model took {learned.tokens:,} tokens" if learned.tokens else ""
    console().print(f"{learned.turns:,} {turns} read, {found} found{tokens}")


def _describe_lesson(lesson: Lesson) -> Iterator[Text]:
    """What a statement says and, on lines of their own, what it replaced or waits for."""
    yield Text(escape_unseen(shorten(lesson.content)))
    if lesson.superseded:
        replaced = ", ".join(id[-SHORT_ID:] for id in lesson.superseded)
        yield Text(f"supersedes {replaced}", style="italic bright_black")
    if lesson.verdict is Verdict.PROPOSED and lesson.memory is not None:
        decide = f"waits for a person: tacit review accept {lesson.memory[-SHORT_ID:]}"
        yield Text(decide, style="italic bright_black")


_BESIDE_QUOTES = (
    "Said beside quoted or pasted words: remembered as unverified, and replaces nothing."
)


def _print_extraction(found: Extraction, least: float) -> None:
    if not found.findings:
        console().print("Nothing in this would be remembered.", style="bright_black")
    if found.findings:
        _print_findings(found.findings, least)
        if found.has_quotes:
            console().print(_BESIDE_QUOTES, style="italic bright_black")
    left = [each for each in found.clauses if each.outcome is not ClauseOutcome.TAKEN]
    if left:
        _print_left(left)


def _print_findings(findings: Sequence[Finding], least: float) -> None:
    drawn = make_table("type", "rule", "conf.", "content", title="Would be remembered")
    for finding in findings:
        drawn.add_row(
            format_type(finding.type),
            Text(escape_unseen(finding.rule)),
            f"{finding.confidence:.2f}",
            Text("\n").join(_describe_finding(finding, least)),
        )
    console().print(drawn)


def _describe_finding(finding: Finding, least: float) -> Iterator[Text]:
    """What would be remembered and, on a line of its own, where and for how long."""
    line = Text(f"{escape_unseen(finding.key)}: " if finding.key else "", style="bold")
    yield line.append(escape_unseen(finding.content), style="not bold")
    scope = "" if finding.scope is Scope.USER else f"for this {finding.scope}"
    ends = "" if finding.expires_at is None else f"until {format_time(finding.expires_at)}"
    doubt = f"not sure enough: min_confidence is {least:g}" if finding.confidence < least else ""
    if told := ", ".join(part for part in (scope, ends, doubt) if part):
        yield Text(told, style="italic bright_black")


def _print_left(clauses: Sequence[ClauseReport]) -> None:
    drawn = make_table("why not", "content", title="Would not be remembered")
    for each in clauses:
        why = Text(_STATES_NOTHING, style="bright_black")
        if each.reason is not None:
            why = Text(REASONS.get(each.reason, each.reason), style="yellow")
        drawn.add_row(why, Text(escape_unseen(shorten(each.text))))
    console().print(drawn)


COMMANDS = {"learn": learn, "extract": extract}
