"""The command `tacit profile`: what is known of a person, by kind."""

from typing import Annotated

import typer
from rich.text import Text

from tacit.cli import options as opt
from tacit.cli.output import (
    console,
    format_id,
    format_type,
    make_table,
    print_json,
    shorten,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.kinds import Trust
from tacit.core.memory import Memory
from tacit.core.profile import PROFILE_SECTIONS, Profile


def profile(
    user: Annotated[
        str | None, typer.Option(help="Of this user; else of the person without a name.")
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", help="At most this many of a kind, 1 to 1000.")
    ] = 10,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what is known of a person, by kind.

    Identity, rules, preferences, facts and open todos, each with who said it and when, the most
    important first. With --json there is also a text of all of it for a system prompt.
    """
    with opt.open_existing(db, workspace) as tacit:
        found = tacit.profile(user=user, limit=limit)
    if as_json:
        print_json(found.to_dict())
    elif found.memories:
        _print_profile(found)
    else:
        console().print(_explain_nothing(user), style="bright_black", markup=False)


def _print_profile(found: Profile) -> None:
    drawn = make_table("", "type", "content", "by", "said", "id")
    for section in PROFILE_SECTIONS:
        title = section.capitalize()
        for memory in getattr(found, section):
            drawn.add_row(
                Text(title, style="bold"),
                format_type(memory.type),
                _describe(memory),
                _describe_source(memory),
                memory.said_at.astimezone().date().isoformat(),
                format_id(memory.id),
            )
            title = ""
    console().print(drawn)


def _describe(memory: Memory) -> Text:
    line = Text(f"{escape_unseen(memory.key)}: " if memory.key else "", style="bold")
    return line.append(escape_unseen(shorten(memory.content)), style="not bold")


def _describe_source(memory: Memory) -> Text:
    """Who said it, and whether that is in doubt."""
    if memory.trust is Trust.TRUSTED:
        return Text(memory.source)
    return Text.assemble(memory.source, ("\n" + memory.trust, "yellow"))


def _explain_nothing(user: str | None) -> str:
    if user is None:
        return "Nothing is known of the person without a name; --user names one."
    return f"Nothing is known of {escape_unseen(user)}."


COMMANDS = {"profile": profile}
