"""How much of what an exact search finds is found."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from unittest.mock import patch

import numpy as np

from benchmarks.batches import batches
from benchmarks.figures import Figure
from benchmarks.peers.peer import Floats
from benchmarks.postgres.filling import Columns
from benchmarks.postgres.material import Material
from benchmarks.postgres.sides import EVERYTHING, Opened, Side, opened
from tacit.search import indexes as matrix
from tacit.search import lexical
from tacit.search.filter import Filter
from tacit.settings.search import SearchSettings
from tacit.store.query import Query

HITS = 10
_QUERIES = 100
_CHUNK = 50_000
_PATIENT_MS = 60_000

Found = list[set[str]]
"""The texts that are found, by query."""


def exact_hits(sides: Sequence[Side], material: Material) -> Mapping[str, Found]:
    """The first hits of a search in memory that compares every vector and every word.

    A workspace must not have indexes yet: once it has, nobody searches it in memory.
    """
    everything = 1 << 60
    with (
        patch.object(matrix, "EXACT_LIMIT", everything),
        patch.object(lexical, "MOST_POSTINGS", everything),
        opened(sides, material.embedder, EVERYTHING) as exact,
    ):
        return {name: _hits(each, material) for name, each in exact.items()}


def exact_nearest(material: Material) -> Found:
    """The nearest texts by the vectors themselves, in the precision that is stored."""
    wanted: dict[str, list[int]] = {}
    asked = _asked(material)
    for number in range(len(asked)):
        wanted.setdefault(material.workspace(number), []).append(number)
    found: dict[int, set[str]] = {}
    for workspace, numbers in wanted.items():
        texts = material.shares[workspace]
        queries = np.array([_vector(material, asked[number]) for number in numbers])
        for number, cosines in zip(numbers, _cosines(material, texts, queries), strict=True):
            best = np.argsort(-cosines, kind="stable")[: material.nearest]
            found[number] = {texts[place] for place in best.tolist()}
    return [found[number] for number in range(len(asked))]


def recall(
    sides: Mapping[str, Opened],
    material: Material,
    hits: Mapping[str, Found],
    nearest: Found,
) -> Columns:
    """What each side finds of both as the product searches."""
    return {
        name: [
            Figure(_nearest_measure(material), "share", _share(nearest, _nearest(side, material))),
            Figure(f"first {HITS} hits found", "share", _share(hits[name], _hits(side, material))),
        ]
        for name, side in sides.items()
    }


def measures(material: Material) -> tuple[str, str]:
    """What recall is called in the table."""
    return _nearest_measure(material), f"first {HITS} hits found"


def _nearest_measure(material: Material) -> str:
    return f"nearest {material.nearest} found"


def _asked(material: Material) -> list[str]:
    return material.telling[:_QUERIES]


def _hits(side: Opened, material: Material) -> Found:
    found = []
    for number, query in enumerate(_asked(material)):
        tacit = side[material.workspace(number)]
        result = tacit.search(query, max_results=HITS, embedding_timeout_ms=_PATIENT_MS)
        found.append({hit.memory.content for hit in result.hits})
    return found


def _nearest(side: Opened, material: Material) -> Found:
    return [
        _nearest_in(side, material.workspace(number), _vector(material, query), material.nearest)
        for number, query in enumerate(_asked(material))
    ]


def _nearest_in(side: Opened, workspace: str, vector: Floats, count: int) -> set[str]:
    """The nearest in a workspace, where a search would look for them and as many as it would."""
    model, most, now = side.embedder.model, SearchSettings().max_results_per_source, _now()
    with side.store.read(workspace) as unit:
        index = unit.index(model)
        if index is None:
            corpus = side[workspace]._context.searcher._cache.get(unit, model)
            rows, _ = corpus.matrix.nearest(vector, corpus.columns.visible(Filter(now=now)), most)
            ids = [corpus.ids[row] for row in rows.tolist()]
        else:
            ids = index.find_nearest(vector.tolist(), Query(now=now), most)
        return {each.content for each in unit.memories.get(ids[:count]).values()}


def _share(exact: Found, found: Found) -> float:
    pairs = zip(exact, found, strict=True)
    return float(np.mean([len(best & each) / len(best) for best, each in pairs if best]))


def _cosines(material: Material, texts: Sequence[str], queries: Floats) -> Floats:
    """A row for each query with its cosine to every text."""
    parts = []
    for chunk in batches(texts, _CHUNK):
        rows = np.asarray(material.embedder.embed(chunk), np.float32)
        parts.append(queries @ rows.astype(np.float16).astype(np.float32).T)
    return np.concatenate(parts, axis=1)


def _vector(material: Material, query: str) -> Floats:
    return np.asarray(material.embedder.embed_query(query), np.float32)


def _now() -> datetime:
    return datetime.now(UTC)
