"""Problem details (RFC 9457): every error in one shape, with a code that programs can go by."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from tacit.core.errors import (
    AlreadyKnown,
    ArchiveError,
    ChatLogUnavailable,
    ConfigChanged,
    ConfigError,
    InvalidInput,
    LimitExceeded,
    ModelUnavailable,
    NameTaken,
    NotAllowed,
    NotFound,
    StoreBusy,
    StoreError,
    TacitError,
)
from tacit.runtime.telemetry import current_request_id

_log = logging.getLogger("tacit.server")

MEDIA_TYPE = "application/problem+json"
_LONGEST_SAID = 2_000
_RETRY_SECONDS = "1"


@dataclass(frozen=True, slots=True)
class ProblemCode:
    """A kind of problem: its name, status and title."""

    name: str
    status: int
    title: str

    @property
    def type(self) -> str:
        """The problem type, by which programs tell problems apart."""
        return f"urn:tacit:problem:{self.name}"


INVALID = ProblemCode("invalid_input", 422, "Invalid value")
UNREADABLE = ProblemCode("unreadable", 400, "The request cannot be read")
NOT_FOUND = ProblemCode("not_found", 404, "Not found")
NO_METHOD = ProblemCode("method_not_allowed", 405, "Method not allowed")
KNOWN = ProblemCode("already_known", 409, "It already exists")
TAKEN = ProblemCode("name_taken", 409, "The name is taken")
IN_PROGRESS = ProblemCode("in_progress", 409, "The same request is being answered")
ANSWER_ERASED = ProblemCode(
    "answer_erased", 410, "It was done, and its answer is not kept any more"
)
CHANGED = ProblemCode("changed_meanwhile", 412, "It was changed since it was read")
KEY_MISSING = ProblemCode("key_missing", 401, "A key is needed")
KEY_INVALID = ProblemCode("key_invalid", 401, "The key is not valid")
NOT_ALLOWED = ProblemCode("not_allowed", 403, "The key does not allow this")
CROSS_SITE = ProblemCode("cross_site", 403, "Cross-site requests are not allowed")
WRONG_HOST = ProblemCode("host_not_allowed", 421, "Unknown host name")
TOO_SLOW = ProblemCode("too_slow", 408, "The body arrived too slowly")
TOO_LARGE = ProblemCode("too_large", 413, "The body is too large")
ADDRESS_TOO_LONG = ProblemCode("address_too_long", 414, "The address is too long")
WRONG_MEDIA = ProblemCode("unsupported_media_type", 415, "Unsupported media type")
KEY_REUSED = ProblemCode("key_reused", 422, "The idempotency key was used for another request")
TOO_MANY = ProblemCode("too_many", 429, "Too many requests")
BUSY = ProblemCode("store_busy", 503, "The database is busy")
UNAVAILABLE = ProblemCode("store_unavailable", 503, "The database is unavailable")
NO_CHAT_LOG = ProblemCode("chat_log_unavailable", 503, "The chat log is unavailable")
NO_MODEL = ProblemCode("model_unavailable", 503, "The language model is unavailable")
OVERLOADED = ProblemCode("overloaded", 503, "The server is overloaded")
STOPPING = ProblemCode("stopping", 503, "The server is stopping")
INTERNAL = ProblemCode("internal", 500, "Internal error")


class RequestRefused(TacitError):
    """A refused request, with its problem code and what to do instead."""

    def __init__(self, code: ProblemCode, detail: str, **headers: str) -> None:
        super().__init__(detail)
        self.code = code
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


_CODES: Mapping[type[TacitError], ProblemCode] = MappingProxyType(
    {
        InvalidInput: INVALID,
        ArchiveError: INVALID,
        NotFound: NOT_FOUND,
        AlreadyKnown: KNOWN,
        NameTaken: TAKEN,
        ConfigChanged: CHANGED,
        ConfigError: INVALID,
        NotAllowed: NOT_ALLOWED,
        LimitExceeded: TOO_LARGE,
        StoreBusy: BUSY,
        StoreError: UNAVAILABLE,
        ChatLogUnavailable: NO_CHAT_LOG,
        ModelUnavailable: NO_MODEL,
    }
)
"""The code of each kind of error, the more special ones first."""

_BY_STATUS: Mapping[int, ProblemCode] = MappingProxyType(
    {
        400: UNREADABLE,
        404: NOT_FOUND,
        405: NO_METHOD,
        413: TOO_LARGE,
        415: WRONG_MEDIA,
        422: INVALID,
    }
)


def install_handlers(app: FastAPI) -> None:
    """Turn the errors of routes into problem details."""
    app.add_exception_handler(TacitError, _handle_tacit_error)
    app.add_exception_handler(RequestValidationError, _handle_validation_error)
    app.add_exception_handler(HTTPException, _handle_http_error)


def problem_response(
    code: ProblemCode,
    detail: str,
    *,
    field: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """A problem-details response."""
    content: dict[str, Any] = {
        "type": code.type,
        "title": code.title,
        "status": code.status,
        "detail": detail,
        "field": field,
        "request_id": current_request_id(),
    }
    given = {name: _to_sendable(value) for name, value in content.items() if value is not None}
    return JSONResponse(given, code.status, dict(headers or {}), MEDIA_TYPE)


def _to_sendable(value: Any) -> Any:
    """A value without lone surrogates; long text is cut."""
    if not isinstance(value, str):
        return value
    cut = value if len(value) <= _LONGEST_SAID else f"{value[:_LONGEST_SAID]}…"
    return cut.encode(errors="replace").decode()


def code_of(error: TacitError) -> ProblemCode:
    """The problem code of a Tacit error."""
    if isinstance(error, RequestRefused):
        return error.code
    return next((code for kind, code in _CODES.items() if isinstance(error, kind)), INTERNAL)


def response_to_error(error: TacitError) -> JSONResponse:
    """The response to a Tacit error."""
    code = code_of(error)
    if isinstance(error, RequestRefused):
        return problem_response(code, str(error), headers=error.headers)
    if code.status >= INTERNAL.status:
        _log.error("%s: %s", type(error).__name__, error)
    if code is INTERNAL:
        return problem_response(code, "see the server's log for this request")
    if isinstance(error, InvalidInput):
        return problem_response(code, error.problem, field=error.field)
    headers = {"Retry-After": _RETRY_SECONDS} if code is BUSY else {}
    return problem_response(code, _PRIVATE_DETAILS.get(code, str(error)), headers=headers)


_PRIVATE_DETAILS: Mapping[ProblemCode, str] = MappingProxyType(
    {
        UNAVAILABLE: "the database cannot answer now; the server's log says why",
        NO_MODEL: "the language model cannot answer now; the server's log says why",
        NO_CHAT_LOG: "the chat log cannot be read or written; the server's log says why",
    }
)
"""What is said instead of messages that name files of the server."""


async def _handle_tacit_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, TacitError)
    if isinstance(error, RequestRefused):
        request.app.state.service.metrics.count_refusal(error.code.name)
    return response_to_error(error)


async def _handle_validation_error(request: Request, error: Exception) -> JSONResponse:
    """Report the first validation error and its field."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = [str(each) for each in first["loc"][1:]]
    if first["type"] == "json_invalid":
        return problem_response(UNREADABLE, f"the body is not JSON: {first['ctx']['error']}")
    if not place and first["type"] in _NO_OBJECT and not _is_json(request):
        return problem_response(WRONG_MEDIA, "send JSON, with Content-Type: application/json")
    others = len(error.errors()) - 1
    more = f" (and {others} more)" if others else ""
    said = _VALIDATION_MESSAGES.get(first["type"], first["msg"])
    return problem_response(INVALID, f"{said}{more}", field=".".join(place) or first["loc"][0])


def _is_json(request: Request) -> bool:
    return "json" in request.headers.get("content-type", "")


_NO_OBJECT = ("model_attributes_type", "dict_type", "model_type")
_VALIDATION_MESSAGES: Mapping[str, str] = MappingProxyType(
    {
        "extra_forbidden": "there is no such field; /openapi.json lists those there are",
        "missing": "is missing; give it",
        "model_attributes_type": "expected a JSON object",
        "dict_type": "expected a JSON object",
        "list_type": "expected a list",
        "string_type": "expected text",
        "int_parsing": "expected a whole number",
        "bool_parsing": "expected true or false",
        "float_parsing": "expected a number",
    }
)
"""What is wrong in our own words, by the validator's name for it."""


async def _handle_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, TacitError):  # a body that was refused while it was read
        return response_to_error(error.__cause__)
    code = _BY_STATUS.get(error.status_code, INTERNAL)
    if code is NO_METHOD:
        allowed = ", ".join(_allowed_methods(request))
        return problem_response(code, f"this address takes {allowed}", headers={"Allow": allowed})
    details = {NOT_FOUND: "there is nothing at this address; /openapi.json lists what there is"}
    return problem_response(code, details.get(code, str(error.detail)), headers=error.headers)


def _allowed_methods(request: Request) -> list[str]:
    """The methods of all routes that match a path."""
    taken: set[str] = set()
    for path, methods in request.app.openapi()["paths"].items():
        pattern = re.sub(r"\\\{[^}]+\\\}", "[^/]+", re.escape(path))
        if re.fullmatch(pattern, request.url.path):
            taken |= {method.upper() for method in methods}
    return sorted(taken)


def response_to_unexpected(error: Exception) -> JSONResponse:
    """The response to an unexpected error; its message stays in the log."""
    _log.error("an error that nobody expected: %s", error, exc_info=error)
    return problem_response(INTERNAL, "see the server's log for this request")
