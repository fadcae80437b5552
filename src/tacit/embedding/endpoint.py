"""An OpenAI-compatible address: one request, repeated while that may help."""

import json
import os
from collections.abc import Mapping
from typing import Any

import httpx2

from tacit.core.errors import InvalidInput, TacitError
from tacit.language.redaction.redact import redact_start
from tacit.runtime.retries import parse_retry_after, run_with_retries, usual_delay

_RETRY_WAITS = (0.5, 1.0)
"""Seconds before the second and third attempt, unless the server says how long."""

_LONGEST_WAIT = 10.0
_CONNECT_TIMEOUT = 5.0
_EXCERPT = 200
_REFUSED = (400, 413, 422)
"""What a server answers if it cannot do with what it was sent."""


class Endpoint:
    """One model of one OpenAI-compatible server; threads may share it.

    Its key is read from the environment variable `key_env`; without a name there is none. Failures
    raise `failure`, timeouts may raise `late`: a request that timed out may have cost as much as
    one that was answered. What the server does not accept may raise `refused`.
    """

    def __init__(
        self,
        url: str,
        path: str,
        model: str,
        *,
        key_env: str,
        failure: type[TacitError],
        late: type[TacitError] | None = None,
        refused: type[TacitError] | None = None,
        timeout: float = 30.0,
    ) -> None:
        self.model = model
        self._key_env = key_env
        self._failure = failure
        self._late = late or failure
        self._refused = refused or failure
        try:
            self._url = httpx2.URL(f"{url.rstrip('/')}/{path}")
        except httpx2.InvalidURL as error:
            raise InvalidInput("address", f"{url} is not a web address ({error})") from error
        limit = httpx2.Timeout(timeout, connect=_CONNECT_TIMEOUT)
        self._client = httpx2.Client(headers=self._headers(), timeout=limit)

    def __str__(self) -> str:
        return f"{self._url.copy_with(userinfo=b'')} ({self.model})"

    def close(self) -> None:
        """Close its connections."""
        self._client.close()

    def post(self, wanted: Mapping[str, Any]) -> httpx2.Response:
        """Send a request; a refusal raises an error that says what to check."""
        document = json.dumps({"model": self.model, **wanted}, ensure_ascii=False)
        response = self._send_with_retries(document.encode("utf-8", "replace"))
        if not response.is_success:
            is_refused = response.status_code in _REFUSED
            error = self._refused if is_refused else self._failure
            raise error(f"{self}: {_describe_refusal(response, self._key_env)}")
        return response

    def _headers(self) -> dict[str, str]:
        key = os.environ.get(self._key_env, "").strip() if self._key_env else ""
        if not (key.isascii() and key.isprintable()):
            raise self._failure(f"{self._key_env}: no key has such characters; set it anew")
        proof = {"Authorization": f"Bearer {key}"} if key else {}
        return {"Content-Type": "application/json", **proof}

    def _send_with_retries(self, document: bytes) -> httpx2.Response:
        try:
            return run_with_retries(
                lambda: self._client.post(self._url, content=document),
                httpx2.RequestError,
                _retry_delay,
            )
        except httpx2.ReadTimeout as error:
            raise self._late(
                f"{self}: does not answer in time; ask for less, or another model"
            ) from error
        except httpx2.RequestError as error:
            raise self._failure(
                f"{self}: cannot be reached ({error}); check the address and the server"
            ) from error


def _retry_delay(outcome: httpx2.Response | httpx2.RequestError, tries: int) -> float | None:
    """Seconds before the next attempt; None if it cannot help. A timeout is not retried."""
    if tries > len(_RETRY_WAITS):
        return None
    wait = usual_delay(_RETRY_WAITS, tries)
    if isinstance(outcome, httpx2.RequestError):
        return None if isinstance(outcome, httpx2.ReadTimeout) else wait
    if outcome.status_code != httpx2.codes.TOO_MANY_REQUESTS and not outcome.is_server_error:
        return None
    wished = parse_retry_after(outcome.headers.get("retry-after"))
    return wait if wished is None else min(wished, _LONGEST_WAIT)


def _describe_refusal(response: httpx2.Response, key_env: str) -> str:
    missing = f"set the key in the environment, in {key_env}" if key_env else "it wants a key"
    advice = {
        401: missing,
        403: "check that the key may use this model",
        404: "check the address and the name of the model",
        429: "wait, or raise the limit there",
    }.get(response.status_code, "see what the server says")
    said = redact_start(" ".join(response.text.split()), _EXCERPT).text
    return f"answers {response.status_code}; {advice}" + (f": {said}" if said else "")
