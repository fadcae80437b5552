"""The commands: a listing that is quick to show, each loaded when it is called.

Help needs names and one line each; what a command does may need the store and more. Keeping the
two apart keeps `tacit --help` quick. A test holds the lines against the commands' own words.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup


@dataclass(frozen=True, slots=True)
class Listed:
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


_LISTED = (
    Listed("remember", "Memories", "memories", "Keep a statement; said again, it is recognised."),
    Listed("get", "Memories", "memories", "Show one memory."),
    Listed("list", "Memories", "memories", "List memories."),
    Listed("edit", "Memories", "memories", "Change what is named, keep the rest."),
    Listed("forget", "Memories", "memories", "Hide memories from every read."),
    Listed("restore", "Memories", "memories", "Bring back what was forgotten."),
    Listed("erase", "Memories", "erasing", "Remove memories and all traces of them for good."),
    Listed("assign", "Memories", "owners", "Give memories to a user."),
    Listed("link", "Memories", "memories", "Relate two memories; a repeat changes the weight."),
    Listed("history", "Memories", "memories", "Show every change of a memory."),
    Listed(
        "conflicts",
        "Memories",
        "conflicts",
        "List memories that contradict each other, or resolve that.",
    ),
    Listed("review", "Memories", "review", "Show what waits for a person, accept or reject it."),
    Listed("search", "Memories", "search", "Find memories by words and by meaning."),
    Listed(
        "explain", "Turns", "explain", "Show what a turn would inject, and why; nothing happens."
    ),
    Listed("last", "Turns", "explain", "Show what the last turn injected, and why."),
    Listed("sessions", "Turns", "sessions", "List the sessions that were active last."),
    Listed(
        "session",
        "Turns",
        "sessions",
        "Show a session, or reset, pause, fork, compact or end it.",
    ),
    Listed(
        "project",
        "Turns",
        "project",
        "Show which project a folder belongs to, and join or leave one.",
    ),
    Listed("irrelevant", "Turns", "sessions", "Say that a memory was of no use in a turn."),
    Listed("learn", "Turns", "lessons", "Read now what was said and waits to be learned."),
    Listed(
        "extract",
        "Turns",
        "lessons",
        "Show what the rules would remember of a message, and what not; nothing happens.",
    ),
    Listed("import", "Moving", "archive", "Take in memories; if interrupted, run it again."),
    Listed("export", "Moving", "archive", "Write everything as one JSON Lines file."),
    Listed("migrate", "Moving", "moving", "Move everything from one store to another."),
    Listed("stats", "Looking", "overview", "Show what the workspace holds, and where."),
    Listed(
        "upkeep",
        "Memories",
        "upkeep",
        "Forget what has faded, merge what says the same, relate what is near.",
    ),
    Listed("embed", "Moving", "vectors", "Give vectors to memories that have none of this model."),
    Listed("settings", "Looking", "settings", "Show, change or check the settings."),
    Listed(
        "workflow",
        "Looking",
        "workflow",
        "Show, check or run what is done at each moment of a session.",
    ),
    Listed(
        "trust",
        "Looking",
        "trust",
        "Show what files of a project would do, and let them act.",
    ),
    Listed(
        "docs",
        "Looking",
        "docs",
        "Search the documents of a workspace, and say which there are.",
    ),
    Listed(
        "prompt",
        "Looking",
        "prompt",
        "Show the directives that a prompt begins with, and where their files are.",
    ),
    Listed("keys", "Looking", "keys", "Make, list or revoke the keys to a store."),
    Listed("model", "Looking", "model", "Get, show or check the embedding model."),
    Listed(
        "doctor",
        "Looking",
        "doctor",
        "Find what is wrong with this installation, and how to mend it.",
    ),
    Listed("eval", "Looking", "evaluation", "Measure how good search, turns and learning are."),
    Listed(
        "serve",
        "Serving",
        "serving",
        "Serve memory to other programs over HTTP.",
    ),
    Listed("ui", "Serving", "ui", "Show the web UI of a server that runs elsewhere."),
    Listed("install", "Serving", "install", "Install Tacit in a coding CLI, or undo that."),
    Listed("mcp", "Serving", "mcp", "Offer memory to an agent as MCP tools."),
    Listed(
        "hook",
        "Serving",
        "hook",
        "Serve an event of a coding CLI; the CLI calls it, not you.",
    ),
    Listed(
        "daemon",
        "Serving",
        "daemon",
        "Run, show or stop the process behind the hooks.",
    ),
    Listed("demo", "Looking", "demo", "Show memory at work, on a throw-away database."),
)

LISTING = {listed.name: listed for listed in _LISTED}


@contextmanager
def _showing_what_was_typed() -> Iterator[None]:
    """Let a complaint of the parser show what could steer a terminal."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):
            from tacit.cli.visible import visible

            error.message = visible(getattr(error, "message", ""))  # type: ignore[attr-defined]
        raise


class Commands(TyperGroup):
    """Lists commands without loading them, and loads the one that is called."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for listed in LISTING.values():
            self.add_command(listed.stub())

    def make_context(self, *args: Any, **settings: Any) -> Any:
        """The context of a call; a complaint about it quotes what was typed."""
        with _showing_what_was_typed():
            return super().make_context(*args, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Call the command."""
        with _showing_what_was_typed():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that is called."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, LISTING[name].load() if name else command, rest
