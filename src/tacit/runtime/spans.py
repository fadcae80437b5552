"""Traces as spans of OpenTelemetry; imported only where they are collected."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Thread
from typing import Self

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, set_span_in_context, use_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue

from tacit.core.receipt import Receipt
from tacit.core.times import to_micros
from tacit.runtime.telemetry import (
    METHODS,
    current_request_id,
    degraded_parts,
    outcome_of,
    stage_seconds,
    total_seconds,
)
from tacit.version import __version__

_log = logging.getLogger("tacit.telemetry")


class SpanTracer:
    """Makes spans, and hands them to a processor."""

    def __init__(self, processor: SpanProcessor) -> None:
        self._provider = TracerProvider(resource=_resource(), shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("tacit", __version__)

    @classmethod
    def sending_to(cls, address: str) -> Self:
        """One that sends by OTLP over HTTP, in batches, from a thread of its own."""
        return cls(BatchSpanProcessor(OTLPSpanExporter(endpoint=address)))

    @contextmanager
    def request(
        self, method: str, route: str | None, headers: Mapping[str, str]
    ) -> Iterator["_RequestSpan"]:
        """A span for a request; an error is named by its type, since messages may quote."""
        known = method if method in METHODS else _OTHER_METHOD
        span = self._tracer.start_span(
            _name(known, route), context=_caller(headers), kind=SpanKind.SERVER
        )
        traced = _RequestSpan(span, known, route)
        with use_span(
            span, end_on_exit=True, record_exception=False, set_status_on_exception=False
        ):
            try:
                yield traced
            except Exception as error:
                traced.failed(type(error).__qualname__)
                raise

    def turn(self, receipt: Receipt, request_id: str | None = None) -> None:
        """A span for a turn, and one below it for each stage, one after the other."""
        start = to_micros(receipt.at) * 1_000
        span = self._tracer.start_span(
            "tacit.turn", start_time=start, attributes=_attributes(receipt, request_id)
        )
        below, moment = set_span_in_context(span), start
        for stage, seconds in stage_seconds(receipt).items():
            child = self._tracer.start_span(f"tacit.turn.{stage}", below, start_time=moment)
            moment += _nanoseconds(seconds)
            child.end(moment)
        span.end(max(moment, start + _nanoseconds(total_seconds(receipt))))

    def close(self) -> None:
        """Send what was not sent, for a few seconds at most."""
        sending = Thread(target=self._provider.shutdown, name="tacit-traces", daemon=True)
        sending.start()
        sending.join(_LAST_SECONDS)
        if sending.is_alive():
            _log.warning("the last traces were not sent: their collector does not answer")


class _RequestSpan:
    """The span of a request, which learns at its end how the request was answered."""

    def __init__(self, span: Span, method: str, route: str | None) -> None:
        self._span, self._method = span, method
        span.set_attribute("http.request.method", method)
        id = current_request_id()
        if id is not None:
            span.set_attribute("tacit.request_id", id)
        self._routed(route)

    def answered(self, status: int, route: str | None = None) -> None:
        """Say how it was answered, and by which route where that was not known before."""
        self._span.set_attribute("http.response.status_code", status)
        self._routed(route)
        if status >= _SERVER_ERROR:
            self.failed(str(status))

    def failed(self, kind: str) -> None:
        """Mark it as failed."""
        self._span.set_attribute("error.type", kind)
        self._span.set_status(Status(StatusCode.ERROR))

    def _routed(self, route: str | None) -> None:
        if route:
            self._span.set_attribute("http.route", route)
            self._span.update_name(_name(self._method, route))


def _resource() -> Resource:
    """Who sends: Tacit, unless the environment gives it another name."""
    ours = Resource.create({"service.name": "tacit", "service.version": __version__})
    return ours.merge(OTELResourceDetector().detect())


def _name(method: str, route: str | None) -> str:
    verb = "HTTP" if method == _OTHER_METHOD else method
    return f"{verb} {route}" if route else verb


def _caller(headers: Mapping[str, str]) -> Context:
    """The trace that a request belongs to, by the headers of W3C Trace Context."""
    carrier = {name.lower(): value for name, value in headers.items()}
    return TraceContextTextMapPropagator().extract(carrier, Context())


def _attributes(receipt: Receipt, request_id: str | None) -> dict[str, AttributeValue]:
    """What a span tells of a turn: counts, closed words and ids, never texts."""
    attributes: dict[str, AttributeValue] = {
        "tacit.receipt": receipt.id,
        "tacit.outcome": outcome_of(receipt),
        "tacit.candidates": len(receipt.candidates),
        "tacit.injected": len(receipt.injected),
        "tacit.deduped": receipt.deduped,
        "tacit.conflicts": len(receipt.conflicts),
        "tacit.tokens": receipt.tokens,
        "tacit.recached_tokens": receipt.recached_tokens,
        "tacit.degraded": degraded_parts(receipt),
    }
    for source, count in receipt.counts().items():
        attributes[f"tacit.injected.{source}"] = count
    if request_id is not None:
        attributes["tacit.request_id"] = request_id
    return attributes


def _nanoseconds(seconds: float) -> int:
    return round(seconds * 1_000_000_000)


_OTHER_METHOD = "_OTHER"
_SERVER_ERROR = 500
_LAST_SECONDS = 5.0
