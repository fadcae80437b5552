"""Tokens as they are estimated, beside real counts by two vocabularies, and what counting costs."""

from collections.abc import Callable, Sequence
from statistics import mean

import bpe_openai

from benchmarks.context import Context
from benchmarks.figures import seconds
from benchmarks.report import Report
from benchmarks.token_samples import TokenSample, make_samples
from tacit.language.tokens import TextSize

_ROUNDS = 20


def run(context: Context) -> Report:
    """Estimate by real count, of every kind of text; the larger of the two counts is real."""
    context.say("counting")
    samples = make_samples()
    encodings = [bpe_openai.get_encoding(name) for name in ("cl100k_base", "o200k_base")]

    def share(sample: TokenSample, count: Callable[[str], float]) -> float:
        real = max(len(each.encode_ordinary(sample.text)) for each in encodings)
        return count(sample.text) / real

    rows = []
    for kind in dict.fromkeys(sample.kind for sample in samples):
        own = [sample for sample in samples if sample.kind == kind]
        found = [share(sample, _estimate) for sample in own]
        before = mean(share(sample, _count_bytes) for sample in own)
        held_out = "yes" if own[0].is_held_out else ""
        rows.append((kind, held_out, min(found), mean(found), max(found), before))
    return Report(
        title=f"Estimated tokens of {len(samples)} texts, as a share of the real count",
        columns=("kind", "held out", "least", "mean", "most", "bytes / 4"),
        rows=rows,
        notes=_tell_costs([sample.text for sample in samples if "English" in sample.kind]),
    )


def _estimate(text: str) -> float:
    return TextSize.of(text).hundredths / 100


def _count_bytes(text: str) -> int:
    """The estimate of earlier versions: four bytes are a token, and a token is at most a word."""
    return max(-(-len(text.encode()) // 4), len(text.split()))


def _tell_costs(texts: Sequence[str]) -> tuple[str, ...]:
    characters = sum(map(len, texts))
    ways: dict[str, Callable[[str], object]] = {"estimate": _estimate, "bytes / 4": _count_bytes}
    times = {
        name: min(_time_all(count, texts) for _ in range(_ROUNDS)) for name, count in ways.items()
    }
    return tuple(
        f"{name}: {1e8 * time / characters:.2f} µs for 100 characters of English prose"
        for name, time in times.items()
    )


def _time_all(count: Callable[[str], object], texts: Sequence[str]) -> float:
    return seconds(lambda: [count(text) for text in texts])
