"""Episodes: list what was said, and keep it as a memory."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.output import (
    SHORT_ID,
    console,
    draw_bar,
    format_id,
    format_time,
    make_table,
    print_json,
    print_written,
    shorten,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.episodes import Episode, EpisodeRole, is_episode_id
from tacit.core.errors import InvalidInput
from tacit.core.kinds import Actor
from tacit.search.results import EpisodeHit

_BAR_CELLS = 8


def episodes(
    user: Annotated[
        str | None, typer.Option(help="What this user said; else the person without a name.")
    ] = None,
    project: Annotated[
        str | None, typer.Option(help="What a turn in this project may see; else all.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Of this session only.")] = None,
    contains: Annotated[str | None, typer.Option(help="With these words.")] = None,
    forgotten: Annotated[bool, typer.Option("--all", help="Forgotten ones too.")] = False,
    limit: opt.Limit = 50,
    after: Annotated[str | None, typer.Option(help="Go on after this id.")] = None,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """List what was said, as it was said, newest first.

    The settings of the table writing say whose words are kept, and for how long. keep makes a
    memory of one; get, forget, restore and erase take its id as they take that of a memory.
    """
    with opt.open_existing(db, workspace) as tacit:
        found = tacit.episodes.list(
            user=user,
            project=project,
            session=session,
            contains=contains,
            forgotten=forgotten,
            limit=limit,
            after=None if after is None else tacit.memories.find_id(after),
        )
        kept = tacit.workspace.stats().episodes
    if as_json:
        print_json([each.to_dict() for each in found])
    elif found:
        print_episodes(found)
        if len(found) == limit:
            console().print(f"[bright_black]more: --after {found[-1].id[-SHORT_ID:]}[/]")
    else:
        console().print(_explain_nothing(kept, user), style="bright_black")


@opt.with_field_options
def keep(
    id: Annotated[str, typer.Argument(help="The id of an episode, or enough of its ending.")],
    content: Annotated[str | None, typer.Option(help="Other words than those said.")] = None,
    by: opt.By = Actor.USER,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
    **fields: Any,
) -> None:
    """Keep something that was said as a memory."""
    given = fields if content is None else {**fields, "content": content}
    with opt.open_existing(db, workspace, embeds=True) as tacit:
        whole = tacit.memories.find_id(id)
        if not is_episode_id(whole):
            raise InvalidInput("id", f"{id} is a memory already; episodes lists what was said")
        written = tacit.episodes.promote(whole, by=by, **given)
    print_written([written], as_json=as_json)


def _explain_nothing(kept: int, user: str | None) -> str:
    """Why a list is empty: perhaps it is others who spoke."""
    if kept and user is None:
        return (
            f"Nothing that was said without a user matches; {kept:,} messages are kept here."
            " Name who spoke with --user, or a session with --session."
        )
    return "Nothing that was said here matches."


def print_episodes(found: Sequence[Episode]) -> None:
    """Episodes as a table."""
    drawn = make_table("id", "said", "words", "where")
    for each in found:
        drawn.add_row(format_id(each.id), format_time(each.at), _words_of(each), _place_of(each))
    console().print(drawn)


def print_episode_hits(hits: Sequence[EpisodeHit]) -> None:
    """Episodes that were found as a table, best first."""
    console().print("Said:", style="bold")
    most = max((hit.score for hit in hits), default=0.0)
    drawn = make_table("score", "", "id", "said", "words", "where")
    for hit in hits:
        bar = Text(draw_bar(hit.score / max(most, 1e-9), _BAR_CELLS), style="cyan")
        said = hit.episode
        drawn.add_row(
            f"{hit.score:.3f}",
            bar,
            format_id(said.id),
            format_time(said.at),
            _mark_replaced(hit),
            _place_of(said),
        )
    console().print(drawn)


def _mark_replaced(hit: EpisodeHit) -> Text:
    """The words, and since when they hold no longer, if they do not."""
    words = Text.assemble(_words_of(hit.episode))
    if hit.replaced is not None:
        words.append(f" (replaced {format_time(hit.replaced.at)})", style="yellow")
    return words


def print_episode(said: Episode) -> None:
    """One episode: its words, when and where they were said, and by whom."""
    console().print(Text(escape_unseen(said.text)))
    who = "" if said.user is None else f" by {said.user}"
    console().print(escape_unseen(f"{said.id}, said{who}"), style="bright_black", markup=False)
    console().print(
        f"{format_time(said.at)}  {_place_of(said)}", style="bright_black", markup=False
    )


def print_forgotten(said: Episode, *, as_json: bool) -> None:
    """What became of an episode that was forgotten or restored."""
    if as_json:
        print_json(said.to_dict())
        return
    what = "forgotten" if said.forgotten else "restored"
    console().print(Text(f"{what} ", style="yellow").append(escape_unseen(said.text)))


def _words_of(said: Episode) -> Text:
    line = Text()
    if said.role is EpisodeRole.ASSISTANT:
        line.append("assistant: ", style="bright_black")
    line.append(escape_unseen(shorten(said.text)))
    if said.forgotten:
        line.append("  (forgotten)", style="italic bright_black")
    return line


def _place_of(said: Episode) -> str:
    project = "" if said.project is None else f" in {said.project}"
    return escape_unseen(f"{said.session}{project}")


COMMANDS = {"episodes": episodes, "keep": keep}
