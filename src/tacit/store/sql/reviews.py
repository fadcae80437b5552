"""Changes that wait for a person, in SQL."""

from tacit.core.changes import Review
from tacit.core.times import to_micros
from tacit.store.sql.rows import from_wish, to_review
from tacit.store.sql.table import SqlTable


class SqlReviews(SqlTable):
    """The queue of one workspace."""

    topic = "reviews"

    def same(self, review: Review) -> Review | None:
        """The wish of the same author for the same change that waits already."""
        row = self._row("same", **from_wish(review))
        return to_review(row) if row else None

    def add(self, review: Review) -> None:
        """Queue a wish that does not wait yet."""
        created_at = to_micros(review.created_at)
        self._send("add", id=review.id, created_at=created_at, **from_wish(review))

    def get(self, id: str) -> Review | None:
        """One wish that waits."""
        row = self._row("get", id=id)
        return to_review(row) if row else None

    def about(self, memory: str) -> list[Review]:
        """The wishes about one memory, oldest first."""
        return [to_review(row) for row in self._rows("about", memory=memory)]

    def pending(self, after: str | None, limit: int) -> list[Review]:
        """A page of what waits, oldest first."""
        return [to_review(row) for row in self._rows("pending", after=after or "", limit=limit)]

    def drop(self, id: str) -> bool:
        """Drop one wish; tells whether it waited."""
        return self._run("drop", id=id) > 0

    def remove(self, memory: str) -> int:
        """Drop the wishes about one memory; returns how many."""
        return self._run("remove", memory=memory)
