"""Reads the conversations of a ChatGPT data export: what the person said, as episodes.

The file is one array, often of hundreds of megabytes, and is read one conversation at a time.
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from tacit.core.episodes import EpisodeRole, to_episode_id
from tacit.core.errors import ArchiveError
from tacit.core.kinds import Trust
from tacit.core.times import to_rfc3339
from tacit.language.extraction.messages import MAX_CHARACTERS
from tacit.language.injection_blocks import find_block_headers
from tacit.language.passages import cut_passages
from tacit.language.redaction.redact import redact_start
from tacit.runtime.clock import new_id
from tacit.writing.archive.source_file import SourceEntry

EPISODE_KIND = "episode"
HEAD_BYTES = 65_536
"""How much of a file is read to recognise it."""

_PROGRAM = "chatgpt"
_MAPPING = re.compile(rb'\s*\[\s*\{.*?"mapping"\s*:\s*\{', re.DOTALL)
_PIECE = 1_000_000
_LONGEST_CONVERSATION = 64_000_000
_MOST_NODES = 100_000
_TEXTS = ("text", "multimodal_text")
_BROKEN = "is not whole: entry {number} cannot be read; export it again"
_TOO_LARGE = "entry {number} is larger than 64 MB; remove it from the file"
_BETWEEN = re.compile(r"[\s,]*")


class ConversationEntries(NamedTuple):
    """What a conversation becomes, and its size in the file."""

    size: int
    entries: list[SourceEntry]


def is_conversation_export(head: bytes) -> bool:
    """Whether a file that begins so holds the conversations of ChatGPT."""
    return _MAPPING.match(head[:HEAD_BYTES]) is not None


def read_conversations(read: Callable[[int], bytes]) -> Iterator[ConversationEntries]:
    """Read the conversations of a file, each as the passages that the person said in it."""
    for number, (size, conversation) in enumerate(_split_array(read), start=1):
        if isinstance(conversation, Mapping):
            yield ConversationEntries(size, list(_read_conversation(number, conversation)))
        else:
            problem = "is no conversation; leave it out"
            yield ConversationEntries(size, [SourceEntry.left_out(number, "entry", problem)])


def _split_array(read: Callable[[int], bytes]) -> Iterator[tuple[int, Any]]:
    """The elements of a JSON array with their sizes, of which one at a time is in memory."""
    decoder, to_text = json.JSONDecoder(), codecs.getincrementaldecoder("utf-8-sig")()
    buffer, place, number, is_over = "", 0, 1, False
    while True:
        place = _skip(buffer, place, is_first=number == 1)
        if buffer[place : place + 1] == "]":
            return
        try:
            value, end = decoder.raw_decode(buffer, place)
        except RecursionError:
            raise ArchiveError("this file is nested too deeply to be read") from None
        except ValueError:
            if is_over:
                raise ArchiveError(f"this file {_BROKEN.format(number=number)}") from None
            if len(buffer) - place > _LONGEST_CONVERSATION:
                raise ArchiveError(_TOO_LARGE.format(number=number)) from None
            raw = read(max(_PIECE, len(buffer) - place))
            is_over = not raw
            buffer, place = buffer[place:] + _decode(to_text, raw), 0
            continue
        yield len(buffer[place:end].encode()), value
        place, number = end, number + 1


def _skip(buffer: str, place: int, *, is_first: bool) -> int:
    """Where the next element or the end of the array is."""
    found = _BETWEEN.match(buffer, place)
    place = found.end() if found else place
    if is_first and buffer[place : place + 1] == "[":
        return _skip(buffer, place + 1, is_first=False)
    return place


def _decode(decoder: codecs.IncrementalDecoder, raw: bytes) -> str:
    try:
        return decoder.decode(raw, not raw)
    except UnicodeDecodeError:
        raise ArchiveError("this file is not UTF-8; export it again") from None


def _read_conversation(number: int, conversation: Mapping[str, Any]) -> Iterator[SourceEntry]:
    """The passages that the person said on the branch that the conversation ended with."""
    id = conversation.get("conversation_id") or conversation.get("id")
    begun = conversation.get("create_time")
    session = f"{_PROGRAM}:{id or f'{begun}:{number}'}"
    place = 0
    for node, message in _follow_branch(conversation):
        passages = cut_passages(_own_text(message))
        at = _to_moment(message.get("create_time")) or _to_moment(begun)
        if passages and at is None:
            yield SourceEntry.left_out(number, "create_time", f"is missing in message {node}")
        if at is None:
            continue
        for part, passage in enumerate(passages):
            place += 1
            yield SourceEntry(
                number,
                {
                    "kind": EPISODE_KIND,
                    "id": to_episode_id(new_id()),
                    "session": session,
                    "place": place,
                    "role": str(EpisodeRole.USER),
                    "at": to_rfc3339(at),
                    "text": passage.text,
                    "only_asks": passage.only_asks,
                    "trust": str(Trust.UNVERIFIED),
                    "message_key": f"{session}:{node}.{part}",
                },
            )


def _follow_branch(conversation: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The messages from the first to the one that the conversation ended with."""
    nodes = conversation.get("mapping")
    if not isinstance(nodes, Mapping):
        return
    current, branch = conversation.get("current_node"), dict[str, Mapping[str, Any]]()
    if current not in nodes:
        current = next(reversed(nodes), None)
    while isinstance(current, str) and current not in branch and len(branch) < _MOST_NODES:
        node = nodes.get(current)
        if not isinstance(node, Mapping):
            break
        message = node.get("message")
        branch[current] = message if isinstance(message, Mapping) else {}
        current = node.get("parent")
    yield from reversed(branch.items())


def _own_text(message: Mapping[str, Any]) -> str:
    """What the person wrote in a message; nothing of instructions, files and injected blocks."""
    author, content = message.get("author"), message.get("content")
    metadata = message.get("metadata")
    if not isinstance(author, Mapping) or author.get("role") != "user":
        return ""
    if isinstance(metadata, Mapping) and metadata.get("is_visually_hidden_from_conversation"):
        return ""
    if not isinstance(content, Mapping) or content.get("content_type") not in _TEXTS:
        return ""
    parts = content.get("parts")
    texts = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
    text = "\n".join(texts).encode("utf-8", "replace").decode().replace("\0", " ")
    return "" if next(find_block_headers(text), None) else redact_start(text, MAX_CHARACTERS).text


def _to_moment(seconds: Any) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
