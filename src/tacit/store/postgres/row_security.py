"""Row-level security: the server itself hides the rows of other workspaces."""

from psycopg import sql

from tacit.core.errors import StoreUnavailable
from tacit.store.postgres.connections import Connection, PostgresAddress
from tacit.store.sql.table import load_queries

_SCHEMA_QUERIES = load_queries(__package__, "schema")
_POLICY = sql.SQL(
    "CREATE POLICY own_workspace ON {} USING"
    " (workspace = nullif(current_setting('tacit.workspace', true), '')::bigint)"
)


def add_policies(connection: Connection) -> None:
    """Add to every table the policy of its rows; it holds once row-level security is enabled."""
    for table, _, has_policy in connection.execute(_SCHEMA_QUERIES["row_security"]).fetchall():
        if not has_policy:
            connection.execute(_POLICY.format(sql.Identifier("tacit", table)))


def reject_superuser(address: PostgresAddress, connection: Connection) -> None:
    """Refuse a role that bypasses row-level security."""
    if bypasses_row_security(connection):
        raise StoreUnavailable(
            f"{address}: row_security does not hold for a superuser or a role with BYPASSRLS;"
            " connect as an ordinary role that owns the schema tacit"
        )


def bypasses_row_security(connection: Connection) -> bool:
    """Whether row-level security does not hold for this role."""
    return connection.execute(_SCHEMA_QUERIES["bypasses_row_security"]).fetchone() == (True,)


def enable_row_security(connection: Connection) -> None:
    """Hide other workspaces' rows from every role, including the owner of the tables."""
    if is_row_security_enabled(connection):
        return
    with connection.transaction():
        for table, _, _ in connection.execute(_SCHEMA_QUERIES["row_security"]).fetchall():
            name = sql.Identifier("tacit", table)
            connection.execute(sql.SQL("ALTER TABLE {} ENABLE ROW LEVEL SECURITY").format(name))
            connection.execute(sql.SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY").format(name))


def is_row_security_enabled(connection: Connection) -> bool:
    """Whether every table hides other workspaces' rows."""
    return all(
        is_enabled
        for _, is_enabled, _ in connection.execute(_SCHEMA_QUERIES["row_security"]).fetchall()
    )
