"""Answers that are no, as the errors that the library raises."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import httpx2

from tacit.core.errors import (
    AlreadyKnown,
    ArchiveError,
    ConfigChanged,
    InvalidInput,
    LimitExceeded,
    NameTaken,
    NotAllowed,
    NotFound,
    StoreBusy,
    StoreUnavailable,
    TacitError,
    Unanswered,
)

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
    }
)
_BY_STATUS: Mapping[int, Callable[[str], TacitError]] = MappingProxyType(
    {401: NotAllowed, 403: NotAllowed, 413: LimitExceeded, 429: LimitExceeded}
)


def error_of(response: httpx2.Response, address: str) -> TacitError:
    """The error that an answer stands for."""
    problem = _problem(response)
    if problem is None:
        kind = _BY_STATUS.get(response.status_code, Unanswered)
        said = f"{address} answers {response.status_code}, and not as Tacit does"
        return kind(f"{said}; check the address, and what stands in between")
    code = str(problem["type"]).removeprefix(_PREFIX)
    detail = str(problem.get("detail") or problem.get("title") or code)
    if code == "invalid_input":
        field = problem.get("field")
        return ArchiveError(detail) if field is None else InvalidInput(str(field), detail)
    return _KINDS[code](detail) if code in _KINDS else _unexpected(address, detail, problem)


def _problem(response: httpx2.Response) -> Mapping[str, Any] | None:
    """The problem details of a server of ours."""
    try:
        document = response.json()
    except ValueError:
        return None
    is_ours = isinstance(document, dict) and str(document.get("type", "")).startswith(_PREFIX)
    return document if is_ours else None


def _unexpected(address: str, detail: str, problem: Mapping[str, Any]) -> TacitError:
    """What a server of ours answers when it is stopping, failing, or of another version."""
    request = problem.get("request_id")
    named = f" (request {request})" if request else ""
    return Unanswered(f"{address}: {detail}{named}")
