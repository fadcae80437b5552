"""Prompts that wait to be recorded, for erasure: those of a target, and those with its words."""

import os
import re
from dataclasses import dataclass
from pathlib import PurePath

from tacit.core.episodes import episode_owner
from tacit.core.kinds import State
from tacit.core.projects import ProjectPlace
from tacit.core.receipt import Receipt
from tacit.language.terms import WordMatcher
from tacit.runtime.prompt_spool import PromptSpool, SpooledPrompt
from tacit.store.protocols.store import Store
from tacit.store.query import Query, to_regex
from tacit.writing.erasure import EraseTarget

_MOST_PLACES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingPrompts:
    """The prompts that wait to be recorded in one workspace."""

    store: Store
    workspace: str
    is_personal: bool

    def count(self, target: EraseTarget, words: WordMatcher) -> int:
        """How many an erasure would take, or repeat its words, within its reach."""
        return len(self._find(target, words))

    def erase(self, target: EraseTarget, words: WordMatcher | None = None) -> int:
        """Remove those that an erasure takes, or that repeat its words; returns how many."""
        return sum(spool.remove(each) for spool, each in self._find(target, words))

    def _find(
        self, target: EraseTarget, words: WordMatcher | None
    ) -> list[tuple[PromptSpool, SpooledPrompt]]:
        waiting = [
            (spool, each) for spool in self._spools() for each in spool.prompts(self.workspace)
        ]
        if not waiting:
            return []
        with self.store.read(self.workspace) as unit:
            places = unit.places.scan(None, _MOST_PLACES)
        return [found for found in waiting if self._is_taken(found[1], target, words, places)]

    def _spools(self) -> list[PromptSpool]:
        path = self.store.describe().get("path")
        return [] if path is None else PromptSpool.all_of_database(str(path), os.environ)

    def _is_taken(
        self,
        waiting: SpooledPrompt,
        target: EraseTarget,
        words: WordMatcher | None,
        places: list[ProjectPlace],
    ) -> bool:
        turn = _to_receipt(waiting, _project_of(waiting, target, places))
        if target.takes(turn):
            return True
        if not target.reaches(turn):
            return False
        if words is not None and words.match_any([waiting.prompt]):
            return True
        queries = () if target.includes_turns else target.episodes
        return any(self._is_selected(waiting, each.query) for each in queries)

    def _is_selected(self, waiting: SpooledPrompt, query: Query) -> bool:
        """Whether filters take a prompt, as they would take the episode that it becomes."""
        owner = episode_owner(waiting.user, waiting.session, is_personal=self.is_personal)
        return (
            query.state in (None, State.LIVE)
            and query.session in (None, waiting.session)
            and query.scope in (None, owner[0])
            and query.scope_id in (None, owner[1])
            and (query.created_from is None or waiting.at >= query.created_from)
            and (query.created_to is None or waiting.at < query.created_to)
            and (
                query.contains is None or bool(re.search(to_regex(query.contains), waiting.prompt))
            )
        )


def _to_receipt(waiting: SpooledPrompt, project: str | None) -> Receipt:
    """What is known of the turn that a prompt would begin."""
    return Receipt(
        id=waiting.id,
        session=waiting.session,
        turn=0,
        at=waiting.at,
        agent=waiting.client,
        user=waiting.user,
        project=project,
        query=waiting.prompt,
    )


def _project_of(
    waiting: SpooledPrompt, target: EraseTarget, places: list[ProjectPlace]
) -> str | None:
    """The project of the innermost known place around the folder.

    A project that is not known by a place is called by its path.
    """
    folder = PurePath(waiting.folder or "/")
    around = [each for each in places if folder.is_relative_to(each.path)]
    if around:
        innermost = max(around, key=lambda each: len(each.path))
        return innermost.project or innermost.checkout.own_project
    if target.owner is not None and folder.is_relative_to(target.owner[1] or folder / "-"):
        return target.owner[1]
    return waiting.folder
