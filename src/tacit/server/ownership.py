"""Path parameters that name what belongs to somebody: who may not reach it, does not find it.

A route takes one of these instead of a plain id, so that it cannot forget to look.
"""

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Path
from fastapi.concurrency import run_in_threadpool

from tacit.api.calls.access import CallerAccess
from tacit.server.access import Caller, caller_of
from tacit.server.names import SessionId

_Id = Annotated[str, Path(examples=["01890a5d-ac96-774b-bcce-b302099a8057"])]
_Asker = Annotated[Caller, Depends(caller_of)]


async def _checked(caller: Caller, id: str, check: Callable[[CallerAccess, str], str]) -> str:
    """The id, if a bound caller may know of it; others need no look into the store."""
    if caller.own.reach.is_bound:
        await run_in_threadpool(check, caller.own, id)
    return id


async def _own_session(id: SessionId, caller: _Asker) -> str:
    return await _checked(caller, id, CallerAccess.check_session)


async def _claimed_session(id: SessionId, caller: _Asker) -> str:
    return await _checked(caller, id, CallerAccess.claim)


async def _own_turn(id: _Id, caller: _Asker) -> str:
    return await _checked(caller, id, CallerAccess.check_turn)


async def _own_receipt(id: _Id, caller: _Asker) -> str:
    return await _checked(caller, id, CallerAccess.check_receipt)


OwnSession = Annotated[str, Depends(_own_session)]
ClaimedSession = Annotated[str, Depends(_claimed_session)]
"""A session that may begin with the call: it is the caller's from then on."""
OwnTurn = Annotated[str, Depends(_own_turn)]
OwnReceipt = Annotated[str, Depends(_own_receipt)]
