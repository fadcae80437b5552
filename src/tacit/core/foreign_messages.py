"""Messages in the classes of agent frameworks, and items of OpenAI's Responses API.

They are read as dicts of the usual shape, each of which remembers what it stands for. What goes
back to the caller is what came: the same objects, and new messages in the same classes. No
framework is imported: whoever passes its messages has it.
"""

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

JsonObject = dict[str, Any]


class SeenMessage(dict[str, Any]):
    """A message in the usual shape that stands for one in another.

    Without a family it stands for a dict that came among messages in other shapes.
    """

    __slots__ = ("family", "original")

    def __init__(
        self, fields: JsonObject, original: object, family: "MessageFamily | None"
    ) -> None:
        super().__init__(fields)
        self.original = original
        self.family = family

    def __deepcopy__(self, _: object) -> "SeenMessage":
        return self

    def with_content(self, content: object) -> "SeenMessage":
        """The same message with other content."""
        fields = {**self, "content": content}
        if self.family is None:
            return SeenMessage(fields, fields, None)
        return SeenMessage(fields, self.family.with_content(self.original, content), self.family)


class MessageFamily(Protocol):
    """The messages of one framework."""

    def read(self, message: object) -> JsonObject | None:
        """The message as a dict; None if it is not of this family."""

    def write(self, role: str, text: str) -> object:
        """A new message."""

    def with_content(self, message: object, content: object) -> object:
        """A copy of a message with other content, which is text or parts as `read` gave them."""

    def append_texts(self, message: object, texts: Sequence[str], *, keeps_text: bool) -> object:
        """A copy of a person's message with further texts, each a part of its own.

        With `keeps_text` a message that is a text stays one.
        """

    def instructions_in(self, message: object) -> object | None:
        """The instructions in a message of a person, as a message of their own, if it has some."""
        del message
        return None


def read_foreign_message(message: object) -> object:
    """The message as a dict that stands for it, if it is in a shape of others."""
    if isinstance(message, SeenMessage | str):
        return message
    for family in _FAMILIES:
        fields = family.read(message)
        if fields is not None:
            return SeenMessage(fields, message, family)
    return message


def read_foreign_messages(messages: Sequence[object]) -> list[object]:
    """The messages as dicts; beside those in a shape of others, dicts remember that they came."""
    return note_given(list(map(read_foreign_message, messages)), ())


def note_given(messages: Sequence[object], like: Sequence[object]) -> list[object]:
    """The messages, with dicts as what stands for them if others are around or in `like`."""
    if _family_of([*like, *messages]) is None:
        return list(messages)
    return [
        SeenMessage(dict(each), each, None)
        if isinstance(each, Mapping) and not isinstance(each, SeenMessage)
        else each
        for each in messages
    ]


def restore_foreign_messages(messages: Sequence[object]) -> list[object]:
    """What came for what was read, and new messages in the classes of those around them."""
    family = _family_of(messages)
    return [_restore(each, family) for each in messages]


def _family_of(messages: Sequence[object]) -> "MessageFamily | None":
    """The family of the last of these messages that is in a shape of others."""
    families = (each.family for each in reversed(messages) if isinstance(each, SeenMessage))
    return next((each for each in families if each is not None), None)


def _restore(message: object, family: MessageFamily | None) -> object:
    if isinstance(message, SeenMessage):
        return message.original
    if family is None or not isinstance(message, Mapping):
        return message
    is_new = message.keys() == {"role", "content"} and isinstance(message["content"], str)
    return family.write(str(message["role"]), message["content"]) if is_new else message


def set_instructions_apart(messages: Sequence[object]) -> list[object]:
    """The messages; instructions that share the first with a person's words become one before."""
    apart = _instructions_in(messages[0]) if messages else None
    return list(messages) if apart is None else [read_foreign_message(apart), *messages]


def join_instructions(messages: Sequence[object], came: Sequence[object]) -> list[object]:
    """The messages without what was set apart, if the message that has it is still there."""
    is_there = len(messages) > 1 and bool(came) and messages[1] is came[0]
    return list(messages[1:] if is_there and _instructions_in(came[0]) else messages)


def _instructions_in(message: object) -> object | None:
    if not isinstance(message, SeenMessage) or message.family is None:
        return None
    return message.family.instructions_in(message.original)


def _is_of(message: object, *modules: str) -> bool:
    """Whether the class of a message, or one that it is made from, is of a module."""
    return any(each.__module__.startswith(modules) for each in type(message).__mro__)


def _join(content: object) -> str:
    """The text of content as it was read."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list | tuple) else ()
    texts = [part if isinstance(part, str) else part.get("text") for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _is_file(content: object) -> bool:
    return not isinstance(content, str)


def _call(id: object, name: object, arguments: object) -> JsonObject:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


class _LangChain(MessageFamily):
    """LangChain's messages: `HumanMessage`, `AIMessage` and so on."""

    _ROLES: Mapping[str, str] = {
        "human": "user",
        "ai": "assistant",
        "AIMessageChunk": "assistant",
        "HumanMessageChunk": "user",
        "system": "system",
        "tool": "tool",
        "function": "function",
    }

    def read(self, message: object) -> JsonObject | None:
        if not _is_of(message, "langchain_core.messages"):
            return None
        kind: Any = message
        role = getattr(kind, "role", None) or self._ROLES.get(kind.type, "system")
        found: JsonObject = {"role": role, "content": kind.content}
        calls = getattr(kind, "tool_calls", None) or ()
        if calls:
            found["tool_calls"] = [_call(each["id"], each["name"], each["args"]) for each in calls]
        if role == "tool":
            found["tool_call_id"] = getattr(kind, "tool_call_id", None)
        return found

    def write(self, role: str, text: str) -> object:
        names = {"user": "HumanMessage", "assistant": "AIMessage"}
        return getattr(sys.modules["langchain_core.messages"], names.get(role, "SystemMessage"))(
            content=text
        )

    def with_content(self, message: Any, content: object) -> object:
        return message.model_copy(update={"content": content})

    def append_texts(self, message: Any, texts: Sequence[str], *, keeps_text: bool) -> object:
        added = [{"type": "text", "text": text} for text in texts]
        said = message.content
        if isinstance(said, list):
            return self.with_content(message, [*said, *added])
        if keeps_text:
            return self.with_content(message, "\n\n".join((said, *texts)))
        return self.with_content(message, [{"type": "text", "text": said}, *added])


class _LlamaIndex(MessageFamily):
    """LlamaIndex's `ChatMessage`."""

    _ROLES: Mapping[str, str] = {"chatbot": "assistant", "model": "assistant"}

    def read(self, message: object) -> JsonObject | None:
        if not (_is_of(message, "llama_index.core") and hasattr(message, "blocks")):
            return None
        kind: Any = message
        role = str(getattr(kind.role, "value", kind.role))
        more = kind.additional_kwargs or {}
        found: JsonObject = {
            "role": self._ROLES.get(role, role),
            "content": [self._read_block(block) for block in kind.blocks],
        }
        named = [block for block in kind.blocks if block.block_type == "tool_call"]
        calls = [_call(each.tool_call_id, each.tool_name, each.tool_kwargs) for each in named]
        if calls or more.get("tool_calls"):
            found["tool_calls"] = calls or list(more["tool_calls"])
        if role == "tool":
            found["tool_call_id"] = more.get("tool_call_id")
        return found

    def _read_block(self, block: Any) -> JsonObject:
        if block.block_type == "text":
            return {"type": "text", "text": block.text}
        return {"type": block.block_type}

    def write(self, role: str, text: str) -> object:
        return sys.modules["llama_index.core.base.llms.types"].ChatMessage(role=role, content=text)

    def with_content(self, message: Any, content: object) -> object:
        texts = self.write("user", _join(content))
        kept = [block for block in message.blocks if block.block_type != "text"]
        return message.model_copy(update={"blocks": [*getattr(texts, "blocks", ()), *kept]})

    def append_texts(self, message: Any, texts: Sequence[str], *, keeps_text: bool) -> object:
        del keeps_text  # it always holds a list
        new = [block for text in texts for block in getattr(self.write("user", text), "blocks", ())]
        return message.model_copy(update={"blocks": [*message.blocks, *new]})


class _PydanticAI(MessageFamily):
    """Pydantic-AI's `ModelRequest` and `ModelResponse`, which hold parts of several speakers."""

    def read(self, message: object) -> JsonObject | None:
        if not (_is_of(message, "pydantic_ai.messages") and hasattr(message, "kind")):
            return None
        kind: Any = message
        parts = [each for part in kind.parts for each in self._read_part(part)]
        if kind.kind == "response":
            return {"role": "assistant", "content": parts}
        is_said = any(part.part_kind in ("user-prompt", "tool-return") for part in kind.parts)
        if is_said:
            own = [part for part in parts if part["type"] != "instructions"]
            return {"role": "user", "content": own}
        told = [{**part, "type": "text"} if "text" in part else part for part in parts]
        return {"role": "system", "content": told}

    def _read_part(self, part: Any) -> list[JsonObject]:
        kind = part.part_kind
        if kind in ("user-prompt", "text"):
            return [self._read_content(each) for each in self._contents_of(part)]
        if kind in ("tool-return", "retry-prompt"):
            id = getattr(part, "tool_call_id", None)
            return [{"type": "tool_result", "tool_use_id": id, "content": str(part.content)}]
        if kind == "tool-call":
            named = {"id": part.tool_call_id, "name": part.tool_name, "input": part.args}
            return [{"type": "tool_use", **named}]
        if kind == "thinking":
            return [{"type": "thinking", "thinking": part.content}]
        return [{"type": "instructions", "text": str(getattr(part, "content", ""))}]

    def _contents_of(self, part: Any) -> Sequence[object]:
        return [part.content] if isinstance(part.content, str) else list(part.content)

    def _read_content(self, content: object) -> JsonObject:
        if isinstance(content, str):
            return {"type": "text", "text": content}
        return {"type": str(getattr(content, "kind", "file"))}

    def write(self, role: str, text: str) -> object:
        known = sys.modules["pydantic_ai.messages"]
        if role == "assistant":
            return known.ModelResponse(parts=[known.TextPart(content=text)])
        part = known.UserPromptPart if role == "user" else known.SystemPromptPart
        return known.ModelRequest(parts=[part(content=text)])

    def with_content(self, message: Any, content: object) -> object:
        said = [part for part in message.parts if part.part_kind == "user-prompt"]
        kept = [part for part in message.parts if part.part_kind != "user-prompt"]
        files = [each for part in said for each in self._contents_of(part) if _is_file(each)]
        text = _join(content)
        if files:
            new = [dataclasses.replace(said[-1], content=[*([text] if text else []), *files])]
        else:
            new = list(getattr(self.write("user", text), "parts", ()))
        return dataclasses.replace(message, parts=[*kept, *new])

    def append_texts(self, message: Any, texts: Sequence[str], *, keeps_text: bool) -> object:
        parts = list(message.parts)
        place = max(n for n, part in enumerate(parts) if part.part_kind == "user-prompt")
        said = parts[place].content
        if isinstance(said, str):
            content: object = "\n\n".join((said, *texts)) if keeps_text else [said, *texts]
        else:
            content = [*said, *texts]
        parts[place] = dataclasses.replace(parts[place], content=content)
        return dataclasses.replace(message, parts=parts)

    def instructions_in(self, message: Any) -> object | None:
        parts = message.parts if message.kind == "request" else ()
        apart = [part for part in parts if part.part_kind == "system-prompt"]
        is_beside = 0 < len(apart) < len(parts)
        return dataclasses.replace(message, parts=apart) if is_beside else None


class _GoogleGenAI(MessageFamily):
    """The `Content` of Google's SDK, which its Agent Development Kit uses."""

    def read(self, message: object) -> JsonObject | None:
        if not (_is_of(message, "google.genai.types") and hasattr(message, "parts")):
            return None
        kind: Any = message
        parts = [self._read_part(part) for part in kind.parts or ()]
        return {"role": "assistant" if kind.role == "model" else "user", "content": parts}

    def _read_part(self, part: Any) -> JsonObject:
        if part.function_call is not None:
            call = part.function_call
            return {"type": "tool_use", "id": call.id, "name": call.name, "input": call.args}
        if part.function_response is not None:
            told = part.function_response
            return {"type": "tool_result", "tool_use_id": told.id, "content": str(told.response)}
        if part.thought:
            return {"type": "thinking", "thinking": part.text or ""}
        return {"type": "text", "text": part.text} if part.text is not None else {"type": "file"}

    def write(self, role: str, text: str) -> object:
        known = sys.modules["google.genai.types"]
        speaker = "model" if role == "assistant" else "user"
        return known.Content(role=speaker, parts=[known.Part(text=text)])

    def with_content(self, message: Any, content: object) -> object:
        new = self.write("user", _join(content))
        kept = [part for part in message.parts if part.text is None]
        return message.model_copy(update={"parts": [*kept, *getattr(new, "parts", ())]})

    def append_texts(self, message: Any, texts: Sequence[str], *, keeps_text: bool) -> object:
        del keeps_text  # it always holds a list
        new = [part for text in texts for part in getattr(self.write("user", text), "parts", ())]
        return message.model_copy(update={"parts": [*message.parts, *new]})


class _ResponseItem(MessageFamily):
    """An item of OpenAI's Responses API that is no message: a call, its output, reasoning."""

    def read(self, message: object) -> JsonObject | None:
        def field(name: str) -> Any:
            if isinstance(message, Mapping):
                return message.get(name)
            return getattr(message, name, None)

        type = field("type")
        if not isinstance(type, str) or isinstance(field("role"), str):
            return None
        if type.endswith("_output"):
            output = field("output")
            content = output if isinstance(output, str | list) else ""
            return {"role": "tool", "content": content, "tool_call_id": field("call_id")}
        if type.endswith("_call"):
            call = _call(field("call_id"), field("name") or type, field("arguments"))
            return {"role": "assistant", "content": "", "tool_calls": [call]}
        if type in ("reasoning", "item_reference", "compaction"):
            return {"role": "assistant", "content": ""}
        return None

    def write(self, role: str, text: str) -> object:
        return {"role": role, "content": text}

    def with_content(self, message: object, content: object) -> object:
        del content  # an item has nothing in it that could change
        return message

    def append_texts(self, message: object, texts: Sequence[str], *, keeps_text: bool) -> object:
        del texts, keeps_text  # no person speaks in it
        return message


_FAMILIES: tuple[MessageFamily, ...] = (
    _LangChain(),
    _LlamaIndex(),
    _PydanticAI(),
    _GoogleGenAI(),
    _ResponseItem(),
)
