"""Messages on their way to a server and back: plain JSON there, the caller's own objects here."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from tacit.core.messages import Message, content_of, replace_content


def to_plain(value: Any) -> Any:
    """A value as plain JSON: models and objects become their fields."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Mapping):
        return {str(name): to_plain(each) for name, each in value.items()}
    if isinstance(value, Iterable) and not hasattr(value, "model_dump"):
        return [to_plain(each) for each in value]
    return to_plain(_to_fields(value))


def _to_fields(value: Any) -> Any:
    """The fields of an object; its text if it has none."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    if is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    spoken = {name: getattr(value, name) for name in _MESSAGE_FIELDS if hasattr(value, name)}
    if not hasattr(value, "__dict__"):
        return spoken or str(value)
    return spoken | {name: each for name, each in vars(value).items() if name[0] != "_"}


_MESSAGE_FIELDS = ("role", "content")


def restore_messages(answer: Sequence[Any], sent: Sequence[Any]) -> tuple[Any, ...]:
    """The messages of a response, with the caller's own objects for those that were sent.

    The order is kept on the way, and what goes, goes from the beginning: so each is looked for
    before the one that follows it.
    """
    written = [to_plain(message) for message in sent]
    is_ours = bool(sent) and all(isinstance(message, Message) for message in sent)
    found: list[Any] = []
    end = len(written)
    for message in reversed(answer):
        place = _find_sent(message, written[:end])
        if place is None:
            found.append(Message(message["role"], message["content"]) if is_ours else message)
            continue
        end = place
        own = sent[place]
        found.append(own if written[place] == message else _with_content(own, message["content"]))
    return tuple(reversed(found))


def _find_sent(message: Mapping[str, Any], written: Sequence[Mapping[str, Any]]) -> int | None:
    """The index of a sent message: the same one, or else one whose content differs by a block."""
    places = range(len(written) - 1, -1, -1)
    same = (place for place in places if written[place] == message)
    like = (place for place in places if _is_like(written[place], message))
    return next(same, None) if message in written else next(like, None)


def _is_like(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a message is the same except for a block added to or removed from its content."""
    old, new = before.get("content"), after.get("content")
    if not old or not new or _without_content(before) != _without_content(after):
        return False
    if isinstance(old, str) and isinstance(new, str):
        return old.endswith(new)
    if not isinstance(old, list) or not isinstance(new, list):
        return False
    fewer, more = sorted((old, new), key=len)
    return all(part in more for part in fewer)


def _without_content(message: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != "content"}


def _with_content(message: Any, content: Any) -> Any:
    """The caller's message with new content, reusing the parts that were sent."""
    own = content_of(message)
    if not isinstance(own, list | tuple):
        return replace_content(message, content)
    written = [to_plain(part) for part in own]
    parts = [own[written.index(part)] if part in written else part for part in content]
    return replace_content(message, type(own)(parts))
