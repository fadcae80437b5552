"""Keys: make, list, revoke."""

from typing import Annotated, Any

from fastapi import APIRouter, Path

from tacit.server.access import ServerAdmin
from tacit.server.bodies import CheckedRoute
from tacit.server.models.common import Page, problems
from tacit.server.models.keys import KeyShape, MadeKey, MakingKey

router = APIRouter(prefix="/v1/keys", tags=["keys"], route_class=CheckedRoute)

KeyId = Annotated[str, Path(examples=["k3v09hq2mzx1"])]


@router.get("", response_model=Page[KeyShape], responses=problems())
def list_keys(caller: ServerAdmin) -> dict[str, Any]:
    """Every key, oldest first, revoked ones too."""
    return {"items": [key.to_dict() for key in caller.service.root.keys.all()]}


@router.post("", status_code=201, response_model=MadeKey, responses=problems(409))
def make(asked: MakingKey, caller: ServerAdmin) -> dict[str, Any]:
    """Make a key; its token is in this answer, which is kept nowhere, and never told again.

    Sent again the request is refused, since the name is taken.
    """
    key, token = caller.service.root.keys.add(
        asked.name,
        asked.role,
        workspace=asked.workspace,
        agent=asked.agent,
        user=asked.user,
        speaks_for_users=asked.speaks_for_users,
    )
    caller.service.keyholders.forget()
    return {"key": key.to_dict(), "token": token}


@router.delete("/{id}", status_code=204, responses=problems(404))
def revoke(id: KeyId, caller: ServerAdmin) -> None:
    """End a key that is in use; it opens nothing here at once, and elsewhere a second later."""
    caller.service.root.keys.revoke(id)
    caller.service.keyholders.forget()
