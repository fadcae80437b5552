"""The command on keys: add, list, revoke."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer
from rich.text import Text

from tacit.api.calls.administration import Keyring
from tacit.api.configuration import load_configuration
from tacit.cli import options as opt
from tacit.cli.output import console, format_time, make_table, notices, print_json
from tacit.cli.terminal_text import escape_unseen
from tacit.core.errors import InvalidInput, NotFound, StoreUnavailable
from tacit.core.keys import Key, Role
from tacit.runtime.clock import system_clock
from tacit.runtime.files import default_database_path
from tacit.store.backends import open_store, store_exists
from tacit.store.location import is_url
from tacit.store.protocols.store import Store

_ROLE_STYLES = {Role.READ: "green", Role.WRITE: "yellow", Role.ADMIN: "red"}


class KeysAction(StrEnum):
    """What can be done with keys."""

    ADD = "add"
    LIST = "list"
    REVOKE = "revoke"


@dataclass(frozen=True, slots=True, kw_only=True)
class _KeysOptions:
    """What the command line says besides the action."""

    word: str | None
    workspace: str | None
    everywhere: bool
    role: Role | None
    agent: str | None
    user: str | None
    speaks_for_users: bool
    as_json: bool

    @property
    def is_about_a_new_one(self) -> bool:
        binding = self.agent or self.user or self.speaks_for_users
        return bool(self.workspace or self.everywhere or self.role or binding)


def keys(
    action: Annotated[
        KeysAction,
        typer.Argument(
            help="add NAME: make a key and show its token, once; list: all keys;"
            " revoke ID or NAME: end one."
        ),
    ],
    word: Annotated[
        str | None, typer.Argument(metavar="WORD", help="The name, or the id to revoke.")
    ] = None,
    role: Annotated[
        Role | None,
        typer.Option(metavar="ROLE", help=f"{', '.join(Role)}; to add."),
    ] = None,
    agent: Annotated[
        str | None, typer.Option(help="Whoever holds it acts as this agent; to add.")
    ] = None,
    user: Annotated[str | None, typer.Option(help="The key is bound to this user; to add.")] = None,
    speaks_for_users: Annotated[
        bool,
        typer.Option(
            "--speaks-for-users",
            help="What this agent sends as a person's words is a person's; to add.",
        ),
    ] = False,
    everywhere: Annotated[
        bool, typer.Option("--every-workspace", help="It opens every workspace; to add.")
    ] = False,
    workspace: Annotated[
        str | None,
        typer.Option("--workspace", "-w", help="The tenant that it opens; to add."),
    ] = None,
    as_json: opt.Json = False,
    db: opt.Db = None,
) -> None:
    """Make, list or revoke the keys to a store.

    A token is shown when its key is made and never again: only a digest of it is kept.
    """
    asked = _KeysOptions(
        word=word,
        workspace=workspace,
        everywhere=everywhere,
        role=role,
        agent=agent,
        user=user,
        speaks_for_users=speaks_for_users,
        as_json=as_json,
    )
    _refuse_needless(action, asked)
    with closing(_open_store(db, is_made=action is KeysAction.ADD)) as store:
        _ACTIONS[action](Keyring(store, system_clock), asked)


def _refuse_needless(action: KeysAction, asked: _KeysOptions) -> None:
    if (asked.word is None) != (action is KeysAction.LIST):
        raise InvalidInput("keys", f"write: tacit keys {action}{_WORDS[action]}")
    if action is not KeysAction.ADD and asked.is_about_a_new_one:
        problem = "--role, --agent, --user and the other options of a new key are for add"
        raise InvalidInput("keys", f"{problem}; write: tacit keys {action}{_WORDS[action]}")
    if asked.workspace is not None and asked.everywhere:
        raise InvalidInput("workspace", "give --workspace or --every-workspace, not both")


def _open_store(db: str | None, *, is_made: bool) -> Store:
    place = default_database_path() if db is None else db
    if not is_made and not store_exists(place):
        named = "the database" if is_url(place) else place
        raise StoreUnavailable(
            f"{named}: there are no keys; check its name, or begin with: tacit keys add"
        )
    return open_store(place, load_configuration(None, database=place).postgres)


def _add(kept: Keyring, asked: _KeysOptions) -> None:
    if asked.role is None:
        raise InvalidInput("role", f"say what the key allows: --role {' or '.join(Role)}")
    key, token = kept.add(
        asked.word or "",
        asked.role,
        workspace=None if asked.everywhere else _workspace(asked),
        agent=asked.agent,
        user=asked.user,
        speaks_for_users=asked.speaks_for_users,
    )
    if asked.as_json:
        print_json(key.to_dict() | {"token": token})
        return
    notices().print(f"Key {key.id} may {_describe_key(key)}.", markup=False, soft_wrap=True)
    console().print(token, markup=False, soft_wrap=True)
    notices().print("Keep the token now: it cannot be shown again.", style="yellow")


def _workspace(asked: _KeysOptions) -> str:
    return asked.workspace or os.environ.get("TACIT_WORKSPACE") or "default"


def _describe_key(key: Key) -> str:
    where = "in every workspace" if key.workspace is None else f"in workspace {key.workspace}"
    acting = "" if key.agent is None else f", as agent {key.agent}"
    speaking = ", speaks for users" if key.agent is not None and key.speaks_for_users else ""
    bound = "" if key.user is None else f", bound to user {key.user}"
    return escape_unseen(f"{_DEEDS[key.role]} {where}{acting}{speaking}{bound}")


def _list(kept: Keyring, asked: _KeysOptions) -> None:
    found = kept.list()
    if asked.as_json:
        print_json([key.to_dict() for key in found])
        return
    if not found:
        console().print("There are no keys; make one with: tacit keys add", style="bright_black")
        return
    drawn = make_table(
        "id", "name", "role", "workspace", "agent", "user", "speaks", "made", "revoked"
    )
    for key in found:
        drawn.add_row(
            Text(key.id, style="bright_black"),
            Text(escape_unseen(key.name), style="strike" if key.revoked_at else ""),
            Text(key.role, style=_ROLE_STYLES[key.role]),
            Text("every" if key.workspace is None else escape_unseen(key.workspace)),
            Text(escape_unseen(key.agent or "")),
            Text(escape_unseen(key.user or "")),
            Text("for users" if key.agent and key.speaks_for_users else ""),
            format_time(key.created_at),
            format_time(key.revoked_at),
        )
    console().print(drawn)


def _revoke(kept: Keyring, asked: _KeysOptions) -> None:
    key = _find_key(kept.list(), asked.word or "")
    was_in_use = key.revoked_at is None
    if was_in_use:
        kept.revoke(key.id)
    if asked.as_json:
        print_json({"id": key.id, "name": key.name, "revoked": was_in_use})
        return
    told = "is revoked" if was_in_use else "was revoked before"
    console().print(
        f"Key {key.id} ({escape_unseen(key.name)}) {told}.", markup=False, soft_wrap=True
    )


def _find_key(keys: Sequence[Key], word: str) -> Key:
    """The key with this id, else the one in use with this name, else the last that had it."""
    meant = [key for key in keys if key.id == word] or [key for key in keys if key.name == word]
    in_use = [key for key in meant if key.revoked_at is None]
    if not meant:
        raise NotFound(f"there is no key {word!r}; see: tacit keys list")
    return (in_use or meant)[-1]


_DEEDS = {
    Role.READ: "read",
    Role.WRITE: "read and write",
    Role.ADMIN: "do everything",
}

_WORDS: Mapping[KeysAction, str] = {
    KeysAction.ADD: " NAME --role ROLE",
    KeysAction.LIST: "",
    KeysAction.REVOKE: " ID, or: tacit keys revoke NAME",
}

_ACTIONS: Mapping[KeysAction, Callable[[Keyring, _KeysOptions], None]] = {
    KeysAction.ADD: _add,
    KeysAction.LIST: _list,
    KeysAction.REVOKE: _revoke,
}

COMMANDS = {"keys": keys}
