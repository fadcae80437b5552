"""Messages to memories of people and stores: which of them need what is remembered."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tacit.api.tacit import Tacit
from tacit.core.receipt import SEARCHED, Candidate, CandidateSource, Receipt
from tacit.embedding.embedder import Embedder, embed_query
from tacit.evals.injection import Keys, find_occasions, open_store
from tacit.evals.life_player import ask_questions, open_life, play_life
from tacit.evals.lives import Life
from tacit.language.query import to_weighted_text
from tacit.search.need import MOST_READ, MessageTraits, need_features

Floats = NDArray[np.floating[Any]]

_ALWAYS_FINDS = {"least_need": 0.0}
"""The setting with which a turn looks for memories whatever is said."""


@dataclass(frozen=True, slots=True)
class Example:
    """A message of a group (a person, or a store), with its vector and what is weighed besides."""

    group: str
    is_needed: bool
    vector: Floats
    features: Floats

    @classmethod
    def of(
        cls, group: str, tacit: Tacit, receipt: Receipt, embedder: Embedder, *, is_needed: bool
    ) -> Self:
        """The message of a turn that looked for memories whatever was said."""
        found = [each for each in receipt.candidates if each.found in SEARCHED]
        found.sort(key=lambda each: -each.relevance)
        lines = [_read_content(tacit, each) for each in found[:MOST_READ]]
        traits = MessageTraits.of(receipt.query, lines, is_follow_up=bool(receipt.context))
        return cls(
            group,
            is_needed,
            embed_query(embedder, to_weighted_text(receipt.query).text),
            np.array(need_features(found[0].relevance if found else 0.0, traits)),
        )


def _read_content(tacit: Tacit, each: Candidate) -> str:
    if each.found is CandidateSource.EPISODE:
        return tacit.episodes.get(each.memory).text
    return tacit.get(each.memory).content


def gather_life(life: Life, embedder: Embedder) -> Iterator[Example]:
    """The questions of a person, after their life was played."""
    with open_life(life, embedder=embedder) as (tacit, clock):
        play_life(tacit, life, clock)
        for asked in ask_questions(tacit, life, clock, **_ALWAYS_FINDS):
            if asked.prepared.receipt.skipped is None:
                needed = asked.question.needs_memory
                receipt = asked.prepared.receipt
                yield Example.of(life.id, tacit, receipt, embedder, is_needed=needed)


def gather_store(store: Mapping[str, Any], embedder: Embedder) -> Iterator[Example]:
    """The messages to a store of `tacit eval injection`, in each situation, without keys."""
    with open_store(store, Keys.PLAIN, embedder) as tacit:
        for _, conversation, messages in find_occasions(tacit, store):
            for message in messages:
                receipt = conversation.preview(tacit, message.text, **_ALWAYS_FINDS)
                if receipt.skipped is None:
                    needed = bool(message.right)
                    yield Example.of(store["id"], tacit, receipt, embedder, is_needed=needed)


def save_examples(file: Path, examples: Sequence[Example]) -> None:
    """Keep examples, which take some time to gather."""
    file.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        file,
        groups=np.array([each.group for each in examples]),
        needed=np.array([each.is_needed for each in examples]),
        vectors=np.stack([each.vector for each in examples]),
        features=np.stack([each.features for each in examples]),
    )


def load_examples(file: Path) -> list[Example]:
    """The examples that were kept in a file."""
    with np.load(file) as kept:
        columns = (kept["groups"].tolist(), kept["needed"].tolist(), kept["vectors"])
        rows = zip(*columns, kept["features"], strict=True)
        return [Example(*row) for row in rows]
