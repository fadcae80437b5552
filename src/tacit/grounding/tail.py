"""The tail of a conversation: what was said last, by whom."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from unicodedata import category

from tacit.grounding.chatlog import entries
from tacit.grounding.entry import Kind
from tacit.grounding.section import Part, body_tokens
from tacit.grounding.spoken import SPEAKERS, Spoken, spoken
from tacit.language.neutralization import (
    close_markup,
    is_fence,
    neutralize_lines,
    restore_lines,
    take_last_lines,
)
from tacit.language.tokens import TextSize
from tacit.settings.grounding import GroundingSettings

_ROLES: Mapping[str, str] = {SPEAKERS[Kind.INBOUND]: "user", SPEAKERS[Kind.OUTBOUND]: "assistant"}
_CUT = "…"
_INDENT = "  "
_JOINER = "\u200d"
_SKIN_TONES = "".join(map(chr, range(0x1F3FB, 0x1F400)))
_FLAG_LETTERS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
"""Two of them are one flag."""


def tail_of(log: Path, settings: GroundingSettings) -> str:
    """The last lines of a chat log that fit; a line of its own begins with who said it.

    Further lines of a message are indented. Where a message is cut at its front, a … says so.
    """
    if not settings.chat_tail_max_tokens:
        return ""
    shown: list[str] = []
    for said in spoken(entries(log)):
        if len(said.lines) <= settings.chat_tail_lines:
            whole = [*_written(said, said.lines), *shown]
            if _fits(whole, settings):
                shown = whole
                continue
        shown = _cut(said, shown, settings)
        break
    return "\n".join(shown)


def messages_in(tail: str) -> tuple[Mapping[str, str], ...]:
    """The messages that a tail shows, as a history has them."""
    found: list[tuple[str, list[str]]] = []
    for line in tail.splitlines():
        if line.startswith(_INDENT) and found:
            found[-1][1].append(line.removeprefix(_INDENT))
        else:
            speaker, _, words = line.partition(":")
            found.append((_ROLES.get(speaker, "user"), [words.strip()]))
    said = [(role, restore_lines("\n".join(lines))) for role, lines in found]
    return tuple({"role": role, "content": content} for role, content in said)


def _written(said: Spoken, lines: Sequence[str], mark: str = "") -> list[str]:
    shown = neutralize_lines("\n".join(take_last_lines(lines, len(lines)))).split("\n")
    first, others = ("", shown) if is_fence(shown[0]) else (shown[0], shown[1:])
    opening = f"{SPEAKERS[said.entry.kind]}: {mark}{first}".rstrip()
    return close_markup("\n".join([opening, *(f"{_INDENT}{line}" for line in others)])).split("\n")


def _cut(said: Spoken, shown: list[str], settings: GroundingSettings) -> list[str]:
    """What is shown with as many last lines of the message before as fit."""
    near = take_last_lines(said.lines, settings.chat_tail_lines)
    for count in range(min(len(said.lines) - 1, len(near)), 0, -1):
        lines = [*_written(said, [_CUT, *take_last_lines(near, count)]), *shown]
        if _fits(lines, settings):
            return lines
    return shown or _end_of_a_line(said, settings)


def _end_of_a_line(said: Spoken, settings: GroundingSettings) -> list[str]:
    """The last words of a message whose last line is too long, or its last characters."""
    line = said.lines[-1][-settings.chat_tail_bytes :]
    low, high = 0, len(line)
    while low < high:
        middle = (low + high) // 2
        if _fits(_written(said, [line[middle:]], f"{_CUT} "), settings):
            high = middle
        else:
            low = middle + 1
    while low < len(line) and _goes_on(line, low):
        low += 1
    words = line[low:].split(None, 1)
    if not words:
        return []
    is_broken = low > 0 and not line[low - 1].isspace()
    kept = words[-1] if is_broken else " ".join(words)
    return _written(said, [kept], f"{_CUT} ")


def _goes_on(line: str, place: int) -> bool:
    """Whether what stands at a place belongs to the character before it."""
    character = line[place]
    if character in _FLAG_LETTERS:
        letters = place - len(line[:place].rstrip(_FLAG_LETTERS))
        return letters % 2 == 1
    is_joined = character == _JOINER or line[place - 1 : place] == _JOINER
    return is_joined or character in _SKIN_TONES or category(character).startswith("M")


def _fits(lines: Sequence[str], settings: GroundingSettings) -> bool:
    if len(lines) > settings.chat_tail_lines or sum(map(len, lines)) > settings.chat_tail_bytes:
        return False
    size = TextSize.of("\n".join(lines))
    tokens = body_tokens(Part.TAIL, settings.chat_tail_max_tokens)
    return size.bytes <= settings.chat_tail_bytes and size.tokens <= tokens
