"""The command that shows what there is: stats."""

from collections.abc import Mapping
from typing import Any

from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.output import console, print_json, table, typed
from tacit.cli.visible import visible
from tacit.core.kinds import MemoryType

_BAR = 24


def stats(
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what the workspace holds, and where."""
    with opt.existing(db, workspace) as tacit:
        found = tacit.stats()
    if as_json:
        print_json(found.to_dict())
        return
    counts = found.counts
    where = visible(f" in {found.store.get('path', 'memory')}")
    line = Text("workspace ").append(visible(found.workspace), style="bold").append(where)
    console().print(line, soft_wrap=True)
    _print_types(counts.by_type)
    drawn = table("", "")
    drawn.add_row("states", _listed(counts.by_state))
    drawn.add_row("scopes", _listed(counts.by_scope))
    drawn.add_row("associations", f"{counts.associations:,}")
    drawn.add_row("changes on record", f"{counts.audit_entries:,}")
    drawn.add_row("waiting for a person", f"{counts.reviews:,}")
    drawn.add_row("with search terms", f"{counts.indexed:,}")
    drawn.add_row("vectors", _listed(counts.vectors) or "none")
    drawn.add_row("size", f"{int(str(found.store.get('bytes', 0))) / 1e6:,.1f} MB")
    drawn.add_row("engine", str(found.store.get("engine", found.store["backend"])))
    console().print(drawn)


def _print_types(by_type: Mapping[MemoryType, int]) -> None:
    most = max(by_type.values(), default=0)
    drawn = table("type", "live", "")
    for type in MemoryType:
        count = by_type.get(type, 0)
        if count:
            drawn.add_row(typed(type), f"{count:,}", "█" * max(1, round(_BAR * count / most)))
    if most:
        console().print(drawn)


def _listed(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


COMMANDS = {"stats": stats}
