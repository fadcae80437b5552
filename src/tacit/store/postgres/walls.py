"""The second wall between tenants: the server itself hides the rows of other workspaces."""

from psycopg import sql

from tacit.core.errors import StoreUnavailable
from tacit.store.postgres.address import Address
from tacit.store.postgres.connections import Connection
from tacit.store.sql.statements import statements

_SQL = statements(__package__, "schema")
_POLICY = sql.SQL(
    "CREATE POLICY own_workspace ON {} USING"
    " (workspace = nullif(current_setting('tacit.workspace', true), '')::bigint)"
)


def add_policies(connection: Connection) -> None:
    """Say of every table which rows a transaction may see; that holds once the wall is built."""
    for table, _, has_policy in connection.execute(_SQL["walls"]).fetchall():
        if not has_policy:
            connection.execute(_POLICY.format(sql.Identifier("tacit", table)))


def refuse_the_almighty(address: Address, connection: Connection) -> None:
    """A superuser sees through every wall, so there is none for it to stand behind."""
    if is_almighty(connection):
        raise StoreUnavailable(
            f"{address}: row_security does not hold for a superuser or a role with BYPASSRLS;"
            " connect as an ordinary role that owns the schema tacit"
        )


def is_almighty(connection: Connection) -> bool:
    """Whether row-level security does not hold for this role."""
    return connection.execute(_SQL["almighty"]).fetchone() == (True,)


def build_walls(connection: Connection) -> None:
    """Hide other workspaces' rows from every role, the tables' owner included."""
    if are_built(connection):
        return
    with connection.transaction():
        for table, _, _ in connection.execute(_SQL["walls"]).fetchall():
            name = sql.Identifier("tacit", table)
            connection.execute(sql.SQL("ALTER TABLE {} ENABLE ROW LEVEL SECURITY").format(name))
            connection.execute(sql.SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY").format(name))


def are_built(connection: Connection) -> bool:
    """Whether every table hides other workspaces' rows."""
    return all(is_built for _, is_built, _ in connection.execute(_SQL["walls"]).fetchall())
