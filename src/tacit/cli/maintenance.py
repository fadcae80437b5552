"""Commands that maintain an installation: upkeep, stats, embed and model."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.options import progress_bar
from tacit.cli.output import (
    console,
    format_count,
    format_id,
    format_type,
    make_table,
    notices,
    print_json,
    shorten,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput
from tacit.core.kinds import MemoryType, State
from tacit.embedding.minilm.embedder import find_model_problems
from tacit.embedding.minilm.model_files import MODELS, ModelCache
from tacit.embedding.minilm.provision import configured_sources, pull_model
from tacit.writing.upkeep.maintenance import MOST_LOOKED_AT
from tacit.writing.upkeep.report import MaintenanceAction, UpkeepReport

# model


class ModelAction(StrEnum):
    """What can be done with the model."""

    PULL = "pull"
    STATUS = "status"
    VERIFY = "verify"


def model(
    action: Annotated[
        ModelAction,
        typer.Argument(help="pull: get and build it; status: show it; verify: check every byte."),
    ],
    as_json: opt.Json = False,
) -> None:
    """Get, show or check the embedding model.

    What is there and whole is not fetched again. Verify ends with exit code 2 if it finds a fault.
    """
    cache = ModelCache.of_user()
    if action is ModelAction.VERIFY:
        _verify_model(cache, as_json)
        return
    if action is ModelAction.PULL:
        with progress_bar() as watch:
            pull_model(cache, watch)
    _show_model(cache, as_json)


def _show_model(cache: ModelCache, as_json: bool) -> None:
    facts: dict[str, Any] = {
        "models": [asdict(each.model) | {"embedder": each.name} for each in MODELS],
        "built": cache.is_complete(),
        "folder": str(cache.folder),
        "bytes": cache.size(),
        "sources": [str(source) for source in configured_sources()],
    }
    if as_json:
        print_json(facts)
        return
    for model in MODELS:
        made = model.model
        _print_line(model.name, f"{made.name}, {made.dims} numbers, revision {made.revision}")
    _print_line("built", "yes" if facts["built"] else "no; build it with: tacit model pull")
    _print_line("folder", f"{facts['folder']}, {facts['bytes'] / 1e6:,.1f} MB")
    for number, source in enumerate(facts["sources"]):
        _print_line("then" if number else "from", source)


def _print_line(name: str, value: str) -> None:
    console().print(Text(f"{name:10}", style="bright_black") + Text(value), soft_wrap=True)


def _verify_model(cache: ModelCache, as_json: bool) -> None:
    found = find_model_problems(cache)
    if as_json:
        print_json({"ok": not found, "problems": found})
    elif found:
        console().print(*found, sep="\n", style="red", markup=False)
        console().print("Get it anew with: tacit model pull")
    else:
        console().print("The model is whole and answers as it should.", style="green")
    if found:
        raise typer.Exit(2)


# stats


_BAR_CELLS = 24


def stats(
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what the workspace holds, and where."""
    with opt.open_existing(db, workspace) as tacit:
        found = tacit.workspace.stats()
    if as_json:
        print_json(found.to_dict())
        return
    counts = found.counts
    where = escape_unseen(f" in {found.store.get('path', 'memory')}")
    line = Text("workspace ").append(escape_unseen(found.workspace), style="bold").append(where)
    console().print(line, soft_wrap=True)
    _print_types(counts.by_type)
    drawn = make_table("", "")
    drawn.add_row("states", _format_counts(counts.by_state))
    drawn.add_row("scopes", _format_counts(counts.by_scope))
    drawn.add_row("episodes", f"{found.episodes:,}")
    drawn.add_row("associations", f"{counts.associations:,}")
    drawn.add_row("changes on record", f"{counts.audit_entries:,}")
    drawn.add_row("waiting for a person", f"{counts.reviews:,}")
    drawn.add_row("with search terms", f"{counts.indexed:,}")
    drawn.add_row("vectors", _format_counts(counts.vectors) or "none")
    for each in found.generations:
        told = f"{each.model} ({each.revision}), {each.vectors:,} of {each.texts:,} texts"
        drawn.add_row(f"generation, {each.state}", told)
    drawn.add_row("token codes", _format_counts(counts.token_codes) or "none")
    drawn.add_row("size", f"{int(str(found.store.get('bytes', 0))) / 1e6:,.1f} MB")
    drawn.add_row("engine", str(found.store.get("engine", found.store["backend"])))
    console().print(drawn)


def _print_types(by_type: Mapping[MemoryType, int]) -> None:
    most = max(by_type.values(), default=0)
    drawn = make_table("type", "live", "")
    for type in MemoryType:
        count = by_type.get(type, 0)
        if count:
            drawn.add_row(
                format_type(type), f"{count:,}", "█" * max(1, round(_BAR_CELLS * count / most))
            )
    if most:
        console().print(drawn)


def _format_counts(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


# upkeep


_MOST_SHOWN = 20


def upkeep(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be done.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(help="Look at so many memories in one pass; else as settings say.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Pass after pass, to the end of the workspace.")
    ] = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Run maintenance: expire, deduplicate, link.

    What a person wrote stays as it is. A pass goes on where the last one ended; if interrupted, run
    it again.
    """
    with opt.open_existing(db, workspace, embeds=True) as tacit:
        try:
            report = (
                _run_upkeep(tacit, dry_run, limit)
                if everything
                else tacit.upkeep(dry_run=dry_run, limit=limit)
            )
        except KeyboardInterrupt:
            notices().print("Interrupted. What was done is kept; run it again to go on.")
            raise
    if as_json:
        print_json(report.to_dict())
    else:
        _print_upkeep(report)


def _run_upkeep(tacit: Tacit, dry_run: bool, limit: int | None) -> UpkeepReport:
    """Passes until the end, as one; a dry run leaves no trace to go on from, so it is one pass."""
    if dry_run:
        return tacit.upkeep(dry_run=True, limit=MOST_LOOKED_AT)
    total = tacit.workspace.stats().counts.by_state.get(State.LIVE, 0)
    reports: list[UpkeepReport] = []
    with progress_bar() as watch:
        while not reports or not reports[-1].done:
            reports.append(tacit.upkeep(limit=limit))
            looked_at = sum(report.looked_at for report in reports)
            watch("looking", looked_at, max(total, looked_at))
    return UpkeepReport.together(reports)


def _print_upkeep(report: UpkeepReport) -> None:
    for title, done, wished in (
        ("pruned", report.pruned, "would be pruned"),
        ("merged", report.merged, "would be merged"),
        ("linked", report.linked, "would be linked"),
    ):
        _print_deeds(wished if report.dry_run else title, done)
    if not (report.pruned or report.merged or report.linked):
        console().print("Nothing to do.", style="bright_black")
    console().print(_upkeep_summary(report))


def _print_deeds(title: str, deeds: Sequence[MaintenanceAction]) -> None:
    if not deeds:
        return
    drawn = make_table("memory", "says", "other", "why", title=f"{len(deeds):,} {title}")
    for deed in deeds[:_MOST_SHOWN]:
        other = Text("") if deed.other is None else format_id(deed.other)
        says = Text(escape_unseen(shorten(deed.content)))
        drawn.add_row(format_id(deed.memory), says, other, escape_unseen(deed.reason))
    console().print(drawn)
    if len(deeds) > _MOST_SHOWN:
        console().print(f"and {len(deeds) - _MOST_SHOWN:,} more; --json lists all of them")


def _upkeep_summary(report: UpkeepReport) -> str:
    """How far the pass came."""
    looked_at = f"{report.looked_at:,} looked at"
    if report.unembedded:
        looked_at += f", {report.unembedded:,} without a vector (tacit embed makes them)"
    if report.done:
        return f"{looked_at}; that was the last."
    return f"{looked_at}; there are more: run it again, or with --all."


# embed


def embed(
    model: Annotated[
        str | None,
        typer.Option(
            help="Switch to this embedder: minilm, minilm-en, or https://host/v1#model-name."
        ),
    ] = None,
    back: Annotated[
        bool, typer.Option("--back", help="Give up a fill, or go back to the previous model.")
    ] = False,
    drop_old: Annotated[
        bool, typer.Option("--drop-old", help="Remove vectors of models that do not serve.")
    ] = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Give vectors and tokens to what has none, or switch to another model.

    If vectors of another model serve, those of the new one are made beside them. Searches use the
    old ones until the new ones are complete. An interrupted run is resumed by the next one.
    """
    if sum([model is not None, back, drop_old]) > 1:
        raise InvalidInput("model", "give one of --model, --back and --drop-old")
    with opt.open_to_embed(db, workspace, model) as tacit:
        if back:
            served = tacit.archive.restore_model()
            _print_done({"model": served}, f"The vectors of {served} serve.", as_json)
        elif drop_old:
            dropped = tacit.archive.drop_old_vectors()
            told = f"Removed {format_count(dropped, 'vector')}."
            _print_done({"dropped": dropped}, told, as_json)
        else:
            _print_done(*_embed_all(tacit, model), as_json)


def _embed_all(tacit: Tacit, model: str | None) -> tuple[Mapping[str, Any], str]:
    """Make what is missing; returns what was made, as JSON and as a sentence."""
    archive = tacit.archive
    with progress_bar() as watch:
        done = (archive.embed_missing if model is None else archive.change_model)(progress=watch)
    if not (done.vectors or done.tokens):
        return done.to_dict(), "Nothing lacks a vector or tokens."
    vectors = format_count(done.vectors, "vector")
    return done.to_dict(), f"Made: {vectors}, tokens of {format_count(done.tokens, 'text')}."


def _print_done(facts: Mapping[str, Any], told: str, as_json: bool) -> None:
    if as_json:
        print_json(facts)
    else:
        console().print(told, markup=False)


COMMANDS = {
    "model": model,
    "stats": stats,
    "upkeep": upkeep,
    "embed": embed,
}
