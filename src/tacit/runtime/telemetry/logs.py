"""The log of the process: lines of JSON for machines, or of text for people."""

import json
import logging
import os
import re
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TextIO

from tacit.core.kinds import check_choice
from tacit.language.redaction.tree import redact_all
from tacit.runtime.telemetry.blanking import blanked
from tacit.runtime.telemetry.plain import plain, spoken
from tacit.runtime.telemetry.request import request_id


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


def configure(format: str = LogFormat.TEXT, level: str = LogLevel.INFO) -> None:
    """Have everything logged on standard error, uvicorn's lines too (give it `log_config=None`).

    The level is for Tacit and its server; what other packages say begins with warnings.
    """
    shape = check_choice("format", LogFormat, format)
    install(_handler(shape, sys.stderr), level)


def install(handler: logging.Handler, level: str) -> None:
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
        return json.dumps(_told(record))


class TextFormatter(logging.Formatter):
    """Time, level, message and fields; nothing that is logged can steer a terminal."""

    def __init__(self, *, in_colour: bool) -> None:
        super().__init__()
        self._in_colour = in_colour

    def format(self, record: logging.LogRecord) -> str:
        """Write the record; it cannot fail."""
        told = _told(record)
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


class _Handler(logging.StreamHandler[TextIO]):
    """Writes lines, and lets no failure of the log become one of the program."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Say nothing: where the log cannot be written, there is no place to say so."""


def _handler(format: LogFormat, stream: TextIO) -> logging.Handler:
    handler = _Handler(stream)
    is_colourful = stream.isatty() and not os.environ.get("NO_COLOR")
    handler.setFormatter(
        JsonFormatter() if format is LogFormat.JSON else TextFormatter(in_colour=is_colourful)
    )
    return handler


def _told(record: logging.LogRecord) -> dict[str, Any]:
    """What a record says, as JSON can say it and without secrets."""
    moment = datetime.fromtimestamp(record.created, UTC)
    told: dict[str, Any] = {
        "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "message": _message(record),
    }
    id = request_id()
    if id is not None:
        told["request_id"] = id
    told |= _trouble(record)
    for name, value in _extra(record).items():
        is_taken = name in told or name in _LONG
        told[f"{name}_" if is_taken else spoken(name)] = plain(value)
    kept: dict[str, Any] = redact_all(told)
    return kept


def _message(record: logging.LogRecord) -> str:
    try:
        return blanked(record.getMessage())
    except Exception:
        return f"{spoken(record.msg)} {spoken(record.args)}"


def _trouble(record: logging.LogRecord) -> dict[str, str]:
    """The exception and the stack that came along."""
    trouble: dict[str, str] = {}
    if record.exc_info and record.exc_info[0] is not None:
        trouble["exception"] = blanked(logging.Formatter().formatException(record.exc_info))
    if record.stack_info:
        trouble["stack"] = blanked(record.stack_info)
    return trouble


def _extra(record: logging.LogRecord) -> Mapping[str, Any]:
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
