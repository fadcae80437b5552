"""An OpenAI-compatible address that embeds: one request, repeated while that may help."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import httpx2
import numpy as np
from numpy.typing import NDArray

from tacit.embedding.surrogates import encodable
from tacit.errors import EmbedderFailed, InvalidInput

_WAITS = (0.5, 1.0)
"""Seconds before the second try and before the third, unless the server says how long."""

_LONGEST_WAIT = 10.0
_TIMEOUT = httpx2.Timeout(30, connect=5)
_EXCERPT = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """Vectors as they came, and the name of the model as the server tells it."""

    vectors: NDArray[np.float32]
    model: str


class Endpoint:
    """Asks one model of one server; threads may share it."""

    def __init__(self, url: str, name: str, key: str | None) -> None:
        self.name = name
        self._url = _address(url)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(headers=headers, timeout=_TIMEOUT)

    def __str__(self) -> str:
        return f"{self._url.copy_with(userinfo=b'')} ({self.name})"

    def close(self) -> None:
        """Let go of its connections."""
        self._client.close()

    def ask(self, texts: Sequence[str]) -> Answer:
        """The vectors of a few texts, in their order."""
        # Servers refuse an empty text; a blank one means as little.
        wanted = {"model": self.name, "input": [encodable(text) or " " for text in texts]}
        response = self._post(wanted)
        if not response.is_success:
            raise EmbedderFailed(f"{self}: {_refusal(response)}")
        return self._read(response, len(texts))

    def _post(self, wanted: dict[str, Any]) -> httpx2.Response:
        for wait in _WAITS:
            response = self._tried(wanted)
            if response is not None and not _may_pass(response):
                return response
            time.sleep(wait if response is None else _asked_to_wait(response, wait))
        try:
            return self._client.post(self._url, json=wanted)
        except httpx2.TransportError as error:
            raise EmbedderFailed(
                f"{self}: cannot be reached ({error}); check the address and the server"
            ) from error

    def _tried(self, wanted: dict[str, Any]) -> httpx2.Response | None:
        with suppress(httpx2.TransportError):
            return self._client.post(self._url, json=wanted)
        return None

    def _read(self, response: httpx2.Response, count: int) -> Answer:
        try:
            document = response.json()
            rows = sorted(document["data"], key=lambda row: row["index"])
            vectors = np.array([row["embedding"] for row in rows], np.float32)
            told = str(document.get("model") or self.name)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise EmbedderFailed(
                f"{self}: does not answer like OpenAI's /v1/embeddings; check the address"
            ) from error
        if vectors.ndim != 2 or len(vectors) != count:
            raise EmbedderFailed(f"{self}: {count} texts were sent, {len(vectors)} vectors came")
        return Answer(vectors, told)


def _address(url: str) -> httpx2.URL:
    try:
        return httpx2.URL(f"{url.rstrip('/')}/embeddings")
    except httpx2.InvalidURL as error:
        raise InvalidInput("embedder", f"{url} is not a web address ({error})") from error


def _may_pass(response: httpx2.Response) -> bool:
    return response.status_code == httpx2.codes.TOO_MANY_REQUESTS or response.is_server_error


def _asked_to_wait(response: httpx2.Response, otherwise: float) -> float:
    try:
        seconds = float(response.headers["retry-after"])
    except (KeyError, ValueError):
        return otherwise
    return min(max(seconds, 0), _LONGEST_WAIT)


def _refusal(response: httpx2.Response) -> str:
    advice = {
        401: "set the key in the environment",
        403: "check that the key may use this model",
        404: "check the address and the name of the model",
        429: "wait, or raise the limit there",
    }.get(response.status_code, "see what the server says")
    said = " ".join(response.text.split())[:_EXCERPT]
    return f"answers {response.status_code}; {advice}" + (f": {said}" if said else "")
