"""The `tacit` application: its list of commands, and how errors become messages and exit codes.

Help needs only names and one line each, so a command's module is imported when the command is
called. That keeps `tacit --help` fast. A test compares the lines with the commands' docstrings.
"""

import io
import json
import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import TacitError
from tacit.version import __version__

# The list of commands


@dataclass(frozen=True, slots=True)
class ListedCommand:
    """A command as the help page shows it, and where it lives."""

    name: str
    panel: str
    module: str
    summary: str

    def stub(self) -> TyperCommand:
        """What the help page needs."""
        return TyperCommand(self.name, help=self.summary, rich_help_panel=self.panel)

    def load(self) -> TyperCommand:
        """The command itself."""
        module = import_module(f"tacit.cli.{self.module}")
        single = typer.Typer(add_completion=False)
        single.command(self.name)(module.COMMANDS[self.name])
        command = typer.main.get_command(single)
        assert isinstance(command, TyperCommand)
        return command


_COMMANDS = (
    ListedCommand("remember", "Memories", "memories", "Store a memory. Duplicates are detected."),
    ListedCommand("get", "Memories", "memories", "Show one memory."),
    ListedCommand("list", "Memories", "memories", "List memories."),
    ListedCommand("profile", "Memories", "profile", "Show what is known of a person, by kind."),
    ListedCommand("edit", "Memories", "memories", "Change what is named, keep the rest."),
    ListedCommand("forget", "Memories", "memories", "Hide memories from every read."),
    ListedCommand("restore", "Memories", "memories", "Bring back what was forgotten or replaced."),
    ListedCommand("erase", "Memories", "erase", "Remove memories and all traces of them for good."),
    ListedCommand("assign", "Memories", "memories", "Give memories to a user."),
    ListedCommand(
        "link", "Memories", "memories", "Relate two memories; a repeat changes the weight."
    ),
    ListedCommand("history", "Memories", "memories", "Show every change of a memory."),
    ListedCommand(
        "conflicts",
        "Memories",
        "conflicts",
        "List memories that contradict each other, or resolve that.",
    ),
    ListedCommand(
        "review", "Memories", "review", "Show what waits for a person, accept or reject it."
    ),
    ListedCommand(
        "changes",
        "Memories",
        "changes",
        "Show what memory replaced, merged, hid or let expire by itself, or undo it.",
    ),
    ListedCommand("search", "Memories", "search", "Find memories by words and by meaning."),
    ListedCommand(
        "episodes", "Memories", "episodes", "List what was said, as it was said, newest first."
    ),
    ListedCommand("keep", "Memories", "episodes", "Keep something that was said as a memory."),
    ListedCommand(
        "explain", "Turns", "explain", "Show what a turn would inject, and why; nothing happens."
    ),
    ListedCommand("last", "Turns", "explain", "Show what the last turn injected, and why."),
    ListedCommand("sessions", "Turns", "sessions", "List the sessions that were active last."),
    ListedCommand(
        "session",
        "Turns",
        "sessions",
        "Show a session, or reset, pause, fork, compact or end it.",
    ),
    ListedCommand(
        "project",
        "Turns",
        "project",
        "Show which project a folder belongs to, and join or leave one.",
    ),
    ListedCommand("irrelevant", "Turns", "sessions", "Say that a memory was of no use in a turn."),
    ListedCommand("learn", "Turns", "learn", "Read now what was said and waits to be learned."),
    ListedCommand(
        "extract",
        "Turns",
        "learn",
        "Show what would be remembered of a message, and why not the rest; nothing happens.",
    ),
    ListedCommand(
        "import", "Moving", "archive", "Import memories and conversations (safe to re-run)."
    ),
    ListedCommand("export", "Moving", "archive", "Write everything as one JSON Lines file."),
    ListedCommand("migrate", "Moving", "archive", "Move everything from one store to another."),
    ListedCommand("stats", "Looking", "maintenance", "Show what the workspace holds, and where."),
    ListedCommand(
        "upkeep",
        "Memories",
        "maintenance",
        "Run maintenance: expire, deduplicate, link.",
    ),
    ListedCommand(
        "embed",
        "Moving",
        "maintenance",
        "Give vectors and tokens to what has none, or switch to another model.",
    ),
    ListedCommand("settings", "Looking", "settings", "Show, change or check the settings."),
    ListedCommand(
        "workflow",
        "Looking",
        "workflow",
        "Show, check or run what is done at each moment of a session.",
    ),
    ListedCommand(
        "trust",
        "Looking",
        "trust",
        "Show what files of a project would do, and let them act.",
    ),
    ListedCommand(
        "docs",
        "Looking",
        "docs",
        "Search the documents of a workspace, and say which there are.",
    ),
    ListedCommand(
        "prompt",
        "Looking",
        "prompt",
        "Show the directives that a prompt begins with, and where their files are.",
    ),
    ListedCommand("keys", "Looking", "keys", "Make, list or revoke the keys to a store."),
    ListedCommand("model", "Looking", "maintenance", "Get, show or check the embedding model."),
    ListedCommand(
        "doctor",
        "Looking",
        "doctor",
        "Find what is wrong with this installation, and how to mend it.",
    ),
    ListedCommand(
        "eval", "Looking", "evaluate", "Measure how good search, turns and learning are."
    ),
    ListedCommand(
        "serve",
        "Serving",
        "serve",
        "Serve memory to other programs over HTTP.",
    ),
    ListedCommand(
        "proxy", "Serving", "proxy", "Give programs memory by a URL in place of their provider's."
    ),
    ListedCommand("ui", "Serving", "serve", "Show the web UI of a server that runs elsewhere."),
    ListedCommand("install", "Serving", "install", "Install Tacit in a coding CLI, or undo that."),
    ListedCommand("mcp", "Serving", "serve", "Offer memory to an agent as MCP tools."),
    ListedCommand(
        "hook",
        "Serving",
        "daemon",
        "Serve an event of a coding CLI; the CLI calls it, not you.",
    ),
    ListedCommand(
        "daemon",
        "Serving",
        "daemon",
        "Run, show or stop the process behind the hooks.",
    ),
    ListedCommand("demo", "Looking", "demo", "Show memory at work, on a throw-away database."),
)

LISTING = {listed.name: listed for listed in _COMMANDS}


@contextmanager
def _escaped_usage_errors() -> Iterator[None]:
    """Escape control characters in the parser's error messages."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):
            from tacit.cli.terminal_text import escape_unseen

            error.message = escape_unseen(getattr(error, "message", ""))  # type: ignore[attr-defined]
        raise


class CommandGroup(TyperGroup):
    """Lists commands without loading them, and loads the one that is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for listed in LISTING.values():
            self.add_command(listed.stub())

    def make_context(self, *args: Any, **settings: Any) -> Any:
        """The context of a call; its errors quote what was typed."""
        with _escaped_usage_errors():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Call the command."""
        with _escaped_usage_errors():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that is called."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, LISTING[name].load() if name else command, rest


# The application


app = typer.Typer(
    name="tacit",
    cls=CommandGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tacit {__version__}")
        raise typer.Exit


@app.callback()
def _tacit(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """The memory your agent doesn't have to ask for."""


# Running a command


EXIT_FAULT = 1
EXIT_BAD_INPUT = 2


def run_app() -> None:
    """Run the command that the process's arguments name."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_VisibleFormatter())
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # our own errors say it better
    try:
        app(prog_name="tacit")
    except TacitError as error:
        _print_error(error)
        sys.exit(EXIT_BAD_INPUT)
    except Exception:  # a fault of ours: what its traceback quotes must not steer a terminal either
        sys.stderr.write(escape_unseen(traceback.format_exc()))
        sys.exit(EXIT_FAULT)


class _VisibleFormatter(logging.Formatter):
    """The fallback log format: the message, with control characters escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record."""
        return escape_unseen(super().format(record))


def _print_error(error: TacitError) -> None:
    """Print an error to standard error, as JSON with --json."""
    if "--json" in sys.argv:
        problem = {"error": type(error).__name__, "message": str(error)}
        typer.echo(json.dumps(problem), err=True)
        return
    typer.secho("Error: ", fg=typer.colors.RED, bold=True, err=True, nl=False)
    typer.echo(escape_unseen(str(error)), err=True)
