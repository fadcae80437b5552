"""Blocks inside other texts, where somebody repeats them."""

import re
from collections.abc import Iterator, Mapping

from tacit.language.structure.templates import INJECTION_BLOCK_PREFIX

_HEADER = re.compile(rf"{re.escape(INJECTION_BLOCK_PREFIX)} #([0-9a-f]{{8}})")


def without_quotes(text: str, known: Mapping[str, str]) -> str:
    """A text without the blocks in it; `known` has the exact text of each by its id."""
    return "".join(_around(text, known)) if INJECTION_BLOCK_PREFIX in text else text


def _around(text: str, known: Mapping[str, str]) -> Iterator[str]:
    start = 0
    header = _HEADER.search(text)
    while header:
        block, end = known.get(header[1]), header.end()
        if block and text.startswith(block, header.start()):
            yield text[start : header.start()]
            start = end = header.start() + len(block)
        header = _HEADER.search(text, end)
    yield text[start:]
