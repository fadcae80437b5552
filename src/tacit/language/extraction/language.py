"""Which languages a text may be in, told by its small words."""

import re
from collections.abc import Sequence

from tacit.language.extraction.table import Table, small_words, table

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def languages(said: str) -> Sequence[Table]:
    """The tables whose small words a text has most of; none where it has none of any."""
    words = _WORD.findall(said.casefold())
    votes = {
        language: sum(word in small for word in words) for language, small in small_words().items()
    }
    most = max(votes.values())
    return [table(language) for language, count in votes.items() if count == most and most]
