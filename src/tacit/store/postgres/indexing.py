"""Workspaces that outgrew memory: indexes of their own, and a census of what they hold.

An index over everybody's vectors finds little for one tenant among many; one that holds a single
workspace has no such trouble, and the thousands of small workspaces cost no index at all.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from psycopg import sql

from tacit.store.postgres.connections import Connection
from tacit.store.sql.statements import statements

MOST_CHANGED = 0.2
"""A census is taken again when so large a share of the memories has changed since."""

_INDEXING_LOCK = 0x54434958
_SQL = statements(__package__, "census")
_CENSUS = ("clear", "clear_lexicon", "clear_sessions", "take_lexicon", "take_sessions", "take")
_BY_MEANING = sql.SQL(
    "CREATE INDEX CONCURRENTLY {name} ON {table}"
    " USING hnsw ((vector::halfvec({dims})) halfvec_cosine_ops)"
    " WITH (m = 24, ef_construction = 200)"
    " WHERE workspace = {workspace} AND model = {model}"
)
_BY_WORDS = sql.SQL(
    "CREATE INDEX CONCURRENTLY {name} ON {table} USING gin (terms) WHERE workspace = {workspace}"
)

Telling = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Model:
    """The model whose vectors are indexed."""

    number: int
    dims: int


def needs_indexing(connection: Connection, workspace: int, resident: int) -> bool:
    """Whether a workspace has outgrown memory, or changed much since it was last counted."""
    (size,) = _row(connection, "memories_up_to", workspace, limit=resident + 1)
    if size <= resident:
        return False
    census = connection.execute(_SQL["get"], {"workspace": workspace, "model": None}).fetchone()
    if census is None:
        return True
    revision, documents = census[:2]
    most = int(MOST_CHANGED * documents) + 1
    (changed,) = _row(connection, "changed_since", workspace, revision=revision, limit=most)
    return bool(changed >= most)


def has_unseen(connection: Connection, workspace: int) -> bool:
    """Whether parts of tables have grown much since the planner looked at them."""
    return bool(connection.execute(_SQL["unseen"], {"workspace": workspace}).fetchone())


def look_again(connection: Connection, workspace: int) -> None:
    """Let the planner see what came at once, before the server's own rounds bring it there."""
    for (table,) in connection.execute(_SQL["unseen"], {"workspace": workspace}).fetchall():
        connection.execute(sql.SQL("ANALYZE {}").format(sql.Identifier(*table.split("."))))


def index(connection: Connection, workspace: int, tell: Telling = lambda _: None) -> bool:
    """Make what is missing and take a census; False if another process is at it.

    Writers and readers go on meanwhile. What a kill leaves unfinished is made again.
    """
    lock = {"lock": _INDEXING_LOCK, "workspace": workspace}
    (mine,) = connection.execute(
        "SELECT pg_try_advisory_lock(%(lock)s # %(workspace)s)", lock
    ).fetchone() or (False,)
    if not mine:
        return False
    try:
        model = _main_model(connection, workspace)
        tell("words")
        _add(connection, _BY_WORDS, "tacit.texts", f"words_{_hex(workspace)}", workspace, model)
        tell("vectors")
        name = f"meaning_{_hex(workspace)}_{model.number}"
        _add(connection, _BY_MEANING, "tacit.vectors", name, workspace, model)
        _drop_others(connection, workspace, name)
        tell("census")
        _count(connection, workspace, model)
    finally:
        connection.execute("SELECT pg_advisory_unlock(%(lock)s # %(workspace)s)", lock)
    return True


def _count(connection: Connection, workspace: int, model: Model) -> None:
    """Take the census in one transaction: those who search see the old one or the new one.

    An erasure waits for it, and it for erasures: no word that was erased meanwhile is counted.
    """
    values = {"workspace": workspace, "model": model.number}
    connection.execute(_SQL["lock"], values)
    try:
        with connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            for step in _CENSUS:
                connection.execute(_SQL[step], values)
    finally:
        connection.execute(_SQL["unlock"], values)
    for table in ("texts", "vectors", "memories", "lexicon", "session_lengths"):
        connection.execute(f"ANALYZE tacit.{table}")


def _add(
    connection: Connection, made: sql.SQL, table: str, name: str, workspace: int, model: Model
) -> None:
    """Make an index on the partition that holds the workspace, unless it is there and whole."""
    valid = connection.execute(_SQL["index_validity"], {"name": name}).fetchone()
    if valid == (True,):
        return
    if valid is not None:
        _drop(connection, name)
    where = _SQL["partition"].replace("{table}", table)
    found = connection.execute(where, {"workspace": workspace}).fetchone()
    if found is None:
        return
    connection.execute(
        made.format(
            name=sql.Identifier(name),
            table=sql.Identifier(*found[0].split(".")),
            workspace=sql.Literal(workspace),
            model=sql.Literal(model.number),
            dims=sql.Literal(model.dims),
        )
    )


def _drop_others(connection: Connection, workspace: int, kept: str) -> None:
    """Remove indexes of models that the workspace had before."""
    pattern = f"meaning\\_{_hex(workspace)}\\_%"
    rows = connection.execute(_SQL["indexes_like"], {"pattern": pattern}).fetchall()
    for (name,) in rows:
        if name != kept:
            _drop(connection, name)


def _drop(connection: Connection, name: str) -> None:
    connection.execute(sql.SQL("DROP INDEX CONCURRENTLY {}").format(sql.Identifier("tacit", name)))


def _main_model(connection: Connection, workspace: int) -> Model:
    row = connection.execute(_SQL["main_model"], {"workspace": workspace}).fetchone()
    return Model(*row) if row else Model(0, 1)


def _row(connection: Connection, name: str, workspace: int, **values: int) -> tuple[int]:
    row = connection.execute(_SQL[name], {"workspace": workspace, **values}).fetchone()
    return cast(tuple[int], row or (0,))


def _hex(workspace: int) -> str:
    return f"{workspace & 0xFFFFFFFFFFFFFFFF:016x}"
