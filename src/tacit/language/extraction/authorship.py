"""Whose text a message holds, where a model reads it beside the patterns.

Patterns are a list, and a list ends. The model has read messages that hand over a text in many
ways, and messages of people's own that look alike (`tools/authorship`).
"""

import re
from collections.abc import Callable

from tacit.language.extraction.text_requests import has_text_request

WeighAuthorship = Callable[[str], float]
"""Says of a message how likely it holds a text that somebody else wrote."""

MIN_FOREIGN = 0.6
"""From this likelihood on a message is in doubt, although no pattern sees a text in it."""

MAX_OWN = 0.016
"""Below this likelihood it is in no doubt, although a pattern sees one."""

_FEWEST_WORDS = 6
"""A shorter message has no room for a text and a word about it."""

_WORD = re.compile(r"\w+")


def is_in_doubt(
    text: str,
    by_patterns: bool,
    weigh: WeighAuthorship | None,
    min_foreign: float = MIN_FOREIGN,
    max_own: float = MAX_OWN,
) -> bool:
    """Whether a message may hold somebody else's text, by the patterns and a model if given.

    A model does not overrule a line that only asks for work on the other lines.
    """
    if has_text_request(text):
        return True
    if weigh is None or len(_WORD.findall(text)) < _FEWEST_WORDS:
        return by_patterns
    return weigh(text) >= (max_own if by_patterns else min_foreign)
