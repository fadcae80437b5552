"""A language model behind any OpenAI-compatible address."""

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tacit.core.errors import ModelLate, ModelUnavailable
from tacit.embedding.endpoint import Endpoint
from tacit.language.tokens import estimate

KEY_ENV = "OPENAI_API_KEY"
BASE_URL_ENV = "OPENAI_BASE_URL"

_OPENAI = "https://api.openai.com/v1"
_TIMEOUT = 60.0

Messages = Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model wrote, and how many tokens that took, its prompt included."""

    text: str
    tokens: int


class ChatModel:
    """Asks one model; its key is in the environment, in OPENAI_API_KEY."""

    def __init__(self, model: str, base_url: str | None = None, timeout: float = _TIMEOUT) -> None:
        self.model = model
        self.base_url = base_url
        self._timeout = timeout

    def ask(self, messages: Messages, schema: Mapping[str, Any] | None = None) -> Answer:
        """What the model answers; with a schema, JSON that should follow it."""
        wanted: dict[str, Any] = {"messages": [dict(message) for message in messages]}
        if schema is not None:
            described = {"name": "answer", "strict": True, "schema": schema}
            wanted["response_format"] = {"type": "json_schema", "json_schema": described}
        with closing(self._endpoint()) as endpoint:
            document = _document(endpoint, wanted)
        try:
            text = document["choices"][0]["message"]["content"]
        except (LookupError, TypeError):
            raise ModelUnavailable(
                f"{endpoint}: does not answer like OpenAI's /v1/chat/completions; check the address"
            ) from None
        told = str(text or "").strip()
        return Answer(told, _tokens(document, [*(each["content"] for each in messages), told]))

    def _endpoint(self) -> Endpoint:
        return Endpoint(
            self.base_url or os.environ.get(BASE_URL_ENV) or _OPENAI,
            "chat/completions",
            self.model,
            key_env=KEY_ENV,
            failure=ModelUnavailable,
            late=ModelLate,
            timeout=self._timeout,
        )


def _document(endpoint: Endpoint, wanted: Mapping[str, Any]) -> Any:
    response = endpoint.post(wanted)
    try:
        return response.json()
    except (ValueError, RecursionError) as error:
        raise ModelUnavailable(f"{endpoint}: answers without JSON; check the address") from error


def _tokens(document: Any, texts: Sequence[str]) -> int:
    """What the server counted, or an estimate where it tells nothing."""
    usage = document.get("usage") if isinstance(document, Mapping) else None
    total = usage.get("total_tokens") if isinstance(usage, Mapping) else None
    if isinstance(total, int) and not isinstance(total, bool) and total > 0:
        return total
    return sum(map(estimate, texts))
