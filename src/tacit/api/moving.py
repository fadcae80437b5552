"""Moving everything from one store to another."""

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from tacit.api.configuration import configured
from tacit.core.errors import InvalidInput, StoreUnavailable
from tacit.store.location import is_url
from tacit.store.opening import exists, open_store
from tacit.store.protocols.store import Store
from tacit.writing.archive.move import MoveReport, move_workspaces, select_workspaces

_IN_MEMORY = ":memory:"


def migrate(
    source: str | Path,
    target: str | Path,
    *,
    workspaces: Iterable[str] | None = None,
    config: Path | str | None = None,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> MoveReport:
    """Copy everything that a store holds into another, as it is, and compare both sides.

    Stores are named as for `Tacit.open`; all workspaces go, or those that are named. After an
    interruption it is just run again. Nothing that the target has is ever changed: where it has
    something else under the same id, or the same statement under another, the move is refused
    (`MoveRefused`) before anything is written. `progress` hears of the stage, what is done and
    what there is to do, 0 where that is not known.
    """
    _refuse_fleeting(source, target)
    _refuse_nothing(source)
    settings = configured(config).postgres
    with closing(open_store(source, settings)) as here:
        names = select_workspaces(here, workspaces)
        with closing(open_store(target, settings)) as there:
            _refuse_same(here, there)
            moved = move_workspaces(here, there, names, progress=progress)
            return MoveReport(source=_place(here), target=_place(there), workspaces=moved)


def _refuse_fleeting(source: str | Path, target: str | Path) -> None:
    for field, location in (("source", source), ("target", target)):
        if str(location) == _IN_MEMORY:
            problem = "lasts as long as the process; give a file or postgresql://user@host/database"
            raise InvalidInput(field, f"{_IN_MEMORY} {problem}")


def _refuse_nothing(source: str | Path) -> None:
    """A source is never made."""
    if not exists(source):
        place = "the database" if is_url(source) else source
        raise StoreUnavailable(f"{place}: there are no memories to move from; check its name")


def _refuse_same(here: Store, there: Store) -> None:
    """A file may have several paths, and a database several URLs."""
    one, other = Path(_place(here)), Path(_place(there))
    identity = here.describe().get("identity")
    is_one = identity is not None and identity == there.describe().get("identity")
    if is_one or one == other or (one.exists() and other.exists() and one.samefile(other)):
        raise InvalidInput("target", "is the same store as the source; name another place")


def _place(store: Store) -> str:
    """Where a store is, without its password."""
    return str(store.describe()["path"])
