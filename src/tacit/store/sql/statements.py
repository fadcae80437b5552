"""Named queries, read from the SQL files of a backend."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

_MARK = "-- name: "


@cache
def statements(package: str, topic: str) -> Mapping[str, str]:
    """The queries of a backend's `queries/<topic>.sql` by name."""
    text = (files(package) / "queries" / f"{topic}.sql").read_text("utf-8")
    blocks = text.split(_MARK)[1:]
    parts = (block.partition("\n") for block in blocks)
    return MappingProxyType({name.strip(): body.strip() for name, _, body in parts})
