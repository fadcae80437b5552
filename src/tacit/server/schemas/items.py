"""Items: exact values by namespace and key."""

from typing import Annotated, Any

from pydantic import Field

from tacit.core.fields import MAX_LIMIT
from tacit.core.items import Place
from tacit.server.schemas.bulk import EraseRequest
from tacit.server.schemas.common import (
    LongList,
    RequestModel,
    ResponseModel,
    ShortList,
    with_example,
)
from tacit.writing.items import ItemDraft

_NAMESPACE = ["users", "ann"]

NamespaceBody = Annotated[ShortList[str], Field(examples=[_NAMESPACE])]
"""A namespace, or the beginning or end of one."""

_Limit = Annotated[int, Field(ge=1, le=MAX_LIMIT, description="How many at most.")]
_Offset = Annotated[int, Field(ge=0, description="How many to leave out at the beginning.")]
_Refresh = Annotated[
    bool,
    Field(description="Whether items that expire begin their time anew; not with the role read."),
]


class ItemPlaceRequest(RequestModel):
    """Where an item is."""

    namespace: NamespaceBody
    key: str = Field(examples=["food"])

    @property
    def at(self) -> Place:
        """The namespace and the key."""
        return tuple(self.namespace), self.key


class ItemDraftRequest(ItemPlaceRequest):
    """A value to keep under a key of a namespace; null removes it."""

    value: dict[str, Any] | None = Field(examples=[{"likes": "walnuts"}])
    text: str | None = Field(
        None, description="What search finds it by; all of the value if nothing is said."
    )
    minutes: float | None = Field(
        None, description="It expires so many minutes after its last use."
    )

    def to_draft(self) -> ItemDraft:
        """The draft for the library."""
        return ItemDraft(*self.at, self.value, self.text, self.minutes)


class PutItemsRequest(RequestModel):
    """Values to keep and to remove: all or none."""

    model_config = with_example(
        drafts=[{"namespace": _NAMESPACE, "key": "food", "value": {"likes": "walnuts"}}]
    )

    drafts: LongList[ItemDraftRequest]


class GetItemsRequest(RequestModel):
    """Which items to read."""

    model_config = with_example(places=[{"namespace": _NAMESPACE, "key": "food"}])

    places: LongList[ItemPlaceRequest]
    refresh: _Refresh = True


class SearchItemsRequest(RequestModel):
    """Which items to search, and by what."""

    model_config = with_example(prefix=_NAMESPACE, query="walnuts")

    prefix: NamespaceBody = Field(default_factory=list)
    query: str | None = Field(None, description="Those that answer it come first.")
    filter: dict[str, Any] = Field(
        default_factory=dict,
        description="What fields of the value must be.",
        examples=[{"size": {"$gt": 3}}],
    )
    limit: _Limit = 10
    offset: _Offset = 0
    refresh: _Refresh = False


class NamespacesRequest(RequestModel):
    """Which namespaces to list; `*` is any part."""

    model_config = with_example(prefix=["users"], max_depth=2)

    prefix: NamespaceBody = Field(default_factory=list)
    suffix: NamespaceBody = Field(default_factory=list)
    max_depth: int | None = Field(None, ge=1, description="Cut them off after so many parts.")
    limit: _Limit = 100
    offset: _Offset = 0


class EraseItemsRequest(EraseRequest):
    """The namespace whose items to erase, with those in it."""

    model_config = with_example(prefix=_NAMESPACE, dry_run=True)

    prefix: NamespaceBody


class SweptItemsResponse(ResponseModel):
    """How many items had expired and were removed."""

    removed: int
