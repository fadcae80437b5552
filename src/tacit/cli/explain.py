"""Commands that explain a turn: explain and last, with its block, candidates and cost."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.panel import Panel
from rich.text import Text

from tacit.api.tacit import Tacit
from tacit.cli import options as opt
from tacit.cli.options import read_messages
from tacit.cli.output import (
    SHORT_ID,
    TYPE_STYLES,
    console,
    draw_bar,
    format_id,
    format_time,
    make_table,
    notices,
    print_json,
    shorten,
)
from tacit.cli.project import list_all_places
from tacit.cli.terminal_text import escape_unseen
from tacit.core.episodes import Episode, EpisodeRole, is_episode_id
from tacit.core.errors import InvalidInput, NotFound
from tacit.core.memory import Memory
from tacit.core.receipt import SEARCHED, UNFIT, Candidate, CandidateSource, Fate, Receipt
from tacit.integrations.hooks.project import project_notice
from tacit.language.injection_blocks import join_blocks
from tacit.runtime.prompt_spool import SpooledPrompt
from tacit.settings.definition import SettingDefinition, SettingKind, check_setting, find_definition
from tacit.settings.injection import InjectionSettings
from tacit.turn.block import describe_trust

# How a turn is shown: its block, every candidate with its fate, and the cost


_CELLS = 5
_WIDE = 100
"""Terminals of so many columns have room for all figures of a candidate on one line."""

_OTHER_FATE_STYLE = "red"
_FATE_STYLES = {
    Fate.INJECTED: "green",
    Fate.BELOW_FLOOR: "bright_black",
    Fate.SEEN_IN_WINDOW: "yellow",
    Fate.SAME_BATCH: "yellow",
    Fate.SAME_CONTENT: "yellow",
    Fate.NEAR_DUPLICATE: "yellow",
    Fate.RESTATES_QUERY: "yellow",
    Fate.NOT_APPLICABLE: "bright_black",
}
_LINKS = {
    Fate.INJECTED: "with",
    Fate.CONFLICT_OMITTED: "with",
    Fate.SAME_CONTENT: "of",
    Fate.NEAR_DUPLICATE: "of",
}
_SIGNALS = {
    "dense": "meaning",
    "tokens": "token similarity",
    "lexical": "words",
    "neighbours": "around",
    "session": "session",
    "speaker": "speaker",
    "graph": "graph",
    "ranks": "ranks",
}


_PAGE = 50
_SCANNED_PAGES = 20
"""So many of the last turns are searched for one in a project."""


def last_receipt(tacit: Tacit, session: str | None = None) -> Receipt:
    """The receipt of the last committed turn."""
    found = tacit.turns.list(session=session, limit=1)
    if found:
        return found[0]
    if session is None:
        where = f"workspace {tacit.workspace.name!r}"
        raise NotFound(f"there was no turn in {where} yet; explain shows what one would be")
    raise NotFound(f"there was no turn in session {session!r}; tacit sessions lists the sessions")


def _find_last_in(tacit: Tacit, project: str) -> Receipt | None:
    """The receipt of the last turn in a project; None if there was none lately."""
    after = None
    for _ in range(_SCANNED_PAGES):
        page = tacit.turns.list(limit=_PAGE, after=after)
        for receipt in page:
            if receipt.project == project:
                return receipt
        if len(page) < _PAGE:
            break
        after = page[-1].id
    return None


def print_receipt(tacit: Tacit, receipt: Receipt, block: str | None, *, everything: bool) -> None:
    """Print block, candidates and figures; `everything` includes irrelevant candidates."""
    _print_block(receipt, block)
    near = [each for each in receipt.candidates if each.fate not in UNFIT]
    shown = receipt.candidates if everything else near
    if shown:
        _print_candidates(tacit, shown)
    hidden = len(receipt.candidates) - len(shown)
    if hidden:
        count = f"{hidden:,} {'candidate' if hidden == 1 else 'candidates'}"
        console().print(f"{count} not relevant; --all shows them", style="bright_black")
    if receipt.hint:
        console().print(escape_unseen(_to_sentence(receipt.hint)), style="yellow", markup=False)
    for line in _figure_lines(receipt):
        console().print(line)


def find_shown(tacit: Tacit, id: str) -> Memory | Episode | None:
    """The memory or the episode, unless it was forgotten or erased."""
    try:
        if not is_episode_id(id):
            return tacit.get(id)
        episode = tacit.episodes.get(id)
    except NotFound:
        return None
    return None if episode.forgotten else episode


def describe_shown(tacit: Tacit, id: str, found: Memory | Episode | None) -> Text:
    """What a memory or an episode says, or what became of it."""
    if found is None:
        return Text(f"({_why_missing(tacit, id)})", style="italic bright_black")
    return _describe_episode(found) if isinstance(found, Episode) else _describe_memory(found)


def _describe_episode(episode: Episode) -> Text:
    """The day on which something was said, by whom if not by a person, and the words."""
    who = "" if episode.role is EpisodeRole.USER else f", {episode.role}"
    line = Text(f"said {episode.at:%Y-%m-%d}{who}: ", style="bright_black")
    return line.append(escape_unseen(shorten(episode.text)), style="default")


def _describe_memory(memory: Memory) -> Text:
    """The type, key and words of a memory, and a doubt about them."""
    line = Text(f"{memory.type} ", style=TYPE_STYLES[memory.type])
    if memory.key:
        line.append(f"{escape_unseen(memory.key)}: ", style="bold")
    line.append(escape_unseen(shorten(memory.content)), style="default")
    doubt = describe_trust(memory.trust, memory.source)
    return line if doubt is None else line.append(f" ({doubt})", style="yellow")


def _why_missing(tacit: Tacit, id: str) -> str:
    try:
        tacit.memories.find_id(id)
    except NotFound:
        return "erased"
    return "forgotten"


def _print_block(receipt: Receipt, block: str | None) -> None:
    named = f"{'block' if len(receipt.blocks) == 1 else 'blocks'} {', '.join(receipt.blocks)}"
    if not receipt.blocks:
        console().print("Nothing to inject, so there is no block.", style="bright_black")
    elif not block:
        console().print(f"The words of {named} were erased.", style="bright_black")
    else:
        title = f"{named}, as the model sees {'it' if len(receipt.blocks) == 1 else 'them'}"
        console().print(
            Panel(Text(escape_unseen(block)), title=title, title_align="left", border_style="cyan")
        )


def _print_candidates(tacit: Tacit, candidates: Sequence[Candidate]) -> None:
    """Print what was considered, injected ones first: what it says, why, and how it was found."""
    strengths = [abs(each.signals.get(name, 0.0)) for each in candidates for name in _SIGNALS]
    most = max(strengths, default=0.0) or 1.0
    drawn = make_table("fate", "id", "content")
    for each in sorted(candidates, key=lambda each: each.fate is not Fate.INJECTED):
        drawn.add_row(
            Text(each.fate, style=_FATE_STYLES.get(each.fate, _OTHER_FATE_STYLE)),
            format_id(each.memory),
            Text("\n").join(_describe_candidate(tacit, each, most)),
        )
    console().print(drawn)


def _describe_candidate(tacit: Tacit, candidate: Candidate, most: float) -> Iterator[Text]:
    """What a candidate says; on lines of their own the reason for its fate, and its figures."""
    yield describe_shown(tacit, candidate.memory, find_shown(tacit, candidate.memory))
    link = _LINKS.get(candidate.fate, "by")
    other = f"{link} {candidate.by[-SHORT_ID:]}" if candidate.by else ""
    why = ": ".join(part for part in (other, candidate.note) if part)
    if why:
        yield Text(escape_unseen(why), style="italic bright_black")
    yield _describe_scores(candidate, most)


def _describe_scores(candidate: Candidate, most: float) -> Text:
    """How a candidate was found, with what a search gives: score, relevance and signals."""
    figures = [str(candidate.found)]
    if candidate.found in SEARCHED:
        figures.append(f"score {candidate.score:.3f}")
    is_standing = candidate.found is CandidateSource.STANDING
    if candidate.found in SEARCHED or (is_standing and candidate.relevance):
        figures.append(f"relevance {candidate.relevance:.2f}")
    bars = {
        label: draw_bar(candidate.signals.get(name, 0.0) / most, _CELLS)
        for name, label in _SIGNALS.items()
    }
    signals = [Text(f"{label} ").append(bar, style="cyan") for label, bar in bars.items() if bar]
    lines = [Text(" · ".join(figures)), Text(" · ").join(signals)]
    between = " · " if console().width >= _WIDE else "\n"
    whole = Text(between).join(line for line in lines if line)
    whole.stylize_before("bright_black")
    return whole


def _to_sentence(hint: str) -> str:
    return f"{hint[0].upper()}{hint[1:]}."


def _figure_lines(receipt: Receipt) -> Iterator[Text]:
    """What the turn injected, for what kind of request and at what cost, and what went wrong."""
    yield Text(receipt.headline)
    cost = f"{receipt.tokens:,} tokens, {receipt.characters:,} characters"
    yield Text(f"{receipt.kind} request · {cost}", style="bright_black")
    spent = [f"{name} {took:.1f}" for name, took in receipt.timings_ms.items() if name != "total"]
    if spent:
        yield Text(f"ms: {', '.join(spent)}", style="bright_black")
    if receipt.notes:
        yield Text(f"note: {escape_unseen('; '.join(receipt.notes))}")
    if receipt.degraded:
        yield Text(f"degraded: {escape_unseen('; '.join(receipt.degraded))}", style="yellow")


# The commands


_WAITING_SHOWN = 3
_DEADLINE_MS = 30_000
"""The process has just started: the model and the workspace are still to be loaded."""

Everything = Annotated[bool, typer.Option("--all", help="Show what is not relevant too.")]


def explain(
    text: Annotated[str, typer.Argument(help="What somebody would say.")],
    session: Annotated[str, typer.Option(help="The session it would be said in.")] = "default",
    agent: Annotated[str | None, typer.Option(help="The agent that would answer.")] = None,
    user: Annotated[str | None, typer.Option(help="Who would say it.")] = None,
    project: opt.ProjectName = None,
    no_project: opt.NoProject = False,
    org: Annotated[str | None, typer.Option(help="The organisation it belongs to.")] = None,
    history: Annotated[
        Path | None, typer.Option(help="A JSON file: the list of messages before it.")
    ] = None,
    assigned: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Change a setting for once; repeat."),
    ] = None,
    everything: Everything = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what a turn would inject, and why; nothing happens.

    It is said in the project of the current folder. Without a history, what the session was shown
    within its window is taken to be in view.
    """
    settings = {"deadline_ms": _DEADLINE_MS} | _settings(assigned or ())
    said_before = None if history is None else read_messages(history)
    with opt.open_existing(db, workspace, embeds=True) as tacit:
        place = opt.choose_project(tacit, project, no_project=no_project)
        who = {"agent": agent, "user": user, "project": place, "org": org}
        turn = tacit.preview(session=session, text=text, history=said_before, **who, **settings)
        if not as_json:
            opt.print_project(place, is_named=project is not None)
            print_receipt(tacit, turn.receipt, turn.block, everything=everything)
        else:
            print_json(turn.receipt.to_dict() | {"block_text": turn.block})


def last(
    session: Annotated[str | None, typer.Option(help="The last turn of this session.")] = None,
    project: opt.ProjectName = None,
    no_project: Annotated[
        bool, typer.Option("--no-project", help="The last turn of all, wherever it was.")
    ] = False,
    everything: Everything = False,
    as_json: opt.Json = False,
    db: opt.Db = None,
    workspace: opt.Workspace = "default",
) -> None:
    """Show what the last turn injected, and why.

    That is the last turn in the project of the current folder; if there was none, the last of all.
    """
    with opt.open_existing(db, workspace) as tacit:
        is_anywhere = no_project or (session is not None and project is None)
        place = opt.choose_project(tacit, project, no_project=is_anywhere)
        waiting = opt.prompt_spool(tacit).prompts(tacit.workspace.name, session)
        if not as_json:
            _print_waiting(waiting)
            if waiting and not tacit.turns.list(session=session, limit=1):
                return
        receipt = _choose_last(tacit, session, place, is_named=project is not None)
        if not as_json:
            if place is not None and receipt.project != place:
                _print_elsewhere(place)
            console().print(_heading(receipt))
            _print_notice(tacit, receipt)
        block = _block_text(tacit, receipt)
        if as_json:
            kept = {"waiting_prompts": [each.to_dict() for each in waiting]}
            print_json(receipt.to_dict() | {"block_text": block} | kept)
        else:
            print_receipt(tacit, receipt, block, everything=everything)


def _print_waiting(waiting: Sequence[SpooledPrompt]) -> None:
    """Say which prompts got no memory because a hook took too long, and what becomes of them."""
    for each in waiting[-_WAITING_SHOWN:]:
        when = f"the prompt of {format_time(each.at)} in session {each.session}"
        line = f"{each.client}: {when} got no memory: {each.cause}."
        notices().print(escape_unseen(line), style="yellow", markup=False, soft_wrap=True)
    if waiting:
        count = "It is" if len(waiting) == 1 else f"{len(waiting):,} such prompts are"
        rest = (
            "recorded with the next prompt of the session, or when the daemon has run for a minute."
        )
        notices().print(f"{count} {rest}", style="yellow", markup=False, soft_wrap=True)


def _choose_last(
    tacit: Tacit, session: str | None, project: str | None, *, is_named: bool
) -> Receipt:
    """The last turn in a project, or else the last of all, unless the project was named."""
    if session is not None and is_named:
        raise InvalidInput("session", "name a session or a project, not both")
    if session is not None or project is None:
        return last_receipt(tacit, session)
    found = _find_last_in(tacit, project)
    if found is not None:
        return found
    if is_named:
        raise NotFound(f"there was no turn in {project!r} lately; --no-project shows the last one")
    return last_receipt(tacit)


def _print_elsewhere(project: str) -> None:
    line = f"There was no turn in the project of this folder, {project}; this is the last of all."
    notices().print(escape_unseen(line), style="yellow", markup=False, soft_wrap=True)


def _print_notice(tacit: Tacit, receipt: Receipt) -> None:
    """Say that the folder of a turn could share the memory of a project that is known elsewhere."""
    for place in list_all_places(tacit):
        if place.project is None and receipt.project == place.checkout.own_project:
            notice = project_notice(tacit.projects.match(place.checkout), place.label)
            console().print(escape_unseen(notice), style="yellow", markup=False, soft_wrap=True)


def _block_text(tacit: Tacit, receipt: Receipt) -> str | None:
    """The words of a turn's blocks, which the session keeps."""
    if not receipt.blocks:
        return None
    kept = {each.id: each.placement.text for each in tacit.sessions.get(receipt.session).blocks}
    return join_blocks(text for id in receipt.blocks if (text := kept.get(id))) or None


def _heading(receipt: Receipt) -> Text:
    """When and where a turn was, the id to name it by, and what was said."""
    place = "in no project" if receipt.project is None else f"in project {receipt.project}"
    where = f"turn {receipt.turn} of session {receipt.session}, {place}, {format_time(receipt.at)}"
    line = Text(escape_unseen(where), style="bold")
    line.append(f"\nreceipt {receipt.id}\n", style="not bold bright_black")
    return line.append(escape_unseen(receipt.query), style="not bold italic")


def _settings(assigned: Iterable[str]) -> dict[str, Any]:
    """Settings out of name=value, each accepted by its definition."""
    settings = {}
    for written in assigned:
        name, equals, value = written.partition("=")
        if not equals:
            raise InvalidInput("set", f"{written!r} has no value; write search_limit=5")
        setting = find_definition(InjectionSettings, name.strip())
        accepted = check_setting(InjectionSettings, setting.name, _value(setting, value.strip()))
        settings[setting.name] = accepted
    return settings


def _value(setting: SettingDefinition, written: str) -> Any:
    """A value as a person writes it; what cannot be read is left to the check to refuse."""
    if setting.kind in (SettingKind.TYPES, SettingKind.SCOPES):
        return [name.strip() for name in written.split(",") if name.strip()]
    if setting.kind is SettingKind.CHOICE:
        return written
    try:
        return json.loads(written.lower())
    except (ValueError, RecursionError):
        return written


COMMANDS = {"explain": explain, "last": last}
