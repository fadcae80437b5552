"""What was counted of a workspace of which a corpus holds only an excerpt."""

from collections.abc import Mapping
from dataclasses import dataclass

from tacit.store.index import Census


@dataclass(frozen=True, slots=True)
class Counted:
    """The census, and how common the terms and how long the sessions are that matter here.

    `session_scores` are how well whole sessions match, where more than the excerpt told.
    """

    census: Census
    commonness: Mapping[int, int]
    session_words: Mapping[str, int]
    session_scores: Mapping[str, float] | None = None
