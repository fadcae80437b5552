"""The command that finds: search."""

import re
from typing import Annotated

import typer
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.bars import bar
from tacit.cli.output import console, notices, print_json, short, shortened, table, typed
from tacit.cli.visible import visible
from tacit.core.kinds import MemoryType
from tacit.language.terms import extract_query_terms
from tacit.search.modes import Mode
from tacit.search.results import SearchResult

_WORD = re.compile(r"[^\W_]+")
_CELLS = 8
_SIGNALS = ("dense", "lexical", "neighbours", "session")


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
    min_confidence: Annotated[float, typer.Option(help="0 to 1.")] = 0.0,
    min_score: Annotated[float, typer.Option(help="Leave out what scores less; 0 to 1.")] = 0.0,
    limit: Annotated[int, typer.Option("--limit", "-n", help="At most this many.")] = 10,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Find memories by words and by meaning."""
    with opt.existing(db, workspace, embeds=True) as tacit:
        result = tacit.search(
            text,
            mode=mode,
            types=type,
            scope=scope,
            scope_id=scope_id,
            agent=agent,
            user=user,
            min_confidence=min_confidence,
            min_score=min_score,
            max_results=limit,
        )
    if as_json:
        print_json(result.to_dict())
    else:
        print_hits(result, text)


def print_hits(result: SearchResult, text: str) -> None:
    """Hits as a table, with what speaks for each as bars and the query's words marked."""
    for part in result.degraded:
        notices().print(f"degraded: {visible(part)}", style="yellow", markup=False)
    if not result.hits:
        console().print("Nothing found.", style="bright_black")
        return
    content_words = [term for term in extract_query_terms(text) if not term.is_stop_word]
    asked = {stem for term in content_words for stem in term.alternatives}
    most = max(abs(part) for hit in result.hits for part in (*hit.parts.values(), 1e-9))
    drawn = table("score", "meaning", "words", "around", "session", "id", "type", "content")
    for hit in result.hits:
        bars = [
            Text(bar(hit.parts.get(name, 0.0) / most, _CELLS), style="cyan") for name in _SIGNALS
        ]
        content = _marked(shortened(hit.memory.content), asked)
        score = f"{hit.score:.3f}"
        drawn.add_row(score, *bars, short(hit.memory.id), typed(hit.memory.type), content)
    console().print(drawn)


def _marked(content: str, asked: set[str]) -> Text:
    """The content with the query's words marked."""
    line = Text(visible(content))
    for word in _WORD.finditer(line.plain):
        held = {stem for term in extract_query_terms(word.group()) for stem in term.alternatives}
        if held & asked:
            line.stylize("bold yellow", *word.span())
    return line


COMMANDS = {"search": search}
