"""How calls travel: one pool of connections, more tries where that is safe, errors of ours."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx2

from tacit.api.client.call import Call
from tacit.api.client.patience import pause_after_answer, pause_after_failure
from tacit.api.client.refusal import error_of
from tacit.core.errors import InvalidInput, LimitExceeded, Unanswered
from tacit.version import __version__

Value = TypeVar("Value")

_CONNECT_SECONDS = 5.0
_IDLE_SECONDS = 3.0
"""Connections that were idle for longer are not used again: servers close them soon after."""

_EXAMPLE = "http://127.0.0.1:8377"


class Transport:
    """Sends calls to one server; threads may share it. The key is in no message and no repr."""

    def __init__(self, url: str, key: str | None, timeout: float) -> None:
        self.timeout = timeout
        headers = {"User-Agent": f"tacit/{__version__}"}
        if key:
            headers["Authorization"] = f"Bearer {_sendable(key)}"
        base = _address(url)
        self.address = str(base.copy_with(userinfo=b"", query=None, fragment=None)).rstrip("/")
        self._client = httpx2.Client(
            base_url=base,
            headers=headers,
            limits=httpx2.Limits(max_connections=None, keepalive_expiry=_IDLE_SECONDS),
        )

    def __repr__(self) -> str:
        return f"Transport({self.address!r})"

    def within(self, timeout: float) -> Self:
        """The same connections for calls that may take longer, or less long."""
        other = copy(self)
        other.timeout = timeout
        return other

    def ask(
        self, call: Call, read: Callable[[Any], Value], *, at_most: float | None = None
    ) -> Value:
        """The value that the answer holds; `at_most` is for those who cannot wait as long."""
        seconds = self.timeout if at_most is None else min(at_most, self.timeout)
        response = self._answered(call, time.monotonic() + seconds)
        return self._read(call, response, lambda answer: read(_content(answer)))

    def fetch(self, call: Call, read: Callable[[httpx2.Response], Value]) -> Value:
        """What is read of the answer itself, such as its text or a header."""
        response = self._answered(call, time.monotonic() + self.timeout)
        return self._read(call, response, read)

    @contextmanager
    def stream(self, call: Call, silence: float) -> Iterator[httpx2.Response]:
        """An answer as it comes, in one try; it ends where nothing comes for so many seconds."""
        patience = httpx2.Timeout(silence, connect=_CONNECT_SECONDS)
        request = self._request(call, patience)
        try:
            response = self._client.send(request, stream=True)
            try:
                if not response.is_success:
                    response.read()
                    raise error_of(response, self.address)
                yield response
            finally:
                response.close()
        except httpx2.RequestError as error:
            raise self._silence(error) from error

    def close(self) -> None:
        """Let go of its connections."""
        self._client.close()

    def _answered(self, call: Call, until: float) -> httpx2.Response:
        """The answer that stands, after as many tries as there are time and reason for."""
        tries = 0
        while True:
            tries += 1
            left = max(until - time.monotonic(), 0.001)
            pause: float | None
            try:
                request = self._request(call, httpx2.Timeout(left, connect=_connecting(left)))
                response = self._client.send(request)
            except httpx2.RequestError as error:
                pause = pause_after_failure(call, error, tries)
                if pause is None or time.monotonic() + pause >= until:
                    raise self._silence(error) from error
            else:
                pause = pause_after_answer(call, response, tries)
                if pause is None or time.monotonic() + pause >= until:
                    return response
            time.sleep(pause)

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
            raise error_of(response, self.address)
        try:
            return read(response)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise Unanswered(
                f"{self.address} answers, but not as Tacit {__version__} does; check the address,"
                " and that the server has the same version"
            ) from error

    def _silence(self, error: httpx2.RequestError) -> Unanswered:
        why = str(error) or type(error).__name__
        return Unanswered(
            f"{self.address} does not answer ({why}); check the address, and that tacit serve runs"
        )


def headers_for(workspace: str | None) -> Mapping[str, str]:
    """What says which workspace a call is about."""
    return {} if workspace is None else {"Tacit-Workspace": quote(workspace, safe="")}


def _content(answer: httpx2.Response) -> Any:
    """What an answer says as JSON; None if it says nothing."""
    return answer.json() if answer.content else None


def _sendable(key: str) -> str:
    """A key that a header can hold; it is not repeated, as it is secret."""
    if not key.isascii() or not key.isprintable() or key != key.strip():
        raise InvalidInput("key", "holds characters that no header can; use printable ASCII ones")
    return key


def _address(url: str) -> httpx2.URL:
    try:
        address = httpx2.URL(url.strip())
    except httpx2.InvalidURL as error:
        raise InvalidInput("url", f"is not a web address ({error}); write {_EXAMPLE}") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise InvalidInput("url", f"is not a web address; write it like {_EXAMPLE}")
    return address


def _connecting(left: float) -> float:
    return min(left, _CONNECT_SECONDS)
