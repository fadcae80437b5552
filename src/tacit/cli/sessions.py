"""Commands on sessions: sessions, session, irrelevant."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Annotated

import typer
from rich.panel import Panel
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.explain import describe_shown, find_shown, last_receipt
from tacit.cli.options import read_messages
from tacit.cli.output import (
    SHORT_ID,
    console,
    format_id,
    format_time,
    make_table,
    notices,
    print_json,
    shorten,
)
from tacit.cli.terminal_text import escape_unseen
from tacit.core.episodes import Episode
from tacit.core.errors import InvalidInput
from tacit.core.kinds import Actor
from tacit.core.memory import Memory
from tacit.core.receipt import Receipt
from tacit.core.sessions import BlockState, LedgerEntry, ListedSession
from tacit.language.compaction import CompactionLevel
from tacit.search.duplicates import wording_hash
from tacit.turn.session_view import SessionReport

_STATE_STYLES = {
    BlockState.LIVE: "green",
    BlockState.PRUNED: "yellow",
    BlockState.DROPPED: "bright_black",
}


_WORDS_SHOWN = 60
_MOST_SEARCHED = 1_000
_MADE_UP = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SHORT = re.compile(rf"[0-9a-f]{{{SHORT_ID}}}", re.IGNORECASE)


class SessionAction(StrEnum):
    """What can be done with a session."""

    SHOW = "show"
    RESET = "reset"
    PAUSE = "pause"
    RESUME = "resume"
    FORK = "fork"
    COMPACT = "compact"
    END = "end"


def sessions(
    limit: opt.Limit = 50,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """List the sessions that were active last."""
    with opt.open_existing(db, workspace) as tacit:
        found = [_overview(tacit, each) for each in tacit.sessions.list(limit=limit)]
    if as_json:
        print_json([each.to_dict() for each in found])
        return
    if not found:
        console().print("There was no turn in this workspace yet.", style="bright_black")
        return
    drawn = make_table("id", "turns", "who", "project", "last active", "first words")
    for each in found:
        drawn.add_row(
            Text(escape_unseen(_short_id(each.id))),
            f"{each.turns:,}",
            Text(escape_unseen(", ".join(filter(None, (each.client, *each.speakers))))),
            Text(escape_unseen(PurePath(each.project or "").name)),
            Text(format_time(each.updated_at)).append(" paused" * each.is_paused, style="yellow"),
            Text(escape_unseen(_first_words(each.first_words)), style="italic"),
        )
    console().print(drawn)


@dataclass(frozen=True, slots=True, kw_only=True)
class _SessionOverview(ListedSession):
    """A session with the client and the project of its last turn, and the words of its first."""

    client: str | None = None
    project: str | None = None
    first_words: str = ""


def _overview(tacit: Tacit, session: ListedSession) -> _SessionOverview:
    own = {each.name: getattr(session, each.name) for each in fields(session)}
    if not (latest := tacit.turns.list(session=session.id, limit=1)):
        return _SessionOverview(**own)
    begun = tacit.turns.list(session=session.id, limit=1, after=_id_at(session.created_at))
    (last,), (first,) = latest, begun or latest
    return _SessionOverview(
        **own, client=last.agent, project=last.project, first_words=shorten(first.query)
    )


def _id_at(moment: datetime) -> str:
    """An id behind all of this millisecond; ids sort by time, and a first turn begins before it."""
    millisecond = f"{int(moment.timestamp() * 1_000):012x}"
    return f"{millisecond[:8]}-{millisecond[8:]}-7fff-bfff-{'f' * 12}"


def _first_words(text: str) -> str:
    return text if len(text) <= _WORDS_SHOWN else f"{text[:_WORDS_SHOWN].rstrip()}…"


def _short_id(id: str) -> str:
    """The end of an id that a client made up; names are shown whole."""
    return id[-SHORT_ID:] if _MADE_UP.fullmatch(id) else id


def _find_session(tacit: Tacit, id: str) -> str:
    """The whole id of a session whose short one was given, if there is one such session."""
    if not _SHORT.fullmatch(id):
        return id
    known = [each.id for each in tacit.sessions.list(limit=_MOST_SEARCHED)]
    found = [each for each in known if each == id or _short_id(each) == id.lower()]
    return found[0] if len(found) == 1 else id


def session(
    action: Annotated[
        SessionAction,
        typer.Argument(
            help="show: its turns and what it was shown; reset: let everything come again;"
            " pause: leave it alone; resume: serve it again; fork: begin a branch of it;"
            " compact: make room in its history; end: let the model read the rest of it."
        ),
    ],
    id: Annotated[str, typer.Argument(help="The session's id, as tacit sessions shows it.")],
    project: Annotated[
        bool, typer.Option("--project", help="ID is a project; to pause and resume.")
    ] = False,
    into: Annotated[str | None, typer.Option(help="The id of the branch; to fork.")] = None,
    history: Annotated[
        Path | None, typer.Option(help="A JSON file with the list of messages; to compact.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Where the new list goes, else to the output; to compact.")
    ] = None,
    level: Annotated[
        CompactionLevel | None,
        typer.Option(help=f"{', '.join(CompactionLevel)}; else by how full it is; to compact."),
    ] = None,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show a session, or reset, pause, fork, compact or end it."""
    if project and action not in (SessionAction.PAUSE, SessionAction.RESUME):
        raise InvalidInput("project", f"cannot {action} a project; name a session")
    if (into is None) == (action is SessionAction.FORK):
        raise InvalidInput("into", "names the branch of a fork; give it for fork, and only there")
    if (history is None) == (action is SessionAction.COMPACT):
        raise InvalidInput("history", "is what to compact; give it for compact, and only there")
    with opt.open_existing(db, workspace) as tacit:
        id = id if project else _find_session(tacit, id)
        if into is not None:
            _fork(tacit, id, into, as_json)
            return
        if history is not None:
            _compact(tacit, id, history, out, level, as_json)
            return
        _ACTIONS[action](tacit, "project" if project else "session", id, as_json)


def irrelevant(
    memory: opt.Id,
    receipt: Annotated[
        str | None, typer.Option(help="The turn's receipt; else that of the last turn.")
    ] = None,
    by: opt.By = Actor.USER,
    agent: Annotated[
        str | None, typer.Option(help="The agent that marks; not a person's, it counts there only.")
    ] = None,
    user: Annotated[
        str | None, typer.Option(help="The user in whose turns it counts; else in everybody's.")
    ] = None,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Say that a memory was of no use in a turn.

    It counts less from then on where something similar is said.
    """
    with opt.open_existing(db, workspace) as tacit:
        id = tacit.memories.find_id(memory)
        turn = last_receipt(tacit) if receipt is None else tacit.turns.get(receipt)
        tacit.turns.mark_irrelevant(turn.id, id, by=by, agent=agent, user=user)
    if as_json:
        print_json({"memory": id, "receipt": turn.id})
        return
    line = Text(f"{id[-SHORT_ID:]} counts less where something like this is said: ")
    console().print(line.append(escape_unseen(shorten(turn.query)), style="italic"), soft_wrap=True)


def _show(tacit: Tacit, _: str, id: str, as_json: bool) -> None:
    report = tacit.sessions.get(id)
    if as_json:
        print_json(report.to_dict())
        return
    console().print(_heading(report), soft_wrap=True)
    _print_turns(report)
    _print_ledger(tacit, report)


def _reset(tacit: Tacit, _: str, id: str, as_json: bool) -> None:
    tacit.sessions.get(id)  # a session that never was is a mistake, not one with nothing to clear
    reset = tacit.sessions.reset_memory_injection_tracking(id)
    if as_json:
        print_json(reset.to_dict())
        return
    memories = "memory" if reset.cleared == 1 else "memories"
    console().print(f"{reset.cleared:,} {memories} cleared; everything may come again")


def _fork(tacit: Tacit, id: str, into: str, as_json: bool) -> None:
    branch = tacit.sessions.fork(id, into)
    if as_json:
        print_json(branch.to_dict())
        return
    line = f"{escape_unseen(into)} is a branch of {escape_unseen(id)}, with a ledger of its own"
    console().print(line, markup=False)


def _compact(
    tacit: Tacit,
    id: str,
    history: Path,
    out: Path | None,
    level: CompactionLevel | None,
    as_json: bool,
) -> None:
    done = tacit.compact(session=id, history=read_messages(history), level=level)
    if out is not None:
        out.write_text(json.dumps(done.messages, ensure_ascii=False, indent=1) + "\n", "utf-8")
    if as_json:
        shown = {} if out is not None else {"messages": done.messages}
        print_json({**done.to_dict(), **shown})
        return
    if done.summary is not None:
        title = f"{done.dropped:,} messages, summed up"
        console().print(Panel(Text(escape_unseen(done.summary)), title=title, border_style="cyan"))
    for part in done.degraded:
        notices().print(f"degraded: {escape_unseen(part)}", style="yellow", markup=False)
    fewer = f"{done.tokens_before:,} to {done.tokens_after:,} tokens"
    freed = f"{done.released:,} memories may come again"
    console().print(f"{done.level}: {done.dropped:,} messages went, {fewer}; {freed}", markup=False)


def _pause(tacit: Tacit, kind: str, id: str, as_json: bool) -> None:
    tacit.sessions.pause(**{kind: id})
    _mark_paused(tacit, kind, id, is_paused=True)
    if as_json:
        print_json({kind: id, "paused": True})
        return
    console().print(
        f"{kind} {escape_unseen(id)} is paused: nothing is read for it and nothing is written",
        markup=False,
    )


def _resume(tacit: Tacit, kind: str, id: str, as_json: bool) -> None:
    was_paused = tacit.sessions.resume(**{kind: id})
    _mark_paused(tacit, kind, id, is_paused=False)
    if as_json:
        print_json({kind: id, "paused": False, "was_paused": was_paused})
        return
    state = "is served again" if was_paused else "was not paused"
    console().print(f"{kind} {escape_unseen(id)} {state}", markup=False)


def _mark_paused(tacit: Tacit, kind: str, id: str, *, is_paused: bool) -> None:
    """Have hooks know it before they next ask; without the mark they ask all the same."""
    if kind == "session":
        opt.prompt_spool(tacit).mark_paused(tacit.workspace.name, id, is_paused=is_paused)


def _end(tacit: Tacit, _: str, id: str, as_json: bool) -> None:
    tacit.sessions.get(
        id
    )  # a session that never was is a mistake, not one that has nothing to read
    waiting = tacit.end_session(id)
    if as_json:
        print_json({"session": id, "waiting": waiting})
        return
    turns = "1 turn waits" if waiting == 1 else f"{waiting:,} turns wait"
    rest = f"{turns} for the model; tacit learn has it read now" if waiting else "nothing waits"
    console().print(f"session {escape_unseen(id)} is over: {rest}", markup=False)


_ACTIONS: Mapping[SessionAction, Callable[[Tacit, str, str, bool], None]] = {
    SessionAction.SHOW: _show,
    SessionAction.RESET: _reset,
    SessionAction.PAUSE: _pause,
    SessionAction.RESUME: _resume,
    SessionAction.END: _end,
}


def _heading(report: SessionReport) -> Text:
    session = report.session
    turns = f"{session.turns:,} {'turn' if session.turns == 1 else 'turns'}"
    spoken = [", ".join(session.speakers)] if session.speakers else []
    line = Text(escape_unseen(f"session {session.id}"), style="bold")
    facts = "  " + ", ".join([turns, *spoken, f"last active {format_time(session.updated_at)}"])
    line.append(escape_unseen(facts), style="not bold bright_black")
    return line.append("  paused" if report.is_paused else "", style="not bold yellow")


def _print_turns(report: SessionReport) -> None:
    """The last turns as a timeline, oldest first."""
    if not report.receipts:
        return
    first = report.receipts[-1].turn
    if first > 1:
        console().print(f"turns before {first} are not shown", style="bright_black")
    states = {block.id: block.state for block in report.blocks}
    drawn = make_table("turn", "when", "injected", "block", "state", "content")
    for receipt in reversed(report.receipts):
        kept = [(id, states.get(id)) for id in receipt.blocks]
        drawn.add_row(
            str(receipt.turn),
            format_time(receipt.at),
            _describe_injected(receipt),
            "\n".join(receipt.blocks),
            Text("\n").join(
                Text(state, style=_STATE_STYLES[state]) if state else Text() for _, state in kept
            ),
            Text(escape_unseen(shorten(receipt.query))),
        )
    console().print(drawn)


def _describe_injected(receipt: Receipt) -> str:
    """How many memories a turn injected, or why it looked for none."""
    counts = [f"{count} {found}" for found, count in receipt.counts().items() if count]
    return " + ".join(counts) or (f"skipped ({receipt.skipped})" if receipt.skipped else "nothing")


def _print_ledger(tacit: Tacit, report: SessionReport) -> None:
    """What a session was shown, and whether each may be shown again."""
    entries = {entry.memory: entry for entry in report.ledger}
    drawn = make_table("id", "turn", "block", "again", "content", title="Shown")
    for entry in entries.values():
        found = find_shown(tacit, entry.memory)
        drawn.add_row(
            format_id(entry.memory),
            str(entry.turn),
            entry.block,
            _describe_return(entry, found),
            describe_shown(tacit, entry.memory, found),
        )
    if entries:
        console().print(drawn)


def _describe_return(entry: LedgerEntry, found: Memory | Episode | None) -> Text:
    """Whether something may come again: its block was taken out, or its words have changed."""
    if found is None:
        return Text("no", style="bright_black")
    words = found.text if isinstance(found, Episode) else found.content
    is_changed = wording_hash(words) != entry.content_hash
    may = entry.pruned_at is not None or is_changed
    return Text("may come", style="green") if may else Text("in view", style="bright_black")


COMMANDS = {"sessions": sessions, "session": session, "irrelevant": irrelevant}
