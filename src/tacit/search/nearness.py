"""Which memories are near a vector, and how near."""

from collections.abc import Iterable

import numpy as np

from tacit.core.vectors import EmbeddingModel, Vector
from tacit.search.corpus.corpus import Corpus
from tacit.search.filter import Filter
from tacit.search.ranking.arrays import Floats
from tacit.store.index import Index
from tacit.store.protocols.unit import Unit

Near = list[tuple[str, float]]
"""Ids of memories and their cosines, best first."""


def near_in_memory(
    corpus: Corpus, vector: Vector, filter: Filter, limit: int, least: float
) -> Near:
    """What is near in a workspace that is held in memory."""
    with corpus.lock:
        visible = corpus.columns.visible(filter)
        rows, cosines = corpus.matrix.nearest(_array(vector), visible, limit)
        ids = [corpus.ids[row] for row in rows.tolist()]
    return _at_least(least, zip(ids, cosines.tolist(), strict=True))


def near_in_database(
    unit: Unit,
    index: Index,
    model: EmbeddingModel,
    vector: Vector,
    filter: Filter,
    limit: int,
    least: float,
) -> Near:
    """What is near in a workspace that is searched where it lies."""
    ids = index.nearest(vector, filter.query(), limit)
    held = unit.vectors.get(ids, model)
    query = _array(vector)
    cosines = {id: float(_array(held[id]) @ query) for id in ids if id in held}
    return _at_least(least, sorted(cosines.items(), key=lambda each: -each[1]))


def _at_least(least: float, found: Iterable[tuple[str, float]]) -> Near:
    return [(id, cosine) for id, cosine in found if cosine >= least]


def _array(vector: Vector) -> Floats:
    return np.asarray(vector, np.float32)
