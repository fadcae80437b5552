"""Keys, which a whole store has: each goes with the workspace that it opens."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from tacit.core.errors import MoveRefused
from tacit.core.keys import Key
from tacit.store.protocols.store import Store
from tacit.writing.archive.moving.tally import Compared, Copied, Tally

Belongs: TypeAlias = Callable[[Key], bool]


def keys_of(workspace: str) -> Belongs:
    """The keys that open this workspace and no other."""
    return lambda key: key.workspace == workspace


def keys_beside(workspaces: Iterable[str]) -> Belongs:
    """The keys that open every workspace, or one that nobody has written to."""
    known = frozenset(workspaces)
    return lambda key: key.workspace not in known


def chosen_keys(store: Store, belongs: Belongs) -> list[Key]:
    """Those keys of a store, oldest first."""
    return [key for key in store.keys().all() if belongs(key)]


def refuse_other_keys(source: Store, target: Store, belongs: Belongs) -> None:
    """No key at the target may stand in the way: with the same id, or in use with the same name."""
    there = _by_id(target)
    names = {key.name: key.id for key in there.values() if key.revoked_at is None}
    for key in chosen_keys(source, belongs):
        if there.get(key.id, key) != key:
            raise MoveRefused(
                f"key {key.id} ({key.name}) is at the target already and differs. Nothing there"
                " was changed; revoke it on both sides, or move into an empty place"
            )
        if key.revoked_at is None and names.get(key.name, key.id) != key.id:
            raise MoveRefused(
                f"another key named {key.name!r} is in use at the target; revoke one of the two:"
                f" tacit keys revoke {key.id}"
            )


def move_keys(source: Store, target: Store, belongs: Belongs) -> Compared:
    """Copy keys as they are, and read both sides again."""
    keys, there = chosen_keys(source, belongs), _by_id(target)
    missing = [key for key in keys if key.id not in there]
    for key in missing:
        target.keys().add(key)
    here, there = chosen_keys(source, belongs), _by_id(target)
    arrived = [there[key.id] for key in here if key.id in there]
    return Compared("keys", Copied(_tally(keys), len(missing)), _tally(here), _tally(arrived))


def _by_id(store: Store) -> dict[str, Key]:
    return {key.id: key for key in store.keys().all()}


def _tally(keys: Sequence[Key]) -> Tally:
    tally = Tally()
    for key in keys:
        unseen = {"digest": key.digest.hex(), "speaks_by_upgrade": key.speaks_by_upgrade}
        values = {**key.to_dict(), **unseen}
        tally.add(json.dumps(values, ensure_ascii=False, sort_keys=True).encode())
    return tally
