"""Items: put, get, search, list, erase and sweep exact values by namespace and key."""

from typing import Any

from fastapi import APIRouter

from tacit.core.items import FoundItem, Namespace, StoredItem
from tacit.core.keys import Role
from tacit.server.access import Admin, Caller, Reader, Writer
from tacit.server.idempotency import IDEMPOTENT, IdempotentRoute
from tacit.server.schemas.common import ItemsResponse, problem_responses
from tacit.server.schemas.items import (
    EraseItemsRequest,
    GetItemsRequest,
    NamespacesRequest,
    PutItemsRequest,
    SearchItemsRequest,
    SweptItemsResponse,
)
from tacit.server.schemas.values import items_of, response_of
from tacit.writing.erasure import Sweep

items_router = APIRouter(prefix="/v1/items", tags=["items"], route_class=IdempotentRoute)


@items_router.post("", status_code=204, responses=problem_responses(409), dependencies=[IDEMPOTENT])
def put_items(body: PutItemsRequest, caller: Writer) -> None:
    """Keep values and remove others, all or none; a value with a secret is refused."""
    caller.tacit.items.put_all(each.to_draft() for each in body.drafts)


@items_router.post(
    "/get",
    response_model=ItemsResponse.__class_getitem__(response_of(StoredItem) | None),
    responses=problem_responses(),
)
def get_items(body: GetItemsRequest, caller: Reader) -> dict[str, Any]:
    """The items at some places, in this order; null where there is none."""
    found = caller.tacit.items.get_all(
        (each.at for each in body.places), refresh=body.refresh and _may_write(caller)
    )
    return {"items": [None if each is None else each.to_dict() for each in found]}


@items_router.post("/search", response_model=items_of(FoundItem), responses=problem_responses())
def search_items(body: SearchItemsRequest, caller: Reader) -> dict[str, Any]:
    """The items of a namespace and of those in it; those that answer a query first."""
    found = caller.tacit.items.search(
        body.prefix,
        query=body.query,
        filter=body.filter,
        limit=body.limit,
        offset=body.offset,
        refresh=body.refresh and _may_write(caller),
    )
    return {"items": [each.to_dict() for each in found]}


@items_router.post(
    "/namespaces", response_model=ItemsResponse[Namespace], responses=problem_responses()
)
def list_namespaces(body: NamespacesRequest, caller: Reader) -> dict[str, Any]:
    """The namespaces that have items, by name."""
    return {"items": caller.tacit.items.namespaces(**body.model_dump())}


@items_router.post(
    "/erase",
    response_model=response_of(Sweep),
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
)
def erase_items(body: EraseItemsRequest, caller: Admin) -> dict[str, Any]:
    """Erase all items of a namespace and of those in it."""
    by = caller.actor(body.by)
    return caller.tacit.items.erase(body.prefix, dry_run=body.dry_run, by=by).to_dict()


@items_router.post(
    "/sweep",
    response_model=SweptItemsResponse,
    responses=problem_responses(409),
    dependencies=[IDEMPOTENT],
)
def sweep_items(caller: Writer) -> dict[str, Any]:
    """Remove the items that have expired."""
    return {"removed": caller.tacit.items.sweep()}


def _may_write(caller: Caller) -> bool:
    return caller.role.allows(Role.WRITE)
