"""The log of a process that nobody watches: a file of the user's own that never grows large."""

import logging
import os
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

from tacit.runtime.telemetry.logs import LogLevel, TextFormatter, install

LEVEL_VARIABLE = "TACIT_LOG_LEVEL"
_LARGEST = 1024 * 1024
_KEPT = 3


def log_to(path: Path) -> None:
    """Have everything logged to a file, from the level on that TACIT_LOG_LEVEL names, else info."""
    named = os.environ.get(LEVEL_VARIABLE, "").lower()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = _Handler(path, maxBytes=_LARGEST, backupCount=_KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(TextFormatter(in_colour=False))
    install(handler, named if named in set(LogLevel) else LogLevel.INFO)


class _Handler(RotatingFileHandler):
    """Opens files for their owner alone, and lets no failure of the log reach the program."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        file = os.open(self.baseFilename, flags, 0o600)
        return os.fdopen(file, "a", encoding=self.encoding)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Say nothing: where the log cannot be written, there is no place to say so."""
