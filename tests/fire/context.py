"""What a model has in front of it: the lines of memory in the messages that it is sent."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tacit import INJECTION_BLOCK_PREFIX

_LINE = re.compile(r"\[\w+\] (Parcel .*?)(?: \(importance: [\d.]+\))?")


def shown_in(messages: Sequence[Any]) -> list[str]:
    """The contents of the memories in all blocks, as often as they are there."""
    blocks = [each["content"] for each in messages if _is_block(each)]
    lines = [line for block in blocks for line in block.splitlines()]
    return [found[1] for line in lines if (found := _LINE.fullmatch(line))]


def shown_twice(messages: Sequence[Any]) -> list[str]:
    """The contents that are there more than once; each memory has its own."""
    return [content for content, count in Counter(shown_in(messages)).items() if count > 1]


def _is_block(message: Any) -> bool:
    return str(message["content"]).startswith(INJECTION_BLOCK_PREFIX)
