"""Configuration: what a file and the environment say, field by field.

Programs that write the file import `tacit.config.change` and `tacit.config.file` themselves.
"""

from tacit.config.config import Config, ProjectLayer, Source
from tacit.config.entry import Entry, entries
from tacit.config.environment import EMPTY_LIST, parse_value, read_value
from tacit.config.live import LiveConfig, Problem, State
from tacit.config.loading import FILE_NAME, ConfigPaths, find_config, load
from tacit.config.project import load_found
from tacit.config.tables import Table

__all__ = [
    "EMPTY_LIST",
    "FILE_NAME",
    "Config",
    "ConfigPaths",
    "Entry",
    "LiveConfig",
    "Problem",
    "ProjectLayer",
    "Source",
    "State",
    "Table",
    "entries",
    "find_config",
    "load",
    "load_found",
    "parse_value",
    "read_value",
]
