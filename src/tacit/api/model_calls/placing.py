"""Where blocks belong in the messages of a model call, and how each kind of message takes one in.

A block is the last part of the human message that it was made for; among the items of OpenAI's
Responses API it is an item of the developer right behind it. Nothing else is touched: messages
without a block stay the objects that they are.
"""

from collections.abc import Sequence
from typing import Any

from tacit.api.client.messages import to_plain
from tacit.api.model_calls.formats.format import (
    JsonObject,
    ModelRequest,
    PlacedBlock,
    append_text_parts,
    group_by_place,
    to_seen_message,
)
from tacit.api.model_calls.formats.responses import developer_item
from tacit.core.foreign_messages import SeenMessage
from tacit.core.messages import (
    Message,
    check_history,
    content_of,
    is_human,
    parts_of,
    replace_content,
    role_of,
    text_of_part,
)
from tacit.core.sessions import Placement
from tacit.language.injection_blocks import locate_placements
from tacit.settings.config import Config, SettingSource
from tacit.settings.injection import CachePolicy


def replay_settings(config: Config, agent: str | None) -> dict[str, Any]:
    """The settings that turns of such conversations override: which blocks stay."""
    if config.source(agent, "cache_policy") is SettingSource.BUILT_IN:
        return {"cache_policy": CachePolicy.TOKENS}
    return {}


def see_messages(messages: object) -> list[JsonObject]:
    """The messages of a call as memory sees them, one each and in their order.

    Parts that are no text are plain JSON, so that a library and a server see the same.
    """
    return [_see(message) for message in check_history(messages, "messages")]


def _see(message: object) -> JsonObject:
    if not isinstance(message, dict):
        shown: JsonObject = to_plain(message)
        return to_seen_message({**shown, "role": role_of(message)})
    has_others = any(text_of_part(part) is None for part in parts_of(message))
    seen = {**message, "content": to_plain(content_of(message))} if has_others else message
    return to_seen_message(seen)


def find_new_places(messages: Sequence[JsonObject], answered: int) -> list[int]:
    """The places of what a person said last, of which the first `answered` had their turns."""
    people = [place for place, message in enumerate(messages) if is_human(message)]
    trailing = ModelRequest(messages=tuple(messages)).trailing
    return [place for place in people[answered:] if place in trailing]


def locate_blocks(
    messages: Sequence[JsonObject], placements: Sequence[Placement]
) -> list[PlacedBlock]:
    """The blocks at the messages that they were made for; one whose message is gone is left out."""
    places = locate_placements(messages, placements)
    return [PlacedBlock(places[each.id], each.text) for each in placements if each.id in places]


def insert_into_messages(
    messages: Sequence[object], blocks: Sequence[PlacedBlock], *, keeps_text: bool = False
) -> list[Any]:
    """The messages with blocks: those of a framework in its own classes.

    With `keeps_text` a message that is a text stays one.
    """
    texts = group_by_place(blocks)
    return [
        _append(message, texts[place], keeps_text) if place in texts else message
        for place, message in enumerate(messages)
    ]


def insert_into_items(items: Sequence[object], blocks: Sequence[PlacedBlock]) -> list[Any]:
    """The items of the Responses API with blocks, each an item of the developer."""
    texts = group_by_place(blocks)
    placed: list[Any] = []
    for place, item in enumerate(items):
        placed += [item, *(developer_item(text) for text in texts.get(place, ()))]
    return placed


def _append(message: object, texts: Sequence[str], keeps_text: bool) -> object:
    (seen,) = check_history([message])
    if isinstance(seen, SeenMessage) and seen.family is not None:
        return seen.family.append_texts(seen.original, texts, keeps_text=keeps_text)
    keeps_text = keeps_text or isinstance(message, Message)
    content = append_text_parts(content_of(message), texts, keeps_text=keeps_text)
    return replace_content(message, content)
