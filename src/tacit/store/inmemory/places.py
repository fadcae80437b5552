"""The folders that projects are at, in a dictionary."""

from tacit.core.projects import ProjectPlace
from tacit.store.inmemory.tables import Tables


class InMemoryPlaces:
    """The places of one workspace's projects."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def get(self, host: str, path: str, claim: str) -> ProjectPlace | None:
        """What is known of a folder that claims this."""
        return self._tables.places.get((host, path, claim))

    def at(self, host: str, path: str) -> list[ProjectPlace]:
        """All that is known of a folder, by claim."""
        return [each for each in self._all() if (each.host, each.path) == (host, path)]

    def of_project(self, project: str) -> list[ProjectPlace]:
        """The places of a project, in their order."""
        return [each for each in self._all() if each.project == project]

    def put(self, place: ProjectPlace) -> None:
        """Keep a place, instead of what is known of the same claim there."""
        self._tables.places[place.key] = place

    def remove(self, place: ProjectPlace) -> bool:
        """Know a place no longer; tells whether it was known."""
        return self._tables.places.pop(place.key, None) is not None

    def scan(self, after: ProjectPlace | None, limit: int) -> list[ProjectPlace]:
        """A page of all, by host, path and claim."""
        return [each for each in self._all() if after is None or each.key > after.key][:limit]

    def _all(self) -> list[ProjectPlace]:
        return [place for _, place in sorted(self._tables.places.items())]
