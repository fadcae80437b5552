"""What belongs together in a history: a tool call and its results, a block and its message."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from tacit.core.messages import answered_call_ids, calls_of
from tacit.language.history.removal import without_blocks


def cuts(messages: Sequence[object], known: Mapping[str, str]) -> list[int]:
    """Where a history may be cut: each number says how many messages come before the cut."""
    furthest = accumulate(_partners(messages, known), max)
    return [index + 1 for index, partner in enumerate(furthest) if partner <= index]


def _partners(messages: Sequence[object], known: Mapping[str, str]) -> list[int]:
    """The index of the last message that each one must not be parted from.

    An id may come again: an answer belongs to the last call before it. An answer without an id
    belongs to the last message that called anything.
    """
    partners = list(range(len(messages)))
    called: dict[str | None, int] = {}
    for index, message in enumerate(messages):
        for id in answered_call_ids(message):
            if id in called:
                partners[called[id]] = index
        if calls := calls_of(message):
            called |= dict.fromkeys([None, *(call.id for call in calls)], index)
        if not without_blocks([message], known):
            partners[index] = index + 1
    return partners
