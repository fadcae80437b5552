"""The command on what waits for a person: list, show, accept, reject."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.output import SHORT, console, notices, print_json, print_written, short
from tacit.cli.visible import visible
from tacit.cli.wishes import drawn, of_what, print_report, what
from tacit.core.changes import Review, ReviewReport
from tacit.core.errors import InvalidInput, NotFound, TacitError
from tacit.core.kinds import Actor
from tacit.writing.draft import Written

_SHORTEST_ENDING = 4
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
    limit: Annotated[
        int, typer.Option("--limit", "-n", help="At most this many, 1 to 1000; to list.")
    ] = 50,
    after: Annotated[str | None, typer.Option(help="Go on after this review; to list.")] = None,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what waits for a person, accept or reject it."""
    named = ids or []
    _refuse_needless(action, named, everything)
    with opt.existing(db, workspace, embeds=action is ReviewAction.ACCEPT) as tacit:
        if action is ReviewAction.LIST:
            last = None if after is None else _whole(tacit, after)
            _print_list(_reports(tacit, limit, last), limit, as_json)
            return
        whole = [_whole(tacit, id) for id in named]
        if action is ReviewAction.SHOW:
            _print_reports([tacit.review(id) for id in whole], as_json)
            return
        chosen = _everything(tacit, action, yes) if everything else whole
        act = tacit.accept if action is ReviewAction.ACCEPT else tacit.reject
        done, failed = _decided(chosen, lambda id: act(id, reason=reason, by=by))
    if not chosen:
        _print_list([], limit, as_json)
    else:
        _print_decided(done, as_json)
    _complain(failed, as_json)


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
    while page := tacit.reviews(limit=_MANY, after=last):
        yield from page
        last = page[-1].id


def _whole(tacit: Tacit, ending: str) -> str:
    """The one review whose id ends like this."""
    if len(ending) < _SHORTEST_ENDING:
        problem = f"{ending!r} is too short; give at least {_SHORTEST_ENDING} last characters"
        raise InvalidInput("id", problem)
    found = [each.id for each in _pending(tacit) if each.id.endswith(ending.lower())]
    if not found:
        where = f"in workspace {tacit.workspace!r}"
        problem = f"no review with an id ending {ending!r} waits {where}"
        raise NotFound(f"{problem}; tacit review lists what does")
    if len(found) > 1:
        raise InvalidInput("id", f"several reviews end in {ending!r}; give more of the id")
    return found[0]


def _reports(tacit: Tacit, limit: int, after: str | None) -> list[ReviewReport]:
    """A page of what waits with the memories; what was decided meanwhile is left out."""
    found = []
    for each in tacit.reviews(limit=limit, after=after):
        with suppress(NotFound):
            found.append(tacit.review(each.id))
    return found


def _everything(tacit: Tacit, action: ReviewAction, yes: bool) -> list[str]:
    """The ids of all that waits, if the person is sure."""
    ids = [each.id for each in _pending(tacit)]
    if ids and not yes:
        _show_before(tacit, action, ids)
        typer.confirm(f"{action.capitalize()} all {len(ids)}?", abort=True, err=True)
    return ids


def _show_before(tacit: Tacit, action: ReviewAction, ids: Sequence[str]) -> None:
    """What is asked about: what would be accepted is shown whole, all of it."""
    if action is not ReviewAction.ACCEPT:
        notices().print(drawn(_reports(tacit, _MANY, None)))
        return
    for id in ids:
        with suppress(NotFound):
            print_report(tacit.review(id), notices())


def _decided(
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


def _complain(failed: Mapping[str, TacitError], as_json: bool) -> None:
    """Say what still waits and why, on standard error."""
    for id, error in failed.items():
        if as_json:
            told = {"review": id, "error": type(error).__name__, "message": str(error)}
            typer.echo(json.dumps(told), err=True)
        else:
            complaint = f"{id[-SHORT:]} still waits: {visible(str(error))}"
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
        line = Text("rejected ", style="yellow").append_text(short(each.id))
        console().print(line.append(f" {what(each)} {of_what(each)}", style="default"))
    if not rejected:
        print_written(written, as_json=as_json)


def _print_reports(reports: Sequence[ReviewReport], as_json: bool) -> None:
    if as_json:
        documents = [each.to_dict() for each in reports]
        print_json(documents[0] if len(documents) == 1 else documents)
        return
    for each in reports:
        print_report(each)


def _print_list(reports: Sequence[ReviewReport], limit: int, as_json: bool) -> None:
    if as_json:
        print_json([each.to_dict() for each in reports])
        return
    if not reports:
        console().print("Nothing in this workspace waits for a person.", style="green")
        return
    console().print(drawn(reports))
    if len(reports) == limit:
        console().print(f"[bright_black]more: --after {reports[-1].review.id[-SHORT:]}[/]")


COMMANDS = {"review": review}
