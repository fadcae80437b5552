"""What learning in one workspace works with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from tacit.core.kinds import Actor
from tacit.runtime.clock import Clock
from tacit.search.searcher import Searcher
from tacit.settings.writing import WritingSettings
from tacit.statements.judge import StatementJudge
from tacit.store.protocols.store import Store
from tacit.writing.author import Author
from tacit.writing.learning.episodes import EpisodeWriter
from tacit.writing.remember import EmbeddedTexts

Result = TypeVar("Result")


class WriteAs(Protocol):
    """Runs work in a transaction in the name of an actor."""

    def __call__(self, by: Actor, work: Callable[[Author], Result]) -> Result:
        """Do the work, all of it or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningDependencies:
    """What learning in one workspace works with."""

    store: Store
    workspace: str
    searcher: Searcher
    embed: Callable[[Sequence[str]], EmbeddedTexts]
    write: WriteAs
    settings: Callable[[], WritingSettings]
    episodes: EpisodeWriter
    judge: Callable[[], StatementJudge]
    clock: Clock
