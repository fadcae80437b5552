"""The base models of requests and responses, and what many routes share."""

from itertools import islice
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Header, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from tacit.core.errors import InvalidInput
from tacit.core.fields import MAX_LIMIT, check_field

Item = TypeVar("Item")

MOST_ITEMS = 100_000
"""No list in a body is longer, whatever the settings allow."""

_MOST_NAMED = 100
_MOST_UNKNOWN = 10

LongList = Annotated[list[Item], Field(fail_fast=True, max_length=MOST_ITEMS)]
"""A list that a caller sends; after the first wrong item no other is looked at."""

ShortList = Annotated[list[Item], Field(fail_fast=True, max_length=_MOST_NAMED)]
"""A list of names of which there are few, such as types."""


def check_given_id(id: str) -> str:
    """An id that a caller sends; the error names the field or the part of the path that it is."""
    try:
        checked: str = check_field("id", id)
    except InvalidInput as error:
        raise PydanticCustomError("id", "{problem}", {"problem": error.problem}) from error
    return checked


GivenId = Annotated[
    str, Field(examples=["01890a5d-ac96-774b-bcce-b302099a8057"]), AfterValidator(check_given_id)
]
"""An id in a body or a query."""


class RequestModel(BaseModel):
    """The base of request bodies; unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _leave_out_unknown_fields(cls, values: Any) -> Any:
        """Keep only the first of many unknown fields, since each costs an error."""
        if not isinstance(values, dict) or len(values) <= len(cls.model_fields) + _MOST_UNKNOWN:
            return values
        unknown = (name for name in values if name not in cls.model_fields)
        kept = {*cls.model_fields, *islice(unknown, _MOST_UNKNOWN)}
        return {name: value for name, value in values.items() if name in kept}


def with_example(**body: Any) -> ConfigDict:
    """A model config with an example body for the OpenAPI document."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [body]})


class ResponseModel(BaseModel):
    """The base of responses."""

    model_config = ConfigDict(extra="forbid")


class PageResponse(ResponseModel, Generic[Item]):
    """A page of a list; send `next` as `after` to continue; null at the end."""

    items: list[Item]
    next: str | None = None


class ItemsResponse(ResponseModel, Generic[Item]):
    """The items, in the order of the request."""

    items: list[Item]


class ProblemDetails(BaseModel):
    """What was wrong, and what to do (RFC 9457)."""

    type: str = Field(examples=["urn:tacit:problem:not_found"])
    title: str = Field(examples=["Not found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["there is no memory 01890a5d-… in workspace 'default'"])
    field: str | None = Field(None, description="The field that is wrong, if one is.")
    request_id: str | None = Field(None, description="To find the request in the server's log.")


Limit = Annotated[int, Query(ge=1, le=MAX_LIMIT, description="How many at most.", examples=[50])]
After = Annotated[
    str | None, Query(description="Where to go on: `next` of the page before.", max_length=2_000)
]
ForAgent = Annotated[str | None, Query(description="What this agent may see.")]
ForUser = Annotated[str | None, Query(description="What this user may see.")]
ForProject = Annotated[str | None, Query(description="Without what belongs to other projects.")]
IfMatch = Annotated[str | None, Header(alias="If-Match", description="The ETag that was read.")]
SettingsOverrides = Annotated[
    dict[str, Any],
    Field(
        description="Settings of memory injection for this call only.", examples=[{"max_total": 5}]
    ),
]


def to_page(items: list[Any], limit: int, cursor: str | None) -> dict[str, Any]:
    """A page; a full page has a next one."""
    return {"items": items, "next": cursor if len(items) == limit else None}


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI description of a route's problems, including the common ones."""
    return dict.fromkeys((*_COMMON_STATUSES, *statuses), _PROBLEM_RESPONSE)


_PROBLEM_RESPONSE: dict[str, Any] = {
    "model": ProblemDetails,
    "description": "A problem",
    "content": {
        "application/problem+json": {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}
    },
}
_COMMON_STATUSES = (400, 401, 403, 408, 413, 415, 421, 422, 429, 503)
