"""Chat completions, as OpenAI and the servers that speak its language take them."""

from collections.abc import Iterable, Sequence

from tacit.api.model_calls.formats.format import (
    JsonObject,
    ModelReply,
    ModelRequest,
    PlacedBlock,
    append_text_parts,
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
from tacit.core.messages import check_history


class ChatCompletions:
    """`POST /v1/chat/completions`: a block is a part of the message that it belongs to."""

    name = "chat completions"
    end_marks: Sequence[bytes] = (b"[DONE]",)

    def is_response_kept(self, body: JsonObject) -> bool:
        """Each request has the whole conversation."""
        del body
        return False

    def read_request(self, body: JsonObject) -> ModelRequest:
        """Read a request."""
        messages = check_history(body.get("messages"))
        if not all(isinstance(each, dict) for each in messages):
            raise InvalidInput("messages", "must be objects")
        return ModelRequest(
            messages=tuple(to_seen_message(each) for each in objects_in(messages)),
            model=text_or_none(body.get("model")) or "",
            user=text_or_none(body.get("user")),
            is_prewarm=is_prewarm(body),
            has_tools=bool(body.get("tools") or body.get("functions")),
        )

    def insert_blocks(
        self, body: JsonObject, blocks: Sequence[PlacedBlock], *, keeps_text: bool
    ) -> JsonObject:
        """A copy of a request with blocks."""
        return insert_parts(body, blocks, keeps_text=keeps_text)

    def read_reply(self, is_stream: bool, body: bytes) -> ModelReply:
        """Read a whole response, or as much of it as came."""
        return _read_stream(body) if is_stream else _read_completion(read_object(body) or {})


def is_prewarm(body: JsonObject) -> bool:
    """Whether a request only warms the provider's cache."""
    return bool(part_of(body, "prompt_cache_options").get("prewarm"))


def insert_parts(
    body: JsonObject, blocks: Sequence[PlacedBlock], *, keeps_text: bool
) -> JsonObject:
    """A copy of a request whose messages end with the blocks that follow them."""
    texts = group_by_place(blocks)
    messages = [
        {
            **message,
            "content": append_text_parts(
                message.get("content"), texts[place], keeps_text=keeps_text
            ),
        }
        if place in texts
        else message
        for place, message in enumerate(body["messages"])
    ]
    return {**body, "messages": messages}


def _read_completion(body: JsonObject) -> ModelReply:
    choices = objects_in(body.get("choices"))
    first = choices[0] if choices else {}
    message = part_of(first, "message")
    usage = part_of(body, "usage")
    return ModelReply(
        text=text_or_none(message.get("content")) or "",
        calls=_call_ids(objects_in(message.get("tool_calls"))),
        is_complete=bool(message),
        id=text_or_none(body.get("id")),
        input_tokens=count_or_none(usage.get("prompt_tokens")),
        cached_tokens=count_or_none(part_of(usage, "prompt_tokens_details").get("cached_tokens")),
    )


def _read_stream(body: bytes) -> ModelReply:
    texts: list[str] = []
    calls: list[JsonObject] = []
    is_complete = has_failed = False
    id: str | None = None
    usage: object = None
    for event in read_events(body):
        has_failed = has_failed or bool(event.data.get("error"))
        if event.is_end:
            is_complete = True
            break
        id = id or text_or_none(event.data.get("id"))
        usage = event.data.get("usage") or usage
        for choice in objects_in(event.data.get("choices")):
            if choice.get("index", 0) != 0:
                continue
            delta = part_of(choice, "delta")
            texts += [delta["content"]] if isinstance(delta.get("content"), str) else []
            calls += objects_in(delta.get("tool_calls"))
            is_complete = is_complete or choice.get("finish_reason") is not None
    counted = {"usage": usage}
    return ModelReply(
        text="".join(texts),
        calls=_call_ids(calls),
        is_complete=is_complete and not has_failed,
        id=id,
        input_tokens=count_or_none(part_of(counted, "usage").get("prompt_tokens")),
        cached_tokens=count_or_none(
            part_of(part_of(counted, "usage"), "prompt_tokens_details").get("cached_tokens")
        ),
    )


def _call_ids(calls: Iterable[JsonObject]) -> tuple[str, ...]:
    return tuple(id for each in calls if (id := text_or_none(each.get("id"))) is not None)
