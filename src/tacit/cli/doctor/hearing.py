"""What the log says while something is done."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class _Collector(logging.Handler):
    def __init__(self, said: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._said = said

    def emit(self, record: logging.LogRecord) -> None:
        self._said.append(record.getMessage())


@contextmanager
def heard() -> Iterator[list[str]]:
    """The warnings of Tacit's log from now on, instead of on standard error."""
    said: list[str] = []
    collector = _Collector(said)
    log = logging.getLogger("tacit")
    log.addHandler(collector)
    try:
        yield said
    finally:
        log.removeHandler(collector)
