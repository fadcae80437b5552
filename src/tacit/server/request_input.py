"""What is read from a request: names in its path, ids the caller may reach, its JSON body."""

import inspect
import json
from collections.abc import Callable, Coroutine
from typing import Annotated, Any
from urllib.parse import unquote_to_bytes

from fastapi import Depends, Path, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from pydantic import AfterValidator

from tacit.api.calls.access import CallerAccess
from tacit.core.errors import InvalidInput
from tacit.core.json_checks import MAX_JSON_DEPTH, check_json, has_more_values_than
from tacit.server.access import Caller, get_caller, get_service, identify_caller, work_slot
from tacit.server.problems import TOO_LARGE, RequestRefused
from tacit.server.schemas.common import check_given_id
from tacit.settings.server import ServerSettings

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

_SHORT = 65_536
"""What is longer is read on a thread, so that other requests need not wait for it."""

_LARGE_BODY_PATHS = (
    "/v1/turns",
    "/v1/sessions/",
    "/v1/memories/bulk",
    "/v1/memories/import",
)
"""Histories, many memories and files; no other call needs more than a megabyte."""

_SMALL_KB = 1_024
_KILOBYTE = 1_024
_BYTES_PER_VALUE = 32
"""Values that are shorter than this on average are no memories and no messages."""


def max_body_bytes(path: str, settings: ServerSettings) -> int:
    """The largest body that a path accepts."""
    most = settings.max_body_kb
    return _KILOBYTE * (most if path.startswith(_LARGE_BODY_PATHS) else min(most, _SMALL_KB))


class CheckedRoute(APIRoute):
    """A route whose JSON body is checked before it is validated."""

    def get_route_handler(self) -> Handler:
        """The handler, with requests that check their body."""
        handler = self.around(super().get_route_handler())
        is_threaded = not inspect.iscoroutinefunction(self.endpoint)

        async def handle(request: Request) -> Response:
            checked = _CheckedRequest(request.scope, request.receive)
            if not is_threaded:
                return await handler(checked)
            async with work_slot(await identify_caller(request)):
                return await handler(checked)

        return handle

    def around(self, handler: Handler) -> Handler:
        """Wrap the handler; subclasses add work before and after it."""
        return handler


class _CheckedRequest(Request):
    """A request whose JSON is not nested too deep, and has valid text and numbers."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            settings = get_service(self).config.server
            most = max_body_bytes(self.scope["path"], settings) // _BYTES_PER_VALUE
            is_short = len(body) <= _SHORT
            self._json = (
                _parse_body(body, most)
                if is_short
                else await run_in_threadpool(_parse_body, body, most)
            )
        return self._json


def _parse_body(body: bytes, most: int) -> Any:
    """Parse a body with at most `most` values."""
    text = body.decode("utf-8-sig")
    if has_more_values_than(body, most):
        detail = f"the body has more than {most} values in its lists and objects; send fewer"
        raise RequestRefused(TOO_LARGE, detail)
    try:
        value = json.loads(text)
    except RecursionError:
        raise InvalidInput(
            "body", f"is nested more than {MAX_JSON_DEPTH} deep; flatten it"
        ) from None
    check_json("" if isinstance(value, dict) else "body", value)
    return value


# Names in paths


_SLASH, _PERCENT = "%2F", "%25"


def decode_path_for_matching(scope: Any) -> str:
    """The path of a request, decoded except for slashes and percent signs within a segment."""
    raw: bytes | None = scope.get("raw_path")
    if raw is None:
        return str(scope["path"])
    parts = (unquote_to_bytes(part).decode(errors="replace") for part in raw.split(b"/"))
    return "/".join(part.replace("%", _PERCENT).replace("/", _SLASH) for part in parts)


def decode_name(part: str) -> str:
    """The name in a segment of such a path."""
    return part.replace(_SLASH, "/").replace(_PERCENT, "%")


SessionId = Annotated[str, Path(alias="session", examples=["s1"]), AfterValidator(decode_name)]
ProjectId = Annotated[str, Path(alias="project", examples=["shop"]), AfterValidator(decode_name)]
AgentId = Annotated[str, Path(alias="agent", examples=["reviewer"]), AfterValidator(decode_name)]

_SAMPLE = ["01890a5d-ac96-774b-bcce-b302099a8057"]
_SAMPLE_EPISODE = ["01890a5d-ac96-874b-bcce-b302099a8057"]
_CHECKED = AfterValidator(check_given_id)

MemoryId = Annotated[str, Path(alias="memory_id", examples=_SAMPLE), _CHECKED]
EpisodeId = Annotated[str, Path(alias="episode_id", examples=_SAMPLE_EPISODE), _CHECKED]
ReviewId = Annotated[str, Path(alias="review_id", examples=_SAMPLE), _CHECKED]
ChangeId = Annotated[str, Path(alias="change_id", examples=_SAMPLE), _CHECKED]
MarkId = Annotated[str, Path(alias="mark_id", examples=_SAMPLE), _CHECKED]
TurnId = Annotated[str, Path(alias="turn_id", examples=_SAMPLE), _CHECKED]
ReceiptId = Annotated[str, Path(alias="receipt_id", examples=_SAMPLE), _CHECKED]
KeyId = Annotated[str, Path(alias="key_id", examples=["k3v09hq2mzx1"])]


# Path parameters that name what belongs to somebody: who may not reach it does not find it


_AnyCaller = Annotated[Caller, Depends(get_caller)]


async def _check_access(caller: Caller, id: str, check: Callable[[CallerAccess, str], str]) -> str:
    """The id, if the caller may reach it; unbound callers need no lookup."""
    if caller.access.reach.is_bound:
        await run_in_threadpool(check, caller.access, id)
    return id


async def _own_session(id: SessionId, caller: _AnyCaller) -> str:
    return await _check_access(caller, id, CallerAccess.check_session)


async def _claimed_session(id: SessionId, caller: _AnyCaller) -> str:
    return await _check_access(caller, id, CallerAccess.claim)


async def _own_turn(id: TurnId, caller: _AnyCaller) -> str:
    return await _check_access(caller, id, CallerAccess.check_turn)


async def _own_receipt(id: ReceiptId, caller: _AnyCaller) -> str:
    return await _check_access(caller, id, CallerAccess.check_receipt)


OwnSession = Annotated[str, Depends(_own_session)]
ClaimedSession = Annotated[str, Depends(_claimed_session)]
"""A session that may begin with the call: it is the caller's from then on."""
OwnTurn = Annotated[str, Depends(_own_turn)]
OwnReceipt = Annotated[str, Depends(_own_receipt)]
