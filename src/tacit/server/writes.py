"""What became of writes, told to the caller and counted."""

from collections.abc import Sequence
from typing import Any

from tacit.server.access import Caller
from tacit.writing.draft import Written


def told(caller: Caller, written: Sequence[Written]) -> list[dict[str, Any]]:
    """Each as it is answered."""
    for each in written:
        caller.service.metrics.count_writes(each.status)
    return [each.to_dict() for each in written]
