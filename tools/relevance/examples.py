"""Messages, what a search found for them, and whether it is relevant."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from tacit.api.tacit import Tacit
from tacit.core.receipt import SEARCHED, Candidate, CandidateSource, Receipt
from tacit.embedding.embedder import Embedder
from tacit.evals.injection import Keys, find_occasions, open_store
from tacit.evals.life_player import ask_questions, open_life, play_life
from tacit.evals.lives import Life
from tacit.search import candidates
from tacit.search.ranking import (
    QueryOdds,
    estimate_relevance_by_tokens,
    find_fixed_odds,
    find_token_signs,
)

Floats = NDArray[np.floating[Any]]

_ALWAYS_FINDS = {"least_need": 0.0, "contextual_min_score": 0.0}
"""The settings with which a turn looks for memories whatever is said, and leaves out none."""


@dataclass(frozen=True, slots=True)
class Example:
    """What was found for a message of a group (a store, or a person), and what of it is relevant.

    `fixed` is what is added to the odds of each whatever the weights are.
    """

    group: str
    is_needed: bool
    signs: Floats
    fixed: Floats
    is_relevant: NDArray[np.bool_]


class SearchRecorder:
    """Notes the signs of what a search weighs, by the relevance that it gets."""

    def __init__(self) -> None:
        self._signs: dict[float, tuple[Floats, float]] = {}

    def estimate(
        self, cosines: Floats, tokens: Floats, coverage: Floats, rare_words: float, odds: QueryOdds
    ) -> Floats:
        """Estimate relevance as a search does."""
        given = (cosines, tokens, coverage, rare_words, odds)
        found = estimate_relevance_by_tokens(*given)
        signs = np.column_stack(np.broadcast_arrays(*find_token_signs(*given)))
        fixed = np.broadcast_to(find_fixed_odds(coverage, odds), found.shape)
        self._signs.update(
            zip(found.tolist(), zip(signs, fixed.tolist(), strict=True), strict=True)
        )
        return found

    def read(
        self,
        group: str,
        receipt: Receipt,
        *,
        is_needed: bool,
        is_right: Callable[[Candidate], bool],
    ) -> Example | None:
        """What a turn found by tokens; None if that is nothing."""
        searched = [each for each in receipt.candidates if each.found in SEARCHED]
        known = [each for each in searched if each.relevance in self._signs]
        noted = [self._signs[each.relevance] for each in known]
        self._signs.clear()
        if not noted:
            return None
        return Example(
            group,
            is_needed,
            np.array([signs for signs, _ in noted]),
            np.array([fixed for _, fixed in noted]),
            np.array([is_needed and is_right(each) for each in known]),
        )


@contextmanager
def _recording() -> Iterator[SearchRecorder]:
    recorder = SearchRecorder()
    with patch.object(candidates, "estimate_relevance_by_tokens", recorder.estimate):
        yield recorder


def gather_store(store: Mapping[str, Any], embedder: Embedder) -> Iterator[Example]:
    """What is found for the messages to a store of `tacit eval injection`, without keys."""
    with open_store(store, Keys.PLAIN, embedder) as tacit, _recording() as recorder:
        for _, conversation, messages in find_occasions(tacit, store):
            for message in messages:
                receipt = conversation.preview(tacit, message.text, **_ALWAYS_FINDS)
                example = recorder.read(
                    store["id"],
                    receipt,
                    is_needed=bool(message.right),
                    is_right=lambda each, said=message: _number_of(tacit, each) in said.useful,
                )
                if example is not None:
                    yield example


def _number_of(tacit: Tacit, each: Candidate) -> int:
    number: int = tacit.get(each.memory).metadata["n"]
    return number


def gather_life(life: Life, embedder: Embedder) -> Iterator[Example]:
    """What is found for the questions of a person, after their life was played."""
    with open_life(life, embedder=embedder) as (tacit, clock):
        play_life(tacit, life, clock)
        with _recording() as recorder:
            for asked in ask_questions(tacit, life, clock, **_ALWAYS_FINDS):
                patterns = [each for group in asked.question.needs for each in group]
                example = recorder.read(
                    life.id,
                    asked.prepared.receipt,
                    is_needed=asked.question.needs_memory,
                    is_right=lambda each, met=patterns: any(
                        pattern.search(_text_of(tacit, each)) for pattern in met
                    ),
                )
                if example is not None:
                    yield example


def _text_of(tacit: Tacit, each: Candidate) -> str:
    if each.found is CandidateSource.EPISODE:
        return tacit.episodes.get(each.memory).text
    return tacit.get(each.memory).content


def save_examples(file: Path, examples: Sequence[Example]) -> None:
    """Keep examples, which take some time to gather."""
    file.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        file,
        groups=np.array([each.group for each in examples]),
        needed=np.array([each.is_needed for each in examples]),
        sizes=np.array([len(each.fixed) for each in examples]),
        signs=np.concatenate([each.signs for each in examples]),
        fixed=np.concatenate([each.fixed for each in examples]),
        relevant=np.concatenate([each.is_relevant for each in examples]),
    )


def load_examples(file: Path) -> list[Example]:
    """The examples that were kept in a file."""
    with np.load(file) as kept:
        ends = np.cumsum(kept["sizes"])[:-1]
        parts = (np.split(kept[name], ends) for name in ("signs", "fixed", "relevant"))
        rows = zip(kept["groups"].tolist(), kept["needed"].tolist(), *parts, strict=True)
        return [Example(*row) for row in rows]
