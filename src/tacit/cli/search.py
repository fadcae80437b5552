"""The command `tacit search`: memories by words and by meaning, with what speaks for each."""

import re
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.episodes import print_episode_hits
from tacit.cli.output import (
    console,
    draw_bar,
    format_id,
    format_type,
    make_table,
    notices,
    print_json,
    shorten,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.kinds import MemoryType
from tacit.language.terms import extract_query_terms
from tacit.search.modes import Mode
from tacit.search.results import Hit, SearchResult

_WORD = re.compile(r"[^\W_]+")
_BAR_CELLS = 8
_HIT_SIGNALS = (("dense", "tokens"), ("lexical",), ("neighbours",), ("session",))
"""The parts of a score that each bar shows: a hit has its meaning as a vector or by its tokens."""


def search(
    text: Annotated[str, typer.Argument(help="What to look for, in any words.")],
    mode: Annotated[Mode, typer.Option(metavar="MODE", help=f"{', '.join(Mode)}.")] = Mode.HYBRID,
    type: Annotated[
        list[MemoryType] | None, typer.Option("--type", "-t", help="Of this type; repeat.")
    ] = None,
    scope: opt.InScope = None,
    scope_id: opt.ScopeId = None,
    agent: Annotated[str | None, typer.Option(help="What this agent may see.")] = None,
    user: Annotated[str | None, typer.Option(help="What this user may see.")] = None,
    session: Annotated[
        str | None, typer.Option(help="As inside this session: its memories, of no other.")
    ] = None,
    min_confidence: Annotated[float, typer.Option(help="0 to 1.")] = 0.0,
    min_score: Annotated[float, typer.Option(help="Leave out what scores less; 0 to 1.")] = 0.0,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 10,
    said: Annotated[bool, typer.Option("--said", help="Also what was said about it.")] = False,
    project: opt.ProjectName = None,
    no_project: Annotated[
        bool, typer.Option("--no-project", help="In all projects; with --said: outside of them.")
    ] = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Find memories by words and by meaning.

    Memories of other projects than that of the current folder are left out, unless --scope-id says
    whose memories to search.
    """
    with opt.open_existing(db, workspace, embeds=True) as tacit:
        is_elsewhere = no_project or (scope_id is not None and project is None)
        place = opt.choose_project(tacit, project, no_project=is_elsewhere)
        result = tacit.search(
            text,
            mode=mode,
            types=type,
            scope=scope,
            scope_id=scope_id,
            agent=agent,
            user=user,
            session=session,
            min_confidence=min_confidence,
            min_score=min_score,
            limit=limit,
            episodes=said,
            project=place,
        )
    if as_json:
        print_json({**result.to_dict(), "project": place})
        return
    opt.print_project(place, is_named=project is not None, without="In all projects.")
    if result.hits or not result.episodes:
        print_hits(result, text)
    if result.episodes:
        print_episode_hits(result.episodes)


def _add_parts(hit: Hit, names: Sequence[str]) -> float:
    return sum(hit.parts.get(name, 0.0) for name in names)


def print_hits(result: SearchResult, text: str) -> None:
    """Hits as a table, with what speaks for each as bars and the query's words marked."""
    for part in result.degraded:
        notices().print(f"degraded: {escape_unseen(part)}", style="yellow", markup=False)
    for note in result.notes:
        notices().print(escape_unseen(note), style="bright_black", markup=False)
    if not result.hits:
        console().print("Nothing found.", style="bright_black")
        return
    content_words = [term for term in extract_query_terms(text) if not term.is_stop_word]
    asked = {stem for term in content_words for stem in term.alternatives}
    most = max(abs(part) for hit in result.hits for part in (*hit.parts.values(), 1e-9))
    drawn = make_table("score", "meaning", "words", "around", "session", "id", "type", "content")
    for hit in result.hits:
        bars = [
            Text(draw_bar(_add_parts(hit, names) / most, _BAR_CELLS), style="cyan")
            for names in _HIT_SIGNALS
        ]
        content = _highlight(shorten(hit.memory.content), asked)
        score = f"{hit.score:.3f}"
        drawn.add_row(score, *bars, format_id(hit.memory.id), format_type(hit.memory.type), content)
    console().print(drawn)


def _highlight(content: str, asked: set[str]) -> Text:
    """The content with the query's words marked."""
    line = Text(escape_unseen(content))
    for word in _WORD.finditer(line.plain):
        held = {stem for term in extract_query_terms(word.group()) for stem in term.alternatives}
        if held & asked:
            line.stylize("bold yellow", *word.span())
    return line


COMMANDS = {"search": search}
