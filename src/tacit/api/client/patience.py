"""When a request is sent again, and after how long."""

import httpx2

from tacit.api.client.call import Call

_PAUSES = (0.1, 0.3, 0.9, 2.7)
"""Seconds before each further try, unless the server says how long."""

_REFUSED_FOR_NOW = (429, 503)
_IN_PROGRESS = "urn:tacit:problem:in_progress"


def pause_after_answer(call: Call, response: httpx2.Response, tries: int) -> float | None:
    """How long to wait after the answer to a try, counted from 1; None if it stands."""
    is_refused = response.status_code in _REFUSED_FOR_NOW or _is_in_progress(response)
    is_passing = is_refused and not call.accepts(response.status_code)
    if tries >= call.tries or not call.is_repeatable or not is_passing:
        return None
    seconds = response.headers.get("Retry-After", "")
    return float(seconds) if seconds.isdecimal() else _pause(tries)


def pause_after_failure(call: Call, error: httpx2.RequestError, tries: int) -> float | None:
    """How long to wait after a connection failed; None where another try is no help or unsafe.

    What could not connect has done nothing; what was cut off may have been done.
    """
    if tries >= call.tries:
        return None
    is_safe = isinstance(error, httpx2.ConnectError) or call.is_repeatable
    is_passing = isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError)
    return _pause(tries) if is_safe and is_passing else None


def _pause(tries: int) -> float:
    return _PAUSES[min(tries, len(_PAUSES)) - 1]


def _is_in_progress(response: httpx2.Response) -> bool:
    """Whether an earlier try of the same request is being worked on."""
    return response.status_code == httpx2.codes.CONFLICT and _IN_PROGRESS in response.text
