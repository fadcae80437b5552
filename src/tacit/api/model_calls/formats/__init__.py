"""The request and response formats of the providers' APIs, one module each."""

from collections.abc import Mapping

from tacit.api.model_calls.formats.chat import ChatCompletions
from tacit.api.model_calls.formats.format import ApiFormat, Provider
from tacit.api.model_calls.formats.messages import Messages
from tacit.api.model_calls.formats.responses import Responses

_FORMATS: Mapping[Provider, Mapping[str, ApiFormat]] = {
    Provider.OPENAI: {
        "/v1/chat/completions": ChatCompletions(),
        "/v1/responses": Responses(),
        "/v1/responses/input_tokens": Responses(counts=True),
    },
    Provider.ANTHROPIC: {
        "/v1/messages": Messages(),
        "/v1/messages/count_tokens": Messages(counts=True),
    },
}


def find_format_of_call(provider: Provider, path: str) -> ApiFormat | None:
    """The format of the requests to a path that an SDK asks, whatever its base is."""
    own = path.rstrip("/")
    ends = (each.removeprefix("/v1") for each in _FORMATS[provider])
    return next((find_format(provider, f"/v1{end}") for end in ends if own.endswith(end)), None)


def find_format(provider: Provider, path: str) -> ApiFormat | None:
    """The format of the requests to a path; None if memory has no part in them."""
    return _FORMATS[provider].get(path.rstrip("/"))
