"""Checks of what a store holds: memories, projects, keys, workspace files, missing indexes."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from shlex import quote

from tacit.api.calls.projects import match_checkout
from tacit.api.configuration import load_configuration
from tacit.api.workspace_files import FilesLocation, files_beside, files_of_server, read_files_owner
from tacit.cli.doctor.configuration import load_settings
from tacit.cli.doctor.findings import DoctorFinding, Installation, ok_finding, warning_finding
from tacit.cli.doctor.store_access import (
    MOST_WORKSPACES,
    StoreState,
    format_names,
    open_store_unchanged,
    store_place,
    store_state,
    workspaces_to_check,
)
from tacit.cli.output import format_count
from tacit.core.keys import Key
from tacit.core.kinds import Scope, State
from tacit.core.open_turn import QueueStage
from tacit.core.projects import ProjectPlace
from tacit.integrations.hooks.project import project_notice
from tacit.runtime.clock import system_clock
from tacit.runtime.files import default_database_path
from tacit.store.location import is_url
from tacit.store.protocols.store import UnitOfWork
from tacit.store.query import Query
from tacit.store.workspaces import episodes_workspace

# Files of the workspaces: chat logs, summaries, directives and documents


def check_files(installation: Installation) -> Iterator[DoctorFinding]:
    """Where they are, and whether a former folder of them belongs to a database that is gone."""
    database = installation.db or default_database_path()
    settings = load_configuration(installation.config, database=database)
    if settings.grounding.workspaces_folder:
        return
    place = _files_place(installation)
    if place is None or not place.former.is_dir():
        return
    owner = read_files_owner(place.former)
    if owner is None or owner == place.name:
        return
    found = f"{place.former} has the files of {owner}; those of this database are in {place.own}"
    if _has_files(place.parent, owner):
        yield ok_finding("files", found)
        return
    move = f"mv {_quote_path(place.former)} {_quote_path(place.own)}"
    mend = f"if this database was called {owner} before, run: {move}"
    yield warning_finding("files", f"{found}, and {owner} is not there", mend)


def _files_place(installation: Installation) -> FilesLocation | None:
    place = store_place(installation)
    if not is_url(place):
        return files_beside(Path(place)) if Path(place).is_file() else None
    with open_store_unchanged(installation) as store:
        return None if store is None else files_of_server(str(store.describe()["identity"]))


def _has_files(folder: Path, owner: str) -> bool:
    """Whether the database is there; one on a server may be."""
    return owner.startswith("postgresql-") or (folder / owner).exists()


def _quote_path(path: Path) -> str:
    return quote(str(path))


# Large workspaces of a server without their index


def check_indexes(installation: Installation) -> Iterator[DoctorFinding]:
    """Those that are searched in memory though they have outgrown it."""
    place = store_place(installation)
    if not is_url(place) or store_state(place) is not StoreState.READY:
        return
    from tacit.cli.doctor.postgres import workspaces_without_index

    resident = load_settings(installation).postgres.resident_memories
    if names := workspaces_without_index(place, resident, MOST_WORKSPACES):
        yield warning_finding(
            "indexes",
            f"{format_count(len(names), 'workspace')} beyond {resident:,} memories without an"
            f" index, or with one that is out of date: {format_names(names)}",
            "search in them, and it is made beside that; if it stays so, see the log",
        )


# Keys


def check_keys(installation: Installation) -> Iterator[DoctorFinding]:
    """How many keys are in use; agents' keys that an upgrade left speaking for users."""
    with open_store_unchanged(installation) as store:
        keys = [] if store is None else store.keys().all()
    in_use = [key for key in keys if key.revoked_at is None]
    if in_use:
        yield ok_finding("keys", f"{len(in_use):,} key{'' if len(in_use) == 1 else 's'} in use")
    for key in in_use:
        if key.speaks_by_upgrade:
            yield warning_finding(
                "keys",
                f"what agent {key.agent} sends with key {key.name} counts as a person's words,"
                " as it did before an upgrade",
                f"make another and use it: {_command(key)}; add --speaks-for-users if people type"
                f" what it sends; then: tacit keys revoke {key.id}",
            )


def _command(key: Key) -> str:
    """The command that creates the same key for an agent."""
    where = "--every-workspace" if key.workspace is None else f"--workspace {quote(key.workspace)}"
    user = "" if key.user is None else f" --user {quote(key.user)}"
    name, agent = quote(f"{key.name} 2"), quote(key.agent or "")
    return f"tacit keys add {name} --role {key.role} {where} --agent {agent}{user}"


# Memories


_MOST_UNREAD = 100
_SESSIONS_READ = 50
"""How many of the last sessions are searched for named users."""


def check_memories(installation: Installation) -> Iterator[DoctorFinding]:
    """How many workspaces, memories and episodes there are, what waits, what has no owner."""
    now = system_clock()
    live = every = reviews = episodes = 0
    unread: list[DoctorFinding] = []
    unowned: list[DoctorFinding] = []
    with open_store_unchanged(installation) as store:
        if store is None:
            return
        names, told = workspaces_to_check(store)
        for name in names:
            with store.read(name) as unit:
                counts = unit.counts(now)
                unowned += _check_unowned(unit, name, now)
                unread += _check_unread(unit)
            live += counts.by_state.get(State.LIVE, 0)
            every += sum(counts.by_state.values())
            reviews += counts.reviews
            with store.read(episodes_workspace(name)) as unit:
                episodes += unit.memories.total(Query(now=now, state=None))
    said = "" if not episodes else f", and {format_count(episodes, 'episode')}"
    waiting = "" if not reviews else f"; {format_count(reviews, 'review')} waiting for a person"
    yield ok_finding(
        "memories", f"{format_count(every, 'memory')}, {live:,} live{said}, in {told}{waiting}"
    )
    yield from unowned
    yield from unread


def _check_unread(unit: UnitOfWork) -> Iterator[DoctorFinding]:
    """Turns that were set aside, since they could not be read."""
    turns = unit.heard.at_stage(QueueStage.SET_ASIDE, _MOST_UNREAD)
    if not turns:
        return
    count = format_count(len(turns), "turn")
    more = " or more" if len(turns) == _MOST_UNREAD else ""
    where = "" if unit.workspace == "default" else f" --workspace {quote(unit.workspace)}"
    yield warning_finding(
        "learning",
        f"{count}{more} could not be read after three tries, in workspace {unit.workspace}:"
        f" {turns[-1].problem}",
        f"see tacit learn --unread{where}; read one again with --retry ID, or drop it with"
        " --drop ID",
    )


def _check_unowned(unit: UnitOfWork, workspace: str, now: datetime) -> Iterator[DoctorFinding]:
    """Memories that belong to no user, in a workspace whose users have names and miss them."""
    count = unit.memories.total(Query(now=now, scope=Scope.USER, scope_id=""))
    if not count:
        return
    others = unit.memories.total(Query(now=now, scope=Scope.USER)) - count
    recent = unit.sessions.recent(_SESSIONS_READ, None)
    if others or any(name for session in recent for name in session.speakers):
        belong, them = ("belongs", "it") if count == 1 else ("belong", "them")
        memories = format_count(count, "memory")
        found = f"{memories} {belong} to no user, so no user with a name sees {them}"
        where = "" if workspace == "default" else f" --workspace {quote(workspace)}"
        yield warning_finding(
            "memories",
            f"{found} ({others:,} have an owner), in workspace {workspace}",
            f"give {them} an owner: tacit assign --user NAME{where}",
        )


# Projects


_MOST_CHECKOUTS = 1_000
"""How many checkouts of a workspace are checked."""


def check_projects(installation: Installation) -> Iterator[DoctorFinding]:
    """How many places there are, and which of them wait for a person to decide."""
    with open_store_unchanged(installation) as store:
        if store is None:
            return
        waiting: list[DoctorFinding] = []
        count = 0
        for name in workspaces_to_check(store)[0]:
            with store.read(name) as unit:
                places = unit.places.scan(None, _MOST_CHECKOUTS)
                waiting += [
                    finding
                    for place in places
                    if place.project is None
                    for finding in _check_offered_project(unit, place)
                ]
            count += len(places)
    if count:
        yield ok_finding("projects", f"{format_count(count, 'checkout')} known")
    yield from waiting


def _check_offered_project(unit: UnitOfWork, place: ProjectPlace) -> Iterator[DoctorFinding]:
    match, _ = match_checkout(unit, place.checkout, system_clock())
    if match.offered is not None:
        found, _, _ = project_notice(match, place.label).partition(" It has")
        option = "" if unit.workspace == "default" else f" --workspace {quote(unit.workspace)}"
        mend = (
            f"in that folder run: tacit project join{option} (or tacit project leave, to keep it"
            " apart)"
        )
        yield warning_finding("projects", found.removesuffix("."), mend)
