"""Configuration: what a file and the environment say, field by field."""

from tacit.config.config import Config, Source
from tacit.config.loading import find_config, load

__all__ = ["Config", "Source", "find_config", "load"]
