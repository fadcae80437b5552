"""Calls about episodes: what was said, as it was said."""

from collections.abc import Sequence
from typing import Protocol, Unpack

from tacit.core.episodes import Episode
from tacit.core.kinds import Actor
from tacit.writing.draft import DraftFields, Written


class EpisodesProtocol(Protocol):
    """List, keep and forget what was said."""

    def list(
        self,
        *,
        user: str | None = None,
        project: str | None = None,
        session: str | None = None,
        contains: str | None = None,
        forgotten: bool = False,
        limit: int = 50,
        after: str | None = None,
    ) -> Sequence[Episode]:
        """What a user said, newest first; `after` is the id of the last of the page before.

        Without a user it is the one person who uses the store; at a server, what was said without
        a user is listed by its session alone. `project` lists what a turn in it may see: what was
        said there, and in no project.
        """

    def get(self, id: str) -> Episode:
        """One episode, also a forgotten one."""

    def promote(
        self, id: str, *, by: Actor | str = Actor.USER, **fields: Unpack[DraftFields]
    ) -> Written:
        """Keep an episode as a memory: its words, or those of `content`, for its user."""

    def forget(self, id: str, *, by: Actor | str = Actor.USER) -> Episode:
        """Hide an episode from search and turns; only a person can."""

    def restore(self, id: str, *, by: Actor | str = Actor.USER) -> Episode:
        """Bring a forgotten episode back."""
