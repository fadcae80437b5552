"""Responses, as OpenAI takes them: a request holds items, of which messages are one kind."""

from collections.abc import Sequence

from tacit.api.model_calls.formats.chat import is_prewarm
from tacit.api.model_calls.formats.format import (
    JsonObject,
    ModelReply,
    ModelRequest,
    PlacedBlock,
    count_or_none,
    group_by_place,
    objects_in,
    part_of,
    read_events,
    read_object,
    text_or_none,
    to_seen_message,
)
from tacit.core.errors import InvalidInput
from tacit.core.messages import check_message

_CALL = "_call"
_OUTPUT = "_output"
_ENDS = ("response.completed", "response.incomplete", "response.failed")


class Responses:
    """`POST /v1/responses` and `input_tokens`: a block is an item of the developer."""

    name = "responses"
    end_marks: Sequence[bytes] = tuple(each.encode() for each in _ENDS)

    def __init__(self, *, counts: bool = False) -> None:
        self._counts = counts

    def is_response_kept(self, body: JsonObject) -> bool:
        """Responses are stored unless a request says otherwise."""
        return body.get("store") is not False

    def read_request(self, body: JsonObject) -> ModelRequest:
        """Read a request."""
        kept = _kept_conversation(body)
        return ModelRequest(
            messages=tuple(_to_message(each) for each in _items_of(body)),
            model=text_or_none(body.get("model")) or "",
            user=text_or_none(body.get("user")),
            continues=kept,
            is_kept_by_provider=kept is not None,
            is_count=self._counts,
            is_prewarm=is_prewarm(body),
            has_tools=bool(body.get("tools")),
        )

    def insert_blocks(
        self, body: JsonObject, blocks: Sequence[PlacedBlock], *, keeps_text: bool
    ) -> JsonObject:
        """A copy of a request with blocks; a request that is a text becomes a list of items."""
        del keeps_text  # items are a list in any case
        texts, items = group_by_place(blocks), []
        for place, item in enumerate(_items_of(body)):
            items += [item, *(developer_item(text) for text in texts.get(place, ()))]
        return {**body, "input": items}

    def read_reply(self, is_stream: bool, body: bytes) -> ModelReply:
        """Read a whole response, or as much of it as came."""
        if not is_stream:
            return _read_response(read_object(body) or {})
        response: JsonObject = {}
        items: list[JsonObject] = []
        for event in read_events(body):
            if event.data.get("type") == "response.output_item.done":
                items.append(dict(part_of(event.data, "item")))
            elif event.data.get("type") in _ENDS:
                response = dict(part_of(event.data, "response"))
        return _read_response({**response, "output": response.get("output") or items})


def _kept_conversation(body: JsonObject) -> str | None:
    """The conversation that the provider keeps and this request continues."""
    named = body.get("conversation")
    named = named.get("id") if isinstance(named, dict) else named
    return text_or_none(named) or text_or_none(body.get("previous_response_id"))


def _items_of(body: JsonObject) -> list[JsonObject]:
    given = body.get("input")
    if isinstance(given, str):
        return [{"type": "message", "role": "user", "content": given}]
    if not isinstance(given, list) or not all(isinstance(each, dict) for each in given):
        raise InvalidInput("input", "must be a text or a list of items")
    return given


def _to_message(item: JsonObject) -> JsonObject:
    """An item in the shape of a message."""
    type = str(item.get("type") or "message")
    if isinstance(item.get("role"), str) and type == "message":
        check_message("input", item)
        return to_seen_message({"role": item["role"], "content": item.get("content")})
    if type.endswith(_OUTPUT):
        output = item.get("output")
        return {
            "role": "tool",
            "content": output if isinstance(output, str | list) else "",
            "tool_call_id": item.get("call_id"),
        }
    call = {"id": item.get("call_id"), "function": {"name": item.get("name") or type}}
    calls = {"tool_calls": [call]} if type.endswith(_CALL) else {}
    return {"role": "assistant", "content": "", **calls}


def developer_item(text: str) -> JsonObject:
    """A text as an item of the developer."""
    part = {"type": "input_text", "text": text}
    return {"type": "message", "role": "developer", "content": [part]}


def _read_response(response: JsonObject) -> ModelReply:
    items = objects_in(response.get("output"))
    parts = [part for item in items for part in objects_in(item.get("content"))]
    texts = [part["text"] for part in parts if part.get("type") == "output_text"]
    calls = [item.get("call_id") for item in items if "call_id" in item]
    usage = part_of(response, "usage")
    return ModelReply(
        text="".join(text for text in texts if isinstance(text, str)),
        calls=tuple(id for each in calls if (id := text_or_none(each)) is not None),
        is_complete=response.get("status") in ("completed", "incomplete"),
        id=text_or_none(response.get("id")),
        input_tokens=count_or_none(usage.get("input_tokens")),
        cached_tokens=count_or_none(part_of(usage, "input_tokens_details").get("cached_tokens")),
    )
