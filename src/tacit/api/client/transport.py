"""How calls travel to a server: one connection pool, retries where they are safe, errors."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx2

from tacit.core.errors import (
    AlreadyKnown,
    ArchiveError,
    ChatLogUnavailable,
    ConfigChanged,
    InvalidInput,
    LimitExceeded,
    ModelUnavailable,
    NameTaken,
    NotAllowed,
    NotFound,
    StoreBusy,
    StoreUnavailable,
    TacitError,
    Unanswered,
)
from tacit.runtime.retries import parse_retry_after, run_with_retries, usual_delay
from tacit.version import __version__

JSON = "application/json"
MOST_TRIES = 5
_OK, _NOT_OK = 200, 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request; a repeatable one has no further effect when it arrives twice."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    content: bytes | None = None
    media_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    is_repeatable: bool = False
    tries: int = MOST_TRIES
    accepted: tuple[int, ...] = ()
    """Statuses that are an answer too, besides those of success."""

    @property
    def all_headers(self) -> dict[str, str]:
        """All headers, including the content type."""
        carried = {} if self.content is None else {"Content-Type": self.media_type}
        return {**self.headers, **carried}

    def accepts(self, status: int) -> bool:
        """Whether a status is an answer, not an error."""
        return _OK <= status < _NOT_OK or status in self.accepted


def to_json_bytes(body: Any) -> bytes:
    """A body as JSON; lone surrogates are escaped."""
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(body, separators=(",", ":")).encode()


def to_query(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values as query parameters, without those that are None."""
    return {name: _to_query_value(value) for name, value in values.items() if value is not None}


def _to_query_value(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return [str(each) for each in value]
    return str(value)


# Retries


_RETRY_SECONDS = (0.1, 0.3, 0.9, 2.7)
"""Seconds before each further try, unless the server says how long."""

_REFUSED_FOR_NOW = (429, 503)
_IN_PROGRESS = "urn:tacit:problem:in_progress"


def _retry_delay(
    call: Call, outcome: httpx2.Response | httpx2.RequestError, tries: int
) -> float | None:
    if isinstance(outcome, httpx2.Response):
        return _delay_after_response(call, outcome, tries)
    return _delay_after_error(call, outcome, tries)


def _delay_after_response(call: Call, response: httpx2.Response, tries: int) -> float | None:
    """Seconds to wait before the next try after a response; None if the response is final."""
    is_refused = response.status_code in _REFUSED_FOR_NOW or _is_in_progress(response)
    is_passing = is_refused and not call.accepts(response.status_code)
    if tries >= call.tries or not call.is_repeatable or not is_passing:
        return None
    wait = parse_retry_after(response.headers.get("Retry-After"))
    return usual_delay(_RETRY_SECONDS, tries) if wait is None else wait


def _delay_after_error(call: Call, error: httpx2.RequestError, tries: int) -> float | None:
    """Seconds to wait after a connection error; None if a retry is useless or unsafe.

    What could not connect has done nothing; what was cut off may have been done.
    """
    if tries >= call.tries:
        return None
    is_safe = isinstance(error, httpx2.ConnectError) or call.is_repeatable
    is_passing = isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError)
    return usual_delay(_RETRY_SECONDS, tries) if is_safe and is_passing else None


def _is_in_progress(response: httpx2.Response) -> bool:
    """Whether an earlier try of the same request is still being answered."""
    return response.status_code == httpx2.codes.CONFLICT and _IN_PROGRESS in response.text


# Errors


_PREFIX = "urn:tacit:problem:"

_KINDS: Mapping[str, Callable[[str], TacitError]] = MappingProxyType(
    {
        "not_found": NotFound,
        "already_known": AlreadyKnown,
        "name_taken": NameTaken,
        "changed_meanwhile": ConfigChanged,
        "key_missing": NotAllowed,
        "key_invalid": NotAllowed,
        "not_allowed": NotAllowed,
        "cross_site": NotAllowed,
        "host_not_allowed": NotAllowed,
        "too_large": LimitExceeded,
        "too_many": LimitExceeded,
        "overloaded": LimitExceeded,
        "store_busy": StoreBusy,
        "store_unavailable": StoreUnavailable,
        "chat_log_unavailable": ChatLogUnavailable,
        "model_unavailable": ModelUnavailable,
    }
)
_BY_STATUS: Mapping[int, Callable[[str], TacitError]] = MappingProxyType(
    {401: NotAllowed, 403: NotAllowed, 413: LimitExceeded, 429: LimitExceeded}
)


def error_from_response(response: httpx2.Response, address: str) -> TacitError:
    """The exception for an error response."""
    problem = _problem_details(response)
    if problem is None:
        kind = _BY_STATUS.get(response.status_code, Unanswered)
        said = f"{address} answers {response.status_code}, and not as Tacit does"
        return kind(f"{said}; check the address, and what stands in between")
    code = str(problem["type"]).removeprefix(_PREFIX)
    detail = str(problem.get("detail") or problem.get("title") or code)
    if code == "invalid_input":
        field = problem.get("field")
        return ArchiveError(detail) if field is None else InvalidInput(str(field), detail)
    return _KINDS[code](detail) if code in _KINDS else _unexpected_problem(address, detail, problem)


def _problem_details(response: httpx2.Response) -> Mapping[str, Any] | None:
    """The problem details, if a Tacit server sent them."""
    try:
        document = response.json()
    except ValueError:
        return None
    is_ours = isinstance(document, dict) and str(document.get("type", "")).startswith(_PREFIX)
    return document if is_ours else None


def _unexpected_problem(address: str, detail: str, problem: Mapping[str, Any]) -> TacitError:
    """The error of a Tacit server that is stopping, failing, or of another version."""
    request = problem.get("request_id")
    named = f" (request {request})" if request else ""
    return Unanswered(f"{address}: {detail}{named}")


# Transport


Value = TypeVar("Value")

_CONNECT_SECONDS = 5.0
_IDLE_SECONDS = 3.0
"""Connections that were idle for longer are not used again: servers close them soon after."""

_EXAMPLE = "http://127.0.0.1:8377"


class Transport:
    """Sends calls to one server; thread-safe. The key appears in no message and no repr."""

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        self.timeout = timeout
        headers = {"User-Agent": f"tacit/{__version__}"}
        if key:
            headers["Authorization"] = f"Bearer {_check_key(key)}"
        base = _parse_url(url)
        self.address = str(base.copy_with(userinfo=b"", query=None, fragment=None)).rstrip("/")
        self._client = httpx2.Client(
            base_url=base,
            headers=headers,
            limits=httpx2.Limits(max_connections=None, keepalive_expiry=_IDLE_SECONDS),
        )

    def __repr__(self) -> str:
        return f"Transport({self.address!r})"

    def within(self, timeout: float) -> Self:
        """The same connections with another timeout."""
        other = copy(self)
        other.timeout = timeout
        return other

    def send(
        self, call: Call, read: Callable[[Any], Value], *, at_most: float | None = None
    ) -> Value:
        """Send a call and read its JSON; `at_most` limits the timeout."""
        seconds = self.timeout if at_most is None else min(at_most, self.timeout)
        response = self._send_with_retries(call, time.monotonic() + seconds)
        return self._read(call, response, lambda answer: read(_json_of(answer)))

    def fetch(self, call: Call, read: Callable[[httpx2.Response], Value]) -> Value:
        """Send a call and read the response itself, such as its text or a header."""
        response = self._send_with_retries(call, time.monotonic() + self.timeout)
        return self._read(call, response, read)

    @contextmanager
    def stream(self, call: Call, silence: float) -> Iterator[httpx2.Response]:
        """Stream a response, without retries; ends after `silence` seconds without data."""
        patience = httpx2.Timeout(silence, connect=_CONNECT_SECONDS)
        request = self._request(call, patience)
        try:
            response = self._client.send(request, stream=True)
            try:
                if not response.is_success:
                    response.read()
                    raise error_from_response(response, self.address)
                yield response
            finally:
                response.close()
        except httpx2.RequestError as error:
            raise self._no_answer(error) from error

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _send_with_retries(self, call: Call, until: float) -> httpx2.Response:
        """The final response, after retries as far as time and safety allow."""

        def send() -> httpx2.Response:
            left = max(until - time.monotonic(), 0.001)
            limit = httpx2.Timeout(left, connect=_connect_timeout(left))
            return self._client.send(self._request(call, limit))

        try:
            return run_with_retries(
                send,
                httpx2.RequestError,
                lambda outcome, tries: _retry_delay(call, outcome, tries),
                until=until,
            )
        except httpx2.RequestError as error:
            raise self._no_answer(error) from error

    def _request(self, call: Call, timeout: httpx2.Timeout) -> httpx2.Request:
        try:
            return self._client.build_request(
                call.method,
                call.path,
                params=dict(call.params),
                content=call.content,
                headers=call.all_headers,
                timeout=timeout,
            )
        except httpx2.InvalidURL as error:
            problem = f"the call has no room in an address ({error}); say less in it"
            raise LimitExceeded(problem) from error

    def _read(
        self, call: Call, response: httpx2.Response, read: Callable[[httpx2.Response], Value]
    ) -> Value:
        if not call.accepts(response.status_code):
            raise error_from_response(response, self.address)
        try:
            return read(response)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise Unanswered(
                f"{self.address} answers, but not as Tacit {__version__} does; check the address,"
                " and that the server has the same version"
            ) from error

    def _no_answer(self, error: httpx2.RequestError) -> Unanswered:
        why = str(error) or type(error).__name__
        return Unanswered(
            f"{self.address} does not answer ({why}); check the address, and that tacit serve runs"
        )


def headers_for(workspace: str | None) -> Mapping[str, str]:
    """The header that names the workspace."""
    return {} if workspace is None else {"Tacit-Workspace": quote(workspace, safe="")}


def _json_of(answer: httpx2.Response) -> Any:
    """The JSON of a response; None if it is empty."""
    return answer.json() if answer.content else None


def _check_key(key: str) -> str:
    """Check that a header can carry the key; the error does not repeat it."""
    if not key.isascii() or not key.isprintable() or key != key.strip():
        raise InvalidInput("key", "holds characters that no header can; use printable ASCII ones")
    return key


def _parse_url(url: str) -> httpx2.URL:
    try:
        address = httpx2.URL(url.strip())
    except httpx2.InvalidURL as error:
        raise InvalidInput("url", f"is not a web address ({error}); write {_EXAMPLE}") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise InvalidInput("url", f"is not a web address; write it like {_EXAMPLE}")
    return address


def _connect_timeout(left: float) -> float:
    return min(left, _CONNECT_SECONDS)
