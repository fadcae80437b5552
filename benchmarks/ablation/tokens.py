"""Late interaction on LoCoMo: without tokens, without context, and kept in fewer or more bytes.

Every row is the product's own search. The states of tokens come from a file; an embedder makes the
token vectors of a variant of them, under a token model of its own, and the product packs, stores
and scores these as signs. Where a variant keeps numbers instead of signs, they are stored in half
precision and scored by the same formula; what they would take is the column of bytes.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import ArrayLike
from tools.token_components import random_rotation

from benchmarks.ablation.states import Floats, KeptStates
from benchmarks.context import Say
from benchmarks.report import Report, Row
from benchmarks.token_codes import encode_tokens
from tacit import Tacit
from tacit.api import token_encoder
from tacit.core.matrix_products import matrix_products
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.embedder import QueryTokens, TextInContext
from tacit.embedding.minilm.model_files import ENGLISH, WIDTH
from tacit.evals.benchmarks import (
    locomo_conversation,
    locomo_questions,
    locomo_turn,
    parse_locomo,
)
from tacit.search import late_interaction

_DEPTHS = (5, 10, 20)
_BATCH = 64
_LEVELS = 8
_STEP = 0.4
"""How far two of the sixteen levels are apart, by the usual size of a number."""

Samples = Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Variant:
    """What is kept of a token: a matrix that makes its numbers, and signs or numbers of them."""

    name: str
    matrix: Floats
    bytes_per_token: float
    has_context: bool = True
    is_signs: bool = True
    round: Callable[[Floats], Floats] = lambda numbers: numbers

    @property
    def token_model(self) -> EmbeddingModel:
        """A model of its own, so that one database holds the codes of all variants."""
        name = f"{ENGLISH.token_model.name}, {self.name}"
        return EmbeddingModel(name, self.matrix.shape[1], "ablation")


class VariantEmbedder:
    """MiniLM with the tokens of a variant."""

    model = ENGLISH.model

    def __init__(self, variant: Variant, kept: KeptStates) -> None:
        self.token_model = variant.token_model
        self._variant = variant
        self._kept = kept

    def embed(self, texts: Sequence[str]) -> list[Floats]:
        """The vector of each text."""
        return self._kept.vectors(texts)

    def embed_query(self, text: str) -> Floats:
        """The vector of a query."""
        return self._kept.query(text).vector

    def embed_tokens(self, texts: Sequence[TextInContext]) -> list[Floats]:
        """The vectors of each text's tokens, as they are kept."""
        chosen = (
            texts if self._variant.has_context else [TextInContext(each.text) for each in texts]
        )
        return [
            self._variant.round(states @ self._variant.matrix)
            for states in self._kept.states(chosen)
        ]

    def embed_query_tokens(self, text: str) -> QueryTokens:
        """The vectors of a query, which are never rounded."""
        query = self._kept.query(text)
        return QueryTokens(
            query.vector, _to_units(query.tokens @ self._variant.matrix), query.words
        )


def make_variants(kept: KeptStates, longmemeval: Path) -> list[Variant]:
    """The shipped one first, then those that keep something else."""
    vectors, sizes = kept.singular_vectors(longmemeval)

    def rotated(dims: int) -> Floats:
        return np.asarray(vectors[:, :dims] @ random_rotation(dims), np.float32)

    def to_levels(numbers: Floats) -> Floats:
        steps = _STEP * sizes[: numbers.shape[1]]
        return _to_units(np.clip(np.round(numbers / steps), -_LEVELS, _LEVELS - 1) * steps)

    shipped = ENGLISH.token_components()
    whole = np.eye(WIDTH, dtype=np.float32)
    return [
        Variant("256 signs (shipped)", shipped, 32),
        Variant("256 signs, no context", shipped, 32, has_context=False),
        Variant("384 numbers", whole, 768, is_signs=False),
        Variant("384 numbers, no context", whole, 768, has_context=False, is_signs=False),
        Variant("384 signs", rotated(384), 48),
        Variant("128 signs", rotated(128), 16),
        Variant("128 numbers in 4 bits", vectors[:, :128], 64, is_signs=False, round=to_levels),
    ]


def run(locomo: Path, longmemeval: Path, kept: KeptStates, folder: Path, say: Say) -> Report:
    """Recall of each variant, all in one database."""
    samples = parse_locomo(locomo, locomo.read_bytes())
    database = folder / "locomo.db"
    variants = make_variants(kept, longmemeval)
    shipped = variants[0]
    say("remembering")
    _fill(database, samples, VariantEmbedder(shipped, kept))
    rows: list[Row] = []
    for variant in variants:
        say(variant.name)
        rows.append(
            (variant.name, variant.bytes_per_token, *_recall(database, samples, variant, kept))
        )
    say("mean vector")
    off = _recall(database, samples, shipped, kept, late_interaction="off")
    return Report(
        title="LoCoMo: what is kept of a token, in the whole ranking",
        columns=("tokens", "bytes a token", *(f"recall@{depth}" for depth in _DEPTHS)),
        rows=[("none, the mean vector alone", 0.0, *off), *rows],
        notes=(
            "Numbers are kept in half precision; those in 4 bits are counted as they would be.",
        ),
    )


def _fill(database: Path, samples: Samples, embedder: VariantEmbedder) -> None:
    for sample in samples:
        conversation = locomo_conversation(sample)
        with Tacit.open(database, conversation.name, embedder=embedder) as tacit:
            for start in range(0, len(conversation.drafts), _BATCH):
                batch = conversation.drafts[start : start + _BATCH]
                tacit.memories.remember_all(batch, by=conversation.by)


def _recall(
    database: Path, samples: Samples, variant: Variant, kept: KeptStates, **settings: object
) -> tuple[str, ...]:
    """The share of the evidence among the first hits, averaged over all questions."""
    found: dict[int, list[float]] = defaultdict(list)
    for sample in samples:
        name = locomo_conversation(sample).name
        with (
            _scored_as(variant),
            Tacit.open(database, name, embedder=VariantEmbedder(variant, kept)) as tacit,
        ):
            encode_tokens(tacit)
            for question, gold in locomo_questions(sample):
                result = tacit.search(question["question"], max_results=max(_DEPTHS), **settings)
                turns = [locomo_turn(hit.memory) for hit in result.hits]
                for depth in _DEPTHS:
                    found[depth].append(len(gold & set(turns[:depth])) / len(gold))
    return tuple(f"{np.mean(found[depth]):.3f}" for depth in _DEPTHS)


@contextmanager
def _scored_as(variant: Variant) -> Iterator[None]:
    """The product as it is for signs; for numbers, with other packing and the same formula."""
    with ExitStack() as stack:
        if not variant.is_signs:
            stack.enter_context(patch.object(token_encoder, "pack_tokens", _pack_numbers))
            stack.enter_context(patch.object(late_interaction, "score_tokens", _score_numbers))
        yield


def _pack_numbers(vectors: Floats) -> bytes:
    return vectors.astype(np.float16).tobytes()


def _score_numbers(query: Floats, weights: ArrayLike, codes: Sequence[bytes]) -> Floats:
    """For each text the weighted mean, over the query's tokens, of the largest cosine."""
    given = np.asarray(weights, np.float32)
    shares = given / given.sum() if given.any() else np.full(len(given), 1 / max(len(given), 1))
    lengths = np.array([len(each) for each in codes]) // (2 * query.shape[1])
    scores = np.zeros(len(codes), np.float32)
    filled = np.flatnonzero(lengths)
    if not len(filled):
        return scores
    rows = np.frombuffer(b"".join(codes), np.float16).reshape(-1, query.shape[1])
    with matrix_products():
        products = rows.astype(np.float32) @ query.T
    starts = np.cumsum(lengths[filled]) - lengths[filled]
    scores[filled] = np.maximum.reduceat(products, starts, axis=0) @ shares
    return scores


def _to_units(rows: Floats) -> Floats:
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return np.asarray(rows / lengths, np.float32)
