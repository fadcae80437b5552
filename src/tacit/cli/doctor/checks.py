"""Runs every check of the doctor in order; a check that fails or hangs does not stop the others."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from tacit.cli.doctor import configuration, database, embedder
from tacit.cli.doctor.configuration import check_program, check_variables
from tacit.cli.doctor.database import check_integrity, check_space
from tacit.cli.doctor.embedder import check_tokens, check_vectors
from tacit.cli.doctor.findings import (
    DoctorFinding,
    Installation,
    Severity,
    error_finding,
    warning_finding,
)
from tacit.cli.doctor.recent_turns import check_hooks, check_turns
from tacit.cli.doctor.services import check_clients, check_daemon, check_server
from tacit.cli.doctor.stored_data import (
    check_files,
    check_indexes,
    check_keys,
    check_memories,
    check_projects,
)
from tacit.core.errors import TacitError
from tacit.runtime.workers import Deadline

# Warnings of the log while a check runs


class _WarningCollector(logging.Handler):
    def __init__(self, said: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._said = said

    def emit(self, record: logging.LogRecord) -> None:
        self._said.append(record.getMessage())


@contextmanager
def collect_warnings() -> Iterator[list[str]]:
    """Collect the warnings of Tacit's log instead of printing them."""
    said: list[str] = []
    collector = _WarningCollector(said)
    log = logging.getLogger("tacit")
    log.addHandler(collector)
    try:
        yield said
    finally:
        log.removeHandler(collector)


# The checks, and how they run


CheckFunction: TypeAlias = Callable[[Installation], Iterable[DoctorFinding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorCheck:
    """One check of the doctor, abandoned after some seconds.

    It is skipped if a check that it needs found an error, which says enough.
    """

    name: str
    run: CheckFunction
    seconds: float = 10.0
    late: Severity = Severity.ERROR
    needs: tuple[str, ...] = ()


CHECKS = (
    DoctorCheck(name="program", run=check_program),
    DoctorCheck(name="configuration", run=configuration.check_configuration),
    DoctorCheck(name="trust", run=configuration.check_trust),
    DoctorCheck(name="environment", run=check_variables),
    DoctorCheck(name="database", run=database.check_database),
    DoctorCheck(name="space", run=check_space),
    DoctorCheck(
        name="files", run=check_files, late=Severity.WARNING, needs=("configuration", "database")
    ),
    DoctorCheck(
        name="integrity",
        run=check_integrity,
        seconds=30.0,
        late=Severity.WARNING,
        needs=("database",),
    ),
    DoctorCheck(name="indexes", run=check_indexes, late=Severity.WARNING, needs=("database",)),
    DoctorCheck(
        name="memories",
        run=check_memories,
        late=Severity.WARNING,
        needs=("database", "integrity"),
    ),
    DoctorCheck(
        name="projects",
        run=check_projects,
        late=Severity.WARNING,
        needs=("database", "integrity"),
    ),
    DoctorCheck(
        name="keys", run=check_keys, late=Severity.WARNING, needs=("database", "integrity")
    ),
    DoctorCheck(name="embedder", run=embedder.check_embedder, seconds=15.0),
    DoctorCheck(
        name="vectors",
        run=check_vectors,
        late=Severity.WARNING,
        needs=("database", "integrity", "embedder"),
    ),
    DoctorCheck(
        name="tokens",
        run=check_tokens,
        late=Severity.WARNING,
        needs=("database", "integrity", "embedder"),
    ),
    DoctorCheck(
        name="turns", run=check_turns, late=Severity.WARNING, needs=("database", "integrity")
    ),
    DoctorCheck(name="server", run=check_server),
    DoctorCheck(name="daemon", run=check_daemon),
    DoctorCheck(name="hooks", run=check_hooks, late=Severity.WARNING),
    DoctorCheck(name="clients", run=check_clients),
)


def run_checks(
    installation: Installation, checks: Sequence[DoctorCheck] = CHECKS
) -> list[DoctorFinding]:
    """Run the checks in order and return each finding once; it never raises."""
    done: dict[str, list[DoctorFinding]] = {}
    for check in checks:
        if not _has_error(check.needs, done):
            done[check.name] = _run_check(check, installation)
    once: dict[str, DoctorFinding] = {}
    for each in chain.from_iterable(done.values()):
        once.setdefault(each.found, each)
    return list(once.values())


def _has_error(names: Iterable[str], done: Mapping[str, Iterable[DoctorFinding]]) -> bool:
    return any(each.level is Severity.ERROR for name in names for each in done.get(name, ()))


def _run_check(check: DoctorCheck, installation: Installation) -> list[DoctorFinding]:
    """Run a check within its time; warnings of the log that it does not tell are findings too."""
    found: list[DoctorFinding] = []
    late: list[DoctorFinding] = []

    def work() -> None:
        for finding in _run_safely(check, installation):
            found.append(finding)  # noqa: PERF402  what came before the end of time counts

    with collect_warnings() as said:
        try:
            Deadline(check.seconds).run(work)
        except TimeoutError:
            late.append(_timeout_finding(check))
        untold = [text for text in said if all(text not in each.found for each in found)]
        return [*found, *late, *(warning_finding(check.name, text) for text in untold)]


def _run_safely(check: DoctorCheck, installation: Installation) -> Iterator[DoctorFinding]:
    try:
        yield from check.run(installation)
    except TacitError as error:
        yield error_finding(check.name, str(error))
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        reason = error.strerror or type(error).__name__
        yield error_finding(
            check.name,
            f"{place}cannot be looked at ({reason})",
            "make it accessible for you, or name another place",
        )
    except Exception as error:
        yield error_finding(
            check.name,
            f"the check itself failed ({type(error).__name__}: {error})",
            "report this as a fault of Tacit, with the versions above",
        )


def _timeout_finding(check: DoctorCheck) -> DoctorFinding:
    found = f"was not examined to the end within {check.seconds:g} seconds"
    mend = "see whether what it asks is busy or stuck, and run this again"
    return DoctorFinding(check.name, check.late, found, mend)
