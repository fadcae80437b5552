"""The command that installs Tacit in coding CLIs: install."""

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.doctor.embedder import embedder_name
from tacit.cli.output import console, print_json
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput
from tacit.embedding.minilm.model_files import lacks_model
from tacit.integrations.installer.plan import (
    FileChange,
    InstallPlan,
    apply_plan,
    plan_install,
    plan_uninstall,
)
from tacit.integrations.installer.program import Program, find_program
from tacit.integrations.installer.targets import (
    ClientName,
    ConfigTarget,
    InstallFolders,
    InstallScope,
    find_targets,
    plugin_targets,
)

_LONGEST = 200
_STYLES = {"+": "green", "-": "red", "@": "cyan"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _InstallOptions:
    """What the command line says."""

    client: ClientName
    scope: InstallScope
    uninstall: bool
    mcp: bool
    tools: bool
    plugin: Path | None

    @property
    def again(self) -> str:
        """The command that does the same, up to its last options."""
        if self.plugin is not None:
            return f"tacit install {self.client} --plugin {shlex.quote(str(self.plugin))}"
        option = " --project" if self.scope is InstallScope.PROJECT else ""
        return f"tacit install {self.client}{option}"


def install(
    client: Annotated[ClientName, typer.Argument(help=f"Which: {', '.join(ClientName)}.")],
    project: Annotated[
        bool,
        typer.Option("--project/--user", help="For this folder only, or for you everywhere."),
    ] = False,
    uninstall: Annotated[bool, typer.Option("--uninstall", help="Undo it exactly.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change only.")] = False,
    yes: opt.Yes = False,
    mcp: Annotated[
        bool, typer.Option("--mcp/--no-mcp", help="With the MCP server, or hooks alone.")
    ] = True,
    tools: Annotated[
        bool,
        typer.Option("--tools", help="With hooks around tools, for workflows that want them."),
    ] = False,
    plugin: Annotated[
        Path | None,
        typer.Option("--plugin", metavar="FOLDER", help="Make a plugin of Claude Code instead."),
    ] = None,
    as_json: opt.Json = False,
) -> None:
    """Install Tacit in a coding CLI, or undo that.

    Hooks and the MCP server go into the client's own configuration, where all else stays as it is.
    The change is shown first.
    """
    asked = _InstallOptions(
        client=client,
        scope=InstallScope.PROJECT if project else InstallScope.USER,
        uninstall=uninstall,
        mcp=mcp,
        tools=tools,
        plugin=plugin,
    )
    program = find_program()
    plan = _make_plan(asked, program)
    if not as_json:
        _show(plan.changes)
    is_done = bool(plan.changes) and not dry_run
    if is_done:
        _confirm(yes)
        apply_plan(plan)
    notes = [] if dry_run else list(_notes(asked, plan, program))
    if as_json:
        print_json(_document(asked, plan, is_done, notes))
    else:
        _print_result(asked, plan, is_done, notes)


def _make_plan(asked: _InstallOptions, program: Program) -> InstallPlan:
    if asked.uninstall and not asked.mcp:
        raise InvalidInput("no-mcp", "is for installing; --uninstall takes out everything")
    chosen = _targets(asked, program)
    return plan_uninstall(chosen) if asked.uninstall else plan_install(chosen, mcp=asked.mcp)


def _targets(asked: _InstallOptions, program: Program) -> Sequence[ConfigTarget]:
    if asked.plugin is not None:
        if asked.client is not ClientName.CLAUDE_CODE:
            raise InvalidInput("plugin", f"is for {ClientName.CLAUDE_CODE} only; leave it out")
        return plugin_targets(asked.plugin.absolute(), program, tools=asked.tools)
    around = InstallFolders(home=Path.home(), project=Path.cwd(), environment=os.environ)
    return find_targets(asked.client, asked.scope, program, around, tools=asked.tools)


def _show(changes: Sequence[FileChange]) -> None:
    for change in changes:
        for number, line in enumerate(change.diff()):
            style = "bold" if number < 2 else _STYLES.get(line[:1], "")
            is_short = line.startswith(("+", "-")) or len(line) <= _LONGEST  # changes are whole
            shown = line if is_short else line[: _LONGEST - 1] + "…"
            console().print(Text(escape_unseen(shown), style=style), soft_wrap=True)


def _confirm(yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        problem = "no terminal to confirm; use --yes, or --dry-run to see the change only"
        raise InvalidInput("install", problem)
    typer.confirm("Make this change?", abort=True, err=True)


def _notes(asked: _InstallOptions, plan: InstallPlan, program: Program) -> Iterator[str]:
    """Notes for the user after the installation."""
    if asked.uninstall:
        if plan.changes:
            yield "Your memories are kept; tacit stats says where."
        return
    yield from _missing_packages()
    if asked.plugin is not None:
        yield f"Try it with: claude --plugin-dir {shlex.quote(str(asked.plugin))}"
    elif asked.client is ClientName.CODEX:
        yield "Codex runs no hook before you trust it: start codex, type /hooks, and approve ours."
    if asked.scope is InstallScope.PROJECT and program.is_of_this_machine:
        yield f"The files name {program.command}, which others who share the project do not have."
    yield f"Restart {asked.client.label}; memories are added automatically."
    yield "What it was given last and why: tacit last. If nothing comes: tacit doctor."
    yield f"Undo it with: {asked.again} --uninstall"


def _missing_packages() -> Iterator[str]:
    """Required packages that are missing."""
    if any(find_spec(name) is None for name in ("fastapi", "uvicorn", "mcp")):
        yield "Some packages are missing; get them with: pip install 'tacit[hooks]'"
    if lacks_model(embedder_name()):
        yield "The model that finds by meaning is not here yet; get it with: tacit model pull"


def _print_result(
    asked: _InstallOptions, plan: InstallPlan, is_done: bool, notes: Sequence[str]
) -> None:
    if not plan.changes:
        state = "is not installed there" if asked.uninstall else "is installed there already"
        console().print(f"Nothing to do: Tacit {state}.")
    elif not is_done:
        console().print("Nothing was changed.")
    else:
        action = "Uninstalled from" if asked.uninstall else "Installed in"
        console().print(Text(f"{action} {asked.client.label}.", style="green"))
    for note in notes:
        console().print(Text(f"· {escape_unseen(note)}"), soft_wrap=True)


def _document(
    asked: _InstallOptions, plan: InstallPlan, is_done: bool, notes: Sequence[str]
) -> dict[str, Any]:
    return {
        "client": asked.client,
        "action": "uninstall" if asked.uninstall else "install",
        "done": is_done,
        "files": [
            {"path": str(each.shown), "change": each.kind, "diff": "\n".join(each.diff())}
            for each in plan.changes
        ],
        "notes": list(notes),
    }


COMMANDS = {"install": install}
