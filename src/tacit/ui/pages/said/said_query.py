"""What the page about episodes lists: whose words, where they were said, and what about."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from tacit.api.client.remote import RemoteTacit
from tacit.core.episodes import Episode
from tacit.core.kinds import Scope

PAGE_SIZE = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidQuery:
    """A user or a session, a project, words to search by, and the place to go on after."""

    user: str = ""
    project: str = ""
    session: str = ""
    text: str = ""
    after: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read it from the query of an address."""
        return cls(**{each.name: query.get(each.name, "").strip() for each in fields(cls)})

    def to_query(self) -> dict[str, str]:
        """It as the query of an address."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name))}

    @property
    def has_owner(self) -> bool:
        """Whether it says whose words are meant.

        A session may have some of nobody by name. Without keys, they are those of the one person
        who uses the machine.
        """
        return bool(self.user or self.session)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidResult:
    """The episodes of a page, whether there are more, and what a search left out."""

    episodes: tuple[Episode, ...] = ()
    has_more: bool = False
    degraded: tuple[str, ...] = ()


def find_said(tacit: RemoteTacit, query: SaidQuery) -> SaidResult:
    """The newest episodes, forgotten ones included; with a text, those that fit it best."""
    if query.text:
        return _search(tacit, query)
    found = tacit.episodes.list(
        **_places(query, "user", "project", "session"),
        forgotten=True,
        limit=PAGE_SIZE + 1,
        after=query.after or None,
    )
    return SaidResult(episodes=tuple(found[:PAGE_SIZE]), has_more=len(found) > PAGE_SIZE)


def _search(tacit: RemoteTacit, query: SaidQuery) -> SaidResult:
    owner: dict[str, Any] = _places(query, "user", "project")
    if query.session and not query.user:
        owner |= {"scope": Scope.SESSION, "scope_id": query.session}
    result = tacit.search(query.text, episodes=True, max_results=PAGE_SIZE, **owner)
    found = [hit.episode for hit in result.episodes]
    is_here = [each for each in found if query.session in ("", each.session)]
    return SaidResult(episodes=tuple(is_here), degraded=result.degraded)


def _places(query: SaidQuery, *names: str) -> dict[str, Any]:
    return {name: value for name in names if (value := getattr(query, name))}
