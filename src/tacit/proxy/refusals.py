"""Errors of the proxy itself, in the form in which the provider writes its own."""

import json
from collections.abc import Mapping
from typing import Any

from tacit.api.model_calls.formats.format import Provider
from tacit.core.errors import InvalidInput, NameTaken, NotAllowed, TacitError
from tacit.proxy.upstream import UpstreamError
from tacit.server.problems import RequestRefused

_ANTHROPIC_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
}
_OPENAI_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "invalid_request_error",
    413: "invalid_request_error",
    429: "rate_limit_error",
}
_UNSEEN = "the proxy failed; see its log"


def status_of(error: Exception) -> int:
    """The status of a response to an error."""
    if isinstance(error, RequestRefused):
        return error.code.status
    if isinstance(error, UpstreamError):
        return 504 if error.is_late else 502
    if isinstance(error, InvalidInput):
        return 400
    return 403 if isinstance(error, NameTaken | NotAllowed) else 500


def write_refusal(provider: Provider, error: Exception) -> bytes:
    """The body of a response to an error."""
    status = status_of(error)
    is_told = isinstance(error, TacitError | UpstreamError)
    message = f"Tacit: {error if is_told else _UNSEEN}"
    return json.dumps(_describe(provider, status, message)).encode()


def _describe(provider: Provider, status: int, message: str) -> dict[str, Any]:
    if provider is Provider.ANTHROPIC:
        type = _ANTHROPIC_TYPES.get(status, "api_error")
        return {"type": "error", "error": {"type": type, "message": message}}
    type = _OPENAI_TYPES.get(status, "server_error")
    return {"error": {"message": message, "type": type, "param": None, "code": f"tacit_{status}"}}
