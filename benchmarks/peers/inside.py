"""The comparison itself, run inside the environment."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from benchmarks.peers import latency, recall
from benchmarks.peers.everyone import (
    MEM0_ON_POSTGRES,
    MOST,
    TACIT_ON_POSTGRES,
    participants,
)
from benchmarks.peers.latency import Latency
from benchmarks.peers.mem0s import MOST_ONE_BY_ONE
from benchmarks.peers.options import parse
from benchmarks.peers.plot import draw
from benchmarks.progress import progress
from benchmarks.report import Report

_FASTER = 20


def main() -> None:
    """Measure, print, keep, draw."""
    options = parse(sys.argv[1:])
    latencies: list[Latency] = []
    found: dict[str, dict[int, float]] = {}
    with TemporaryDirectory(prefix="tacit-peers-") as folder, progress("peers") as say:
        for size in options.sizes:
            everyone = participants(postgres=options.postgres, only=options.only)
            latencies += latency.measure(size, Path(folder), say, everyone, patient=options.patient)
            Console().print(_latency_report(latencies))
        if options.data:
            found = recall.measure(options.data, Path(folder), say)
            Console().print(_recall_report(found))
    if options.json:
        options.json.write_text(_json(latencies, found), "utf-8")
    if options.plot:
        draw(latencies, found, options.plot)


def _latency_report(latencies: Sequence[Latency]) -> Report:
    return Report(
        title="Peers: the same queries on the same vectors, embedding excluded",
        columns=("who", "memories", "p50 ms", "p95 ms", "times Tacit's p50", "ingest/s"),
        rows=[
            (each.peer, each.size, each.p50, each.p95, latency.ratio(each, latencies), each.ingest)
            for each in latencies
        ],
        notes=(
            "One namespace, ten hits, everyone in turns in a changing order; queries of 10 to 25"
            " words. LangGraph, chromadb and LlamaIndex keep nothing on disk here.",
            *(
                f"{name} takes part beyond {most:,} with --patient only: it takes in one by one."
                for name, most in MOST.items()
            ),
            *_verdict(latencies),
            *_on_postgres(latencies),
            *_flattery(latencies),
        ),
    )


def _verdict(latencies: Sequence[Latency]) -> list[str]:
    ratios = [
        latency.ratio(each, latencies)
        for each in latencies
        if each.peer == "mem0" and each.size == 10_000
    ]
    return [
        f"{'met' if each >= _FASTER else 'MISSED'}: {each:.0f} times faster than mem0 at 10,000,"
        f" target ≥ {_FASTER}"
        for each in ratios
    ]


def _on_postgres(latencies: Sequence[Latency]) -> list[str]:
    return [
        f"On one PostgreSQL, {each.size:,} memories: mem0's p50 is"
        f" {latency.ratio(each, latencies, TACIT_ON_POSTGRES):.1f} times Tacit's."
        for each in latencies
        if each.peer == MEM0_ON_POSTGRES
    ]


def _flattery(latencies: Sequence[Latency]) -> list[str]:
    if not any(each.peer == MEM0_ON_POSTGRES and each.size > MOST_ONE_BY_ONE for each in latencies):
        return []
    return [
        f"{MEM0_ON_POSTGRES} beyond {MOST_ONE_BY_ONE:,}: its inserts were sent by a hundred, which"
        " flatters its ingest."
    ]


def _recall_report(found: Mapping[str, Mapping[int, float]]) -> Report:
    return Report(
        title="Peers: LoCoMo, share of the evidence found",
        columns=("who", *(f"recall@{depth}" for depth in recall.DEPTHS)),
        rows=[
            (name, *(f"{shares[depth]:.3f}" for depth in recall.DEPTHS))
            for name, shares in found.items()
        ],
        notes=(
            "Each conversation a namespace; the same MiniLM vectors of “speaker: text [caption]”.",
            "Tacit is also told session, place, speaker and time of each turn; with texts only it"
            " is told what the others are.",
        ),
    )


def _json(latencies: Sequence[Latency], found: Mapping[str, Mapping[int, float]]) -> str:
    rows = [{**asdict(each), "times_tacit": latency.ratio(each, latencies)} for each in latencies]
    shares = {
        name: {f"recall@{depth}": share for depth, share in each.items()}
        for name, each in found.items()
    }
    return json.dumps({"latency": rows, "locomo": shares}, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
