"""Changes that wait for a person, in SQLite."""

from tacit.store.sql.reviews import SqlReviews
from tacit.store.sqlite.table import Table


class SqliteReviews(SqlReviews, Table):
    """The queue of one workspace."""
