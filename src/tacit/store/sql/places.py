"""The folders that projects are at, in SQL."""

from collections.abc import Sequence
from typing import Any

from tacit.core.projects import ProjectPlace
from tacit.core.times import from_micros, to_micros
from tacit.store.sql.table import SqlTable


class SqlPlaces(SqlTable):
    """The places of one workspace's projects."""

    topic = "places"

    def get(self, host: str, path: str, claim: str) -> ProjectPlace | None:
        """What is known of a folder that claims this."""
        row = self._row("get", host=host, path=path, claim=claim)
        return _place(row) if row else None

    def at(self, host: str, path: str) -> list[ProjectPlace]:
        """All that is known of a folder, by claim."""
        return [_place(row) for row in self._rows("at", host=host, path=path)]

    def of_project(self, project: str) -> list[ProjectPlace]:
        """The places of a project, in their order."""
        return [_place(row) for row in self._rows("of_project", project=project)]

    def put(self, place: ProjectPlace) -> None:
        """Keep a place, instead of what is known of the same claim there."""
        self._send(
            "put",
            host=place.host,
            path=place.path,
            claim=place.claim,
            project=place.project,
            at=to_micros(place.at),
        )

    def remove(self, place: ProjectPlace) -> bool:
        """Know a place no longer; tells whether it was known."""
        return self._run("remove", host=place.host, path=place.path, claim=place.claim) > 0

    def scan(self, after: ProjectPlace | None, limit: int) -> list[ProjectPlace]:
        """A page of all, by host, path and claim."""
        host, path, claim = after.key if after else ("", "", "")
        rows = self._rows("scan", host=host, path=path, claim=claim, limit=limit)
        return [_place(row) for row in rows]


def _place(row: Sequence[Any]) -> ProjectPlace:
    host, path, claim, project, at = row
    return ProjectPlace(host=host, path=path, claim=claim, project=project, at=from_micros(at))
