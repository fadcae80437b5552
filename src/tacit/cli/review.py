"""The command `tacit review`: changes that wait for a person, accepted or rejected."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.output import (
    SHORT_ID,
    console,
    format_id,
    format_time,
    make_table,
    notices,
    print_json,
    print_written,
    shorten,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.changes import Review, ReviewReport
from tacit.core.errors import InvalidInput, NotFound, TacitError
from tacit.core.kinds import Action, Actor, Subject
from tacit.core.memory import Memory
from tacit.core.review_reasons import ASKERS, explain_review, statement_verb
from tacit.runtime.clock import system_clock
from tacit.writing.draft import Written

# How a proposed change is shown: the value now beside the proposed value


_ChangeRow = tuple[str, Any, Any]
"""The name of a field, its value now, and the one that is wished."""

_ABSENT = "(not there)"
_PAST = "(past)"
_NONE = "(none)"
_HIDDEN = "(forgotten)"
_EMPTY: tuple[Any, ...] = (None, "", [], {}, False, 0)
_NOT_SHOWN = frozenset({"id", "workspace", "trust", "confidence", "created_at", "updated_at"})
"""What is not shown of a new memory, since accepting it says so anew."""

_COMPARED_FIELDS = ("source", "confidence", "trust")
"""What speaks for one of two memories, besides what they say."""


def describe_action(review: Review) -> str:
    """What is asked for, as a history names it."""
    about = "" if review.subject is Subject.MEMORY else f" {review.subject}"
    return f"{review.action}{about}"


def describe_subject(review: Review) -> str:
    """The memory that it is asked of; one that is new has no id yet."""
    return "(new)" if review.is_proposal else review.memory[-SHORT_ID:]


def review_table(reports: Sequence[ReviewReport]) -> Table:
    """Wishes in a table, a row each."""
    rows = make_table("id", "what", "change")
    for each in reports:
        change = Text(escape_unseen(_change(each)))
        change.append(f"\n{_describe_request(each.review)}", style="bright_black")
        rows.add_row(format_id(each.review.id), describe_action(each.review), change)
    return rows


def _describe_request(review: Review) -> str:
    """The memory that a change is asked of, by whom, and when."""
    who, when = ASKERS[review.by], format_time(review.created_at)
    return f"memory {describe_subject(review)} · by {who} · {when}"


def print_review(report: ReviewReport, where: Console | None = None) -> None:
    """One wish, with every field that it is about, whole."""
    out = where or console()
    review = report.review
    line = Text(describe_action(review), style="bold")
    line.append(f" · {_describe_request(review)}", style="not bold")
    out.print(line.append(f"\nreview {review.id}", style="not bold bright_black"))
    explained = explain_review(report, system_clock())
    for sentence in (explained.why, explained.until):
        out.print(sentence)
    rows = make_table("", "now", "wished")
    for name, now, wished in _rows(report):
        cells = (Text(escape_unseen(_to_text(value))) for value in (now, wished))
        rows.add_row(Text(name, style="bright_black"), *cells)
    out.print(rows)
    for action, sentence in (("accept", explained.accept), ("reject", explained.reject)):
        out.print(Text(f"{action}: ", style="bold").append(sentence, style="not bold"))


def _change(report: ReviewReport) -> str:
    """What would change: of an update every field, else what is said."""
    rows = _rows(report)
    if report.review.action is not Action.UPDATE:
        rows = [row for row in rows if row[0] == "content"]
    arrow = " → " if report.review.subject is Subject.MEMORY else " "
    return "\n".join(_change_line(*row, arrow) for row in rows)


def _change_line(name: str, now: Any, wished: Any, arrow: str) -> str:
    named = "" if name == "content" else f"{name}: "
    sides = [shorten(_to_text(value)) for value in (now, wished)]
    return named + arrow.join(side for side in sides if side)


def _rows(report: ReviewReport) -> list[_ChangeRow]:
    """The fields that matter, as they are and as they would be."""
    review, memory = report.review, report.memory
    if review.is_proposal:
        said = [row for row in review.change.items() if row[0] not in _NOT_SHOWN]
        return [(name, None, value) for name, value in said if value not in _EMPTY]
    if review.action is Action.UPDATE:
        present = dict.fromkeys(review.fields, _ABSENT) if memory is None else memory.to_dict()
        pairs = {name: (present.get(name), value) for name, value in review.fields.items()}
        return [(name, _or_none(now), _or_none(value)) for name, (now, value) in pairs.items()]
    if review.action is Action.FORGET:
        return [("content", _content(memory), _HIDDEN)]
    if review.action is Action.RESTORE:
        was = _HIDDEN if memory is None or memory.forgotten else _PAST
        return [("content", was, _content(memory))]
    return _sides(report)


def _sides(report: ReviewReport) -> list[_ChangeRow]:
    """Two memories, one of which would replace the other or be right beside it."""
    memory, other = report.memory, report.other
    relation = report.review.change.get("relation")
    wished = _content(other)
    rows: list[_ChangeRow] = [
        ("content", _content(memory), f"{relation} {wished}" if relation else wished)
    ]
    if memory is None or other is None:
        return rows
    stated = [f"{statement_verb(each)} {format_time(each.said_at)}" for each in (memory, other)]
    sides = memory.to_dict(), other.to_dict()
    fields = ((name, *(side[name] for side in sides)) for name in _COMPARED_FIELDS)
    return [*rows, ("stated", *stated), *fields]


def _or_none(value: Any) -> Any:
    """A value of a field, which may be empty."""
    return _NONE if value in (None, "") else value


def _content(memory: Memory | None) -> str:
    return _ABSENT if memory is None else memory.content


def _to_text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# review


_MANY = 1_000
_FAILED = 2


class ReviewAction(StrEnum):
    """What can be done with what waits."""

    LIST = "list"
    SHOW = "show"
    ACCEPT = "accept"
    REJECT = "reject"

    @property
    def decides(self) -> bool:
        """Whether nothing waits any more afterwards."""
        return self in (ReviewAction.ACCEPT, ReviewAction.REJECT)


def review(
    action: Annotated[
        ReviewAction,
        typer.Argument(
            help="list: what waits; show ID: what is said now beside what is wished; accept ID…:"
            " do it in your name; reject ID…: drop it."
        ),
    ] = ReviewAction.LIST,
    ids: Annotated[
        list[str] | None, typer.Argument(help="Ids of reviews, or enough of their endings.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All that waits; to accept and reject.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, with --all.")] = False,
    reason: Annotated[str, typer.Option(help="Why; to accept and reject.")] = "",
    limit: opt.ListLimit = 50,
    after: Annotated[str | None, typer.Option(help="Go on after this review; to list.")] = None,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what waits for a person, accept or reject it."""
    named = ids or []
    _refuse_needless(action, named, everything)
    with opt.open_existing(db, workspace, embeds=action is ReviewAction.ACCEPT) as tacit:
        if action is ReviewAction.LIST:
            last = None if after is None else _find_review_id(tacit, after)
            _print_list(_reports(tacit, limit, last), limit, as_json)
            return
        whole = [_find_review_id(tacit, id) for id in named]
        if action is ReviewAction.SHOW:
            _print_reports([tacit.reviews.get(id) for id in whole], as_json)
            return
        chosen = _all_pending(tacit, action, yes) if everything else whole
        act = tacit.reviews.accept if action is ReviewAction.ACCEPT else tacit.reviews.reject
        done, failed = _decide(chosen, partial(act, reason=reason, by=by))
    _print_outcome(done, failed, as_json)


def _refuse_needless(action: ReviewAction, named: Sequence[str], everything: bool) -> None:
    if everything and (named or not action.decides):
        raise InvalidInput("all", "is to accept or reject all that waits, without ids")
    if action is ReviewAction.LIST and named:
        raise InvalidInput("ids", "are for show, accept and reject")
    if action is not ReviewAction.LIST and not named and not everything:
        more = ", or say --all" if action.decides else ""
        raise InvalidInput("ids", f"name what to {action}{more}; tacit review lists what waits")


def _pending(tacit: Tacit) -> Iterator[Review]:
    """All that waits, oldest first."""
    last = None
    while page := tacit.reviews.list(limit=_MANY, after=last):
        yield from page
        last = page[-1].id


def _find_review_id(tacit: Tacit, ending: str) -> str:
    """The one review whose id ends like this."""
    where = f"waits in workspace {tacit.workspace.name!r}; tacit review lists what does"
    return opt.match_ending(ending, (each.id for each in _pending(tacit)), "review", where)


def _reports(tacit: Tacit, limit: int, after: str | None) -> list[ReviewReport]:
    """A page of what waits with the memories; what was decided meanwhile is left out."""
    found = []
    for each in tacit.reviews.list(limit=limit, after=after):
        with suppress(NotFound):
            found.append(tacit.reviews.get(each.id))
    return found


def _all_pending(tacit: Tacit, action: ReviewAction, yes: bool) -> list[str]:
    """The ids of all that waits, if the person is sure."""
    ids = [each.id for each in _pending(tacit)]
    if ids and not yes:
        _show_before(tacit, action, ids)
        typer.confirm(f"{action.capitalize()} all {len(ids)}?", abort=True, err=True)
    return ids


def _show_before(tacit: Tacit, action: ReviewAction, ids: Sequence[str]) -> None:
    """What is asked about: what would be accepted is shown whole, all of it."""
    if action is not ReviewAction.ACCEPT:
        notices().print(review_table(_reports(tacit, _MANY, None)))
        return
    for id in ids:
        with suppress(NotFound):
            print_review(tacit.reviews.get(id), notices())


def _decide(
    ids: Sequence[str], act: Callable[[str], Written | Review]
) -> tuple[list[Written | Review], dict[str, TacitError]]:
    """Decide one after the other; of several, what cannot be done does not stop the rest."""
    done: list[Written | Review] = []
    failed: dict[str, TacitError] = {}
    for id in ids:
        try:
            done.append(act(id))
        except TacitError as error:
            if len(ids) == 1:
                raise
            failed[id] = error
    return done, failed


def _print_outcome(
    done: Sequence[Written | Review], failed: Mapping[str, TacitError], as_json: bool
) -> None:
    if done or failed:
        _print_decided(done, as_json)
    else:
        _print_list([], _MANY, as_json)
    _print_failures(failed, as_json)


def _print_failures(failed: Mapping[str, TacitError], as_json: bool) -> None:
    """Say what still waits and why, on standard error."""
    for id, error in failed.items():
        if as_json:
            told = {"review": id, "error": type(error).__name__, "message": str(error)}
            typer.echo(json.dumps(told), err=True)
        else:
            complaint = f"{id[-SHORT_ID:]} still waits: {escape_unseen(str(error))}"
            notices().print(complaint, style="red", markup=False, soft_wrap=True)
    if failed:
        raise typer.Exit(_FAILED)


def _print_decided(done: Sequence[Written | Review], as_json: bool) -> None:
    written = [each for each in done if isinstance(each, Written)]
    rejected = [each for each in done if isinstance(each, Review)]
    if as_json and rejected:
        documents = [each.to_dict() for each in rejected]
        print_json(documents[0] if len(documents) == 1 else documents)
        return
    for each in rejected:
        line = Text("rejected ", style="yellow").append_text(format_id(each.id))
        console().print(
            line.append(f" {describe_action(each)} {describe_subject(each)}", style="default")
        )
    if not rejected:
        print_written(written, as_json=as_json)


def _print_reports(reports: Sequence[ReviewReport], as_json: bool) -> None:
    if as_json:
        documents = [each.to_dict() for each in reports]
        print_json(documents[0] if len(documents) == 1 else documents)
        return
    for each in reports:
        print_review(each)


_HOW_TO_DECIDE = "tacit review show ID says why one waits; accept ID does it, reject ID drops it."


def _print_list(reports: Sequence[ReviewReport], limit: int, as_json: bool) -> None:
    if as_json:
        print_json([each.to_dict() for each in reports])
        return
    if not reports:
        console().print("Nothing in this workspace waits for a person.", style="green")
        return
    console().print(review_table(reports))
    console().print(_HOW_TO_DECIDE, style="bright_black")
    if len(reports) == limit:
        console().print(f"[bright_black]more: --after {reports[-1].review.id[-SHORT_ID:]}[/]")


COMMANDS = {"review": review}
