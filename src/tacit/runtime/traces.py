"""Traces of requests and turns, for whoever collects them."""

import logging
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from tacit.core.receipt import Receipt

_log = logging.getLogger("tacit.telemetry")


class TracedRequest(Protocol):
    """A request while it is traced."""

    def answered(self, status: int, route: str | None = None) -> None:
        """Say how it was answered, and by which route where that was not known before."""


class Tracer(Protocol):
    """Tells a collector what is done; a request never waits for it."""

    def request(
        self, method: str, route: str | None, headers: Mapping[str, str]
    ) -> AbstractContextManager[TracedRequest]:
        """Trace a request while it is served, below the caller's own trace if it names one."""

    def turn(self, receipt: Receipt, request_id: str | None = None) -> None:
        """Tell of a turn that began, and of its stages, below the request that is traced."""

    def close(self) -> None:
        """Send what was not sent, and end."""


class NoTracer:
    """Tells nobody."""

    def request(
        self,
        method: str,  # noqa: ARG002
        route: str | None,  # noqa: ARG002
        headers: Mapping[str, str],  # noqa: ARG002
    ) -> AbstractContextManager[TracedRequest]:
        """Nothing."""
        return _UNTRACED

    def turn(self, receipt: Receipt, request_id: str | None = None) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


class _Untraced:
    def answered(self, status: int, route: str | None = None) -> None:
        """Nothing."""


_UNTRACED = nullcontext(_Untraced())


def create_tracer(environment: Mapping[str, str]) -> Tracer:
    """A tracer that sends to the collector that OpenTelemetry's variables name, if they do."""
    address = _address(environment)
    if address is None:
        return NoTracer()
    try:
        from tacit.runtime.spans import SpanTracer

        return SpanTracer.sending_to(address)
    except ImportError as error:
        _log.warning(
            "no traces are sent, because more is needed than is installed (%s);"
            " run: pip install 'tacit[otel]', or unset OTEL_EXPORTER_OTLP_ENDPOINT",
            error,
        )
    except ValueError as error:
        _log.warning("no traces are sent, because a variable OTEL_… is wrong: %s", error)
    return NoTracer()


def _address(environment: Mapping[str, str]) -> str | None:
    """Where traces go: their own address as it is, or a path below the one for everything."""
    own = environment.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    common = environment.get("OTEL_EXPORTER_OTLP_ENDPOINT")
    if own or not common:
        return own or None
    return f"{common.rstrip('/')}/v1/traces"
