"""Vectors of tokens beside vectors of texts: what making them costs, and scoring by them."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median

import numpy as np

from benchmarks.context import Context
from benchmarks.figures import seconds
from benchmarks.report import Report
from benchmarks.sentences import english_queries, make_sentences
from tacit.embedding.embedder import QueryTokens, TextInContext
from tacit.embedding.minilm.embedder import MiniLM
from tacit.embedding.token_codes import pack_tokens, score_tokens

_TEXTS = 100
_QUERIES = 40
_QUERY_TOKENS = 14
"""Twelve words and the two marks of the network."""
_CANDIDATES, _CANDIDATE_TOKENS = 276, 35
_ROUNDS = 3


def run(context: Context) -> Report:
    """Each way on the same texts, in turns."""
    model = MiniLM.open()
    texts = make_sentences(_TEXTS, seed=9)
    queries = english_queries(_QUERIES, _QUERY_TOKENS, _QUERY_TOKENS)
    alone = [TextInContext(text) for text in texts]
    behind = [
        TextInContext(text, tuple(texts[max(place - 2, 0) : place]))
        for place, text in enumerate(texts)
    ]
    ways: Mapping[str, tuple[int, Callable[[], object]]] = {
        "a query: vector": (_QUERIES, lambda: [model.embed_query(each) for each in queries]),
        "a query: vector and tokens": (
            _QUERIES,
            lambda: [model.embed_query_tokens(each) for each in queries],
        ),
        "a text: vector": (_TEXTS, lambda: model.embed(texts)),
        "a text: tokens": (_TEXTS, lambda: model.embed_tokens(alone)),
        "a text: tokens behind two others": (_TEXTS, lambda: model.embed_tokens(behind)),
        f"scoring {_CANDIDATES} texts of {_CANDIDATE_TOKENS} tokens": (
            1,
            _scoring(model.embed_query_tokens(queries[0])),
        ),
    }
    times = _times(ways, context)
    return Report(
        title="Tokens: one thread, ms each",
        columns=("measure", "ms"),
        rows=[(name, 1e3 * time) for name, time in times.items()],
        notes=(f"Texts of about thirty words, queries of {_QUERY_TOKENS - 2} tokens.",),
    )


def _times(
    ways: Mapping[str, tuple[int, Callable[[], object]]], context: Context
) -> dict[str, float]:
    found: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(_ROUNDS):
        context.say(f"round {number + 1}")
        for name, (count, work) in ways.items():
            found[name].append(seconds(work) / count)
    return {name: median(each) for name, each in found.items()}


def _scoring(query: QueryTokens) -> Callable[[], object]:
    weights: Sequence[float] = [1.0] * len(query.words)
    random = np.random.default_rng(1)
    shape = (_CANDIDATE_TOKENS, query.tokens.shape[1])
    codes = [pack_tokens(random.standard_normal(shape, np.float32)) for _ in range(_CANDIDATES)]
    return lambda: score_tokens(query.tokens, weights, codes)
