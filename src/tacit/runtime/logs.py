"""The log of the process: JSON lines for machines or text for people, without secrets."""

import json
import logging
import math
import os
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, TextIO

from tacit.core.kinds import check_choice
from tacit.language.redaction.redact import redact_json
from tacit.runtime.telemetry import current_request_id


class LogFormat(StrEnum):
    """How a line of the log is written."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """From which weight on something is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def configure_logging(format: str = LogFormat.TEXT, level: str = LogLevel.INFO) -> None:
    """Have everything logged on standard error, uvicorn's lines too (give it `log_config=None`).

    The level is for Tacit and its server; what other packages say begins with warnings.
    """
    shape = check_choice("format", LogFormat, format)
    install_handler(_create_handler(shape, sys.stderr), level)


def install_handler(handler: logging.Handler, level: str) -> None:
    """Have everything logged by a handler, and by no other."""
    weight = getattr(logging, check_choice("level", LogLevel, level).upper())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(weight, logging.WARNING))
    for name in _OURS:
        logging.getLogger(name).setLevel(weight)
    for name in _UVICORN:
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.propagate = True


class JsonFormatter(logging.Formatter):
    """One JSON object a line, in ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record; it cannot fail."""
        return json.dumps(_record_to_dict(record))


class TextFormatter(logging.Formatter):
    """Time, level, message and fields; nothing that is logged can steer a terminal."""

    def __init__(self, *, in_colour: bool) -> None:
        super().__init__()
        self._in_colour = in_colour

    def format(self, record: logging.LogRecord) -> str:
        """Write the record; it cannot fail."""
        told = _record_to_dict(record)
        parts = [
            self._painted(told.pop("time"), _DIM),
            self._painted(f"{record.levelname:<7}", _COLOURS.get(record.levelno, _DIM)),
            _printable(told.pop("message")),
        ]
        below = [told.pop(name) for name in _LONG if name in told]
        for name in ("level", "logger"):
            del told[name]
        parts += [self._painted(_field(name, value), _DIM) for name, value in told.items()]
        lines = [_printable(line) for text in below for line in text.splitlines()]
        return "\n    ".join([" ".join(parts), *lines])

    def _painted(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._in_colour else text


class _StreamHandler(logging.StreamHandler[TextIO]):
    """Writes lines, and lets no failure of the log become one of the program."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Say nothing: where the log cannot be written, there is no place to say so."""


def _create_handler(format: LogFormat, stream: TextIO) -> logging.Handler:
    handler = _StreamHandler(stream)
    is_colourful = stream.isatty() and not os.environ.get("NO_COLOR")
    handler.setFormatter(
        JsonFormatter() if format is LogFormat.JSON else TextFormatter(in_colour=is_colourful)
    )
    return handler


def _record_to_dict(record: logging.LogRecord) -> dict[str, Any]:
    """What a record says, as JSON can say it and without secrets."""
    moment = datetime.fromtimestamp(record.created, UTC)
    told: dict[str, Any] = {
        "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": _message(record),
    }
    id = current_request_id()
    if id is not None:
        told["request_id"] = id
    told |= _exception_fields(record)
    for name, value in _extra_fields(record).items():
        is_taken = name in told or name in _LONG
        told[f"{name}_" if is_taken else to_safe_text(name)] = to_json_safe(value)
    kept: dict[str, Any] = redact_json(told)
    return kept


def _message(record: logging.LogRecord) -> str:
    try:
        return hide_keys(record.getMessage())
    except Exception:
        return f"{to_safe_text(record.msg)} {to_safe_text(record.args)}"


def _exception_fields(record: logging.LogRecord) -> dict[str, str]:
    """The exception and the stack that came along."""
    trouble: dict[str, str] = {}
    if record.exc_info and record.exc_info[0] is not None:
        trouble["exception"] = hide_keys(logging.Formatter().formatException(record.exc_info))
    if record.stack_info:
        trouble["stack"] = hide_keys(record.stack_info)
    return trouble


def _extra_fields(record: logging.LogRecord) -> Mapping[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}


def _field(name: str, value: Any) -> str:
    is_word = isinstance(value, str) and _WORD.fullmatch(value)
    shown = value if is_word else json.dumps(value, ensure_ascii=False)
    return _printable(f"{name}={shown}")


def _printable(text: str) -> str:
    """The text with escapes in place of what has no sign of its own."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


_OURS = ("tacit", "uvicorn")
_UVICORN = ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")
_LONG = ("exception", "stack")
_WORD = re.compile(r'[^\s"=]+')
_OF_EVERY_RECORD = {
    *vars(logging.makeLogRecord({})),
    "message",
    "asctime",
    "taskName",
    "color_message",
}
_DIM = "2"
_COLOURS = {
    logging.DEBUG: "36",
    logging.INFO: "32",
    logging.WARNING: "33",
    logging.ERROR: "31",
    logging.CRITICAL: "31;1",
}


# The log file of a background process.


LEVEL_VARIABLE = "TACIT_LOG_LEVEL"
_MAX_LOG_BYTES = 1024 * 1024
_KEPT_FILES = 3


def log_to_file(path: Path) -> None:
    """Have everything logged to a file, from the level on that TACIT_LOG_LEVEL names, else info."""
    named = os.environ.get(LEVEL_VARIABLE, "").lower()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handler = _FileHandler(
        path, maxBytes=_MAX_LOG_BYTES, backupCount=_KEPT_FILES, encoding="utf-8", delay=True
    )
    handler.setFormatter(TextFormatter(in_colour=False))
    install_handler(handler, named if named in set(LogLevel) else LogLevel.INFO)


class _FileHandler(RotatingFileHandler):
    """Opens files for their owner alone, and lets no failure of the log reach the program."""

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        file = os.open(self.baseFilename, flags, 0o600)
        return os.fdopen(file, "a", encoding=self.encoding)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Say nothing: where the log cannot be written, there is no place to say so."""


# Conversion of any value to JSON.


_MAX_DEPTH = 8
_INT_LIMIT = 1 << 63


def to_json_safe(value: Any) -> Any:
    """The value as JSON can say it; what JSON has no word for becomes a string."""
    try:
        return _to_json_safe(value, 0)
    except Exception:
        return to_safe_text(value)


def to_safe_text(value: Any) -> str:
    """The value as a string; one that cannot speak is called by its type."""
    try:
        return hide_keys(str(value))
    except Exception:
        return f"<{type(value).__name__}>"


def _to_json_safe(value: Any, depth: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and -_INT_LIMIT <= value < _INT_LIMIT:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if depth < _MAX_DEPTH and isinstance(value, Mapping):
        return {to_safe_text(name): _to_json_safe(each, depth + 1) for name, each in value.items()}
    if depth < _MAX_DEPTH and isinstance(value, list | tuple | set | frozenset):
        return [_to_json_safe(each, depth + 1) for each in value]
    return to_safe_text(value)


_BEARER = re.compile(r"\b(bearer)(?:\s|%20|\+)+[A-Za-z0-9._~+/=-]+", re.IGNORECASE)
_TOKEN = re.compile(r"(tacit_[A-Za-z0-9_-]{12}_)[A-Za-z0-9_-]{32,}")


def hide_keys(text: str) -> str:
    """The text without keys: of one of ours its id stays, of another's nothing."""
    return _TOKEN.sub(r"\1[hidden]", _BEARER.sub(r"\1 [hidden]", text))
