"""Metrics for Prometheus, recorded from values; no label ever names a workspace or a person."""

import os
from collections.abc import Iterable, Iterator
from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector

from tacit.core.receipt import CandidateSource, Fate, Receipt, SkipReason
from tacit.runtime.telemetry import (
    METHODS,
    OTHER,
    TURN_PARTS,
    VERDICTS,
    degraded_parts,
    outcome_of,
    stage_seconds,
    total_seconds,
)

TurnEnding = Literal["committed", "rolled_back"]


class Metrics:
    """Counts what happens in one process, in a registry of its own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry(auto_describe=True)
        self._turns = self._counter(
            "tacit_turns", "Turns that began.", "outcome", ("injected", "nothing", *_SKIPS)
        )
        self._ended = self._counter(
            "tacit_turns_ended", "Turns that ended.", "how", ("committed", "rolled_back")
        )
        self._degraded = self._counter(
            "tacit_turns_degraded", "Turns that went on without a part.", "part", TURN_PARTS
        )
        self._injected = self._counter(
            "tacit_memories_injected", "Memories that were injected.", "source", CandidateSource
        )
        self._candidates = self._counter(
            "tacit_candidates", "Memories that turns thought of.", "fate", Fate
        )
        self._tokens = Counter(
            "tacit_injected_tokens", "Tokens of injected blocks.", registry=self._registry
        )
        self._turn_seconds = self._histogram("tacit_turn_seconds", "How long turns took to begin.")
        self._stage_seconds = self._histogram(
            "tacit_turn_stage_seconds", "How long the stages of turns took.", "stage"
        )
        self._writes = self._counter("tacit_writes", "Memories that were written.", "status")
        self._lessons = self._counter(
            "tacit_lessons", "Statements that were found in conversations.", "verdict", VERDICTS
        )
        self._llm_tokens = Counter(
            "tacit_llm_tokens",
            "Tokens that the language model took to read conversations.",
            registry=self._registry,
        )
        self._search_seconds = self._histogram("tacit_search_seconds", "How long searches took.")
        self._requests = Counter(
            "tacit_requests",
            "Requests that were answered.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        self._request_seconds = self._histogram(
            "tacit_request_seconds", "How long requests took.", "method", "route"
        )
        self._refused = self._counter(
            "tacit_requests_refused", "Requests that were refused.", "reason"
        )
        self._streams = self._gauge("tacit_event_streams", "Event streams that are open.")
        self._jobs = self._gauge("tacit_jobs", "Background jobs that are at work.")

    def count_turn(self, receipt: Receipt) -> None:
        """Count what a turn decided."""
        self._turns.labels(outcome_of(receipt)).inc()
        for part in degraded_parts(receipt):
            self._degraded.labels(part).inc()
        for source, count in receipt.counts().items():
            self._injected.labels(source).inc(count)
        for each in receipt.candidates:
            self._candidates.labels(each.fate).inc()
        self._tokens.inc(receipt.tokens)
        self._turn_seconds.observe(total_seconds(receipt))
        for stage, seconds in stage_seconds(receipt).items():
            self._stage_seconds.labels(stage).observe(seconds)

    def count_ended_turn(self, how: TurnEnding) -> None:
        """Count a turn that was committed or rolled back."""
        self._ended.labels(how).inc()

    def count_writes(self, status: str, count: int = 1) -> None:
        """Count memories by what became of their write."""
        self._writes.labels(status).inc(count)

    def count_lessons(self, verdicts: Iterable[str], tokens: int) -> None:
        """Count statements by what became of them, and the tokens that a model took."""
        for verdict in verdicts:
            self._lessons.labels(verdict).inc()
        self._llm_tokens.inc(tokens)

    def observe_search(self, seconds: float) -> None:
        """Count a search."""
        self._search_seconds.observe(seconds)

    def count_request(self, method: str, route: str | None, status: int, seconds: float) -> None:
        """Count a request by its route's template, or by none where no route matched."""
        known, template = method if method in METHODS else OTHER, route or _UNMATCHED
        self._requests.labels(known, template, status).inc()
        self._request_seconds.labels(known, template).observe(seconds)

    def count_refusal(self, reason: str) -> None:
        """Count a refusal by a word of the server's own, never by what a client sent."""
        self._refused.labels(reason).inc()

    def set_event_streams(self, count: int) -> None:
        """Note how many event streams are open."""
        self._streams.set(count)

    def set_jobs(self, count: int) -> None:
        """Note how many background jobs are at work."""
        self._jobs.set(count)

    def exposition(self) -> tuple[bytes, str]:
        """Everything as Prometheus reads it, and its content type.

        Where several processes serve together, it is the sum of them all.
        """
        registry = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(_RegistryView(registry)), CONTENT_TYPE_PLAIN_0_0_4

    def _counter(self, name: str, help: str, label: str, known: Iterable[str] = ()) -> Counter:
        """A counter that shows what is known to come as zero before it comes."""
        counter = Counter(name, help, [label], registry=self._registry)
        for value in known:
            counter.labels(value)
        return counter

    def _histogram(self, name: str, help: str, *labels: str) -> Histogram:
        return Histogram(name, help, labels, registry=self._registry, buckets=_SECONDS)

    def _gauge(self, name: str, help: str) -> Gauge:
        return Gauge(name, help, registry=self._registry, multiprocess_mode="livesum")


class _RegistryView:
    """What a registry collects, without the moments at which each series was begun."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterator[Metric]:
        for metric in self._registry.collect():
            metric.samples = [each for each in metric.samples if not _is_moment(each.name)]
            yield metric


def _is_moment(sample: str) -> bool:
    return sample.endswith("_created")


_SKIPS = tuple(f"skipped:{skip}" for skip in SkipReason)
_UNMATCHED = "unmatched"
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
