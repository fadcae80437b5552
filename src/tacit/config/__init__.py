"""Configuration: what a file and the environment say, field by field.

Programs that write the file import `tacit.config.change` and `tacit.config.file` themselves.
"""

from tacit.config.config import Config, Source
from tacit.config.entry import Entry, entries
from tacit.config.environment import EMPTY_LIST, parse_value, read_value
from tacit.config.live import LiveConfig, Problem, State
from tacit.config.loading import FILE_NAME, find_config, load
from tacit.config.tables import Table

__all__ = [
    "EMPTY_LIST",
    "FILE_NAME",
    "Config",
    "Entry",
    "LiveConfig",
    "Problem",
    "Source",
    "State",
    "Table",
    "entries",
    "find_config",
    "load",
    "parse_value",
    "read_value",
]
