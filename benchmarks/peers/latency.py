"""How long the same searches take everyone."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.clustered import ClusteredEmbedder
from benchmarks.context import Say
from benchmarks.figures import p50_and_p95, seconds
from benchmarks.peers.everyone import MOST, TACIT
from benchmarks.peers.peer import Item, Known, Peer
from benchmarks.sentences import make_sentences, natural_queries

_QUERIES, _FEWER = 100, 25
_LARGE = 100_000
_COUNT = 10
_NAMESPACE = "everything"


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """What somebody showed at a size, in milliseconds and texts per second."""

    peer: str
    size: int
    p50: float
    p95: float
    ingest: float


def measure(
    size: int, folder: Path, say: Say, everyone: Mapping[str, type[Peer]], *, patient: bool
) -> list[Latency]:
    """Everyone holds the same texts in one namespace, and each query goes round."""
    texts = make_sentences(size)
    queries = natural_queries(texts, _QUERIES if size < _LARGE else _FEWER)
    known = _known([*texts, *queries])
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    peers: dict[str, Peer] = {}
    rates: dict[str, float] = {}
    for name, kind in everyone.items():
        if patient or size <= MOST.get(name, size):
            say(f"{size:,}: {name} takes in")
            peers[name] = kind(known, _own(folder, name, size))
            rates[name] = size / seconds(partial(peers[name].add, _NAMESPACE, items))
    say(f"{size:,}: {len(queries)} queries")
    return [
        Latency(peer=name, size=size, p50=p50 * 1e3, p95=p95 * 1e3, ingest=rates[name])
        for name, (p50, p95) in _search(peers, queries).items()
    ]


def ratio(each: Latency, everything: Sequence[Latency], other: str = TACIT) -> float:
    """How many times longer than Tacit's median, or another's."""
    own = next(one for one in everything if one.peer == other and one.size == each.size)
    return each.p50 / own.p50


def _search(peers: Mapping[str, Peer], queries: Sequence[str]) -> dict[str, tuple[float, float]]:
    """In turns, in another order each time, after one search that may load things."""
    times: dict[str, list[float]] = {name: [] for name in peers}
    for peer in peers.values():
        peer.search(_NAMESPACE, queries[0], _COUNT)
    order, chance = list(peers), random.Random(1)
    for query in queries:
        chance.shuffle(order)
        for name in order:
            times[name].append(seconds(partial(peers[name].search, _NAMESPACE, query, _COUNT)))
    return {name: p50_and_p95(taken) for name, taken in times.items()}


def _known(texts: Sequence[str]) -> Known:
    return dict(zip(texts, ClusteredEmbedder().embed(texts), strict=True))


def _own(folder: Path, name: str, size: int) -> Path:
    own = folder / f"{name}-{size}"
    own.mkdir()
    return own
