"""The examination: every check in its order, none of which can stop the others."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from tacit.cli.doctor import (
    clients,
    configuration,
    daemon,
    database,
    embedder,
    files,
    indexes,
    integrity,
    keys,
    memories,
    program,
    projects,
    server,
    space,
    variables,
    vectors,
)
from tacit.cli.doctor.finding import Finding, Level, doubtful, wrong
from tacit.cli.doctor.hearing import heard
from tacit.cli.doctor.installation import Installation
from tacit.core.errors import TacitError
from tacit.runtime.workers import Deadline

Look: TypeAlias = Callable[[Installation], Iterable[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One part of an examination, given up after some seconds.

    It is left out where a check that it needs found an error; that one has said it.
    """

    name: str
    look: Look
    seconds: float = 10.0
    late: Level = Level.ERROR
    needs: tuple[str, ...] = ()


CHECKS = (
    Check(name="program", look=program.look),
    Check(name="configuration", look=configuration.look),
    Check(name="trust", look=configuration.look_at_trust),
    Check(name="environment", look=variables.look),
    Check(name="database", look=database.look),
    Check(name="space", look=space.look),
    Check(name="files", look=files.look, late=Level.WARNING, needs=("configuration", "database")),
    Check(
        name="integrity",
        look=integrity.look,
        seconds=30.0,
        late=Level.WARNING,
        needs=("database",),
    ),
    Check(name="indexes", look=indexes.look, late=Level.WARNING, needs=("database",)),
    Check(
        name="memories",
        look=memories.look,
        late=Level.WARNING,
        needs=("database", "integrity"),
    ),
    Check(
        name="projects",
        look=projects.look,
        late=Level.WARNING,
        needs=("database", "integrity"),
    ),
    Check(name="keys", look=keys.look, late=Level.WARNING, needs=("database", "integrity")),
    Check(name="embedder", look=embedder.look, seconds=15.0),
    Check(
        name="vectors",
        look=vectors.look,
        late=Level.WARNING,
        needs=("database", "integrity", "embedder"),
    ),
    Check(name="server", look=server.look),
    Check(name="daemon", look=daemon.look),
    Check(name="clients", look=clients.look),
)


def examine(installation: Installation, checks: Sequence[Check] = CHECKS) -> list[Finding]:
    """What the checks find, in their order, each thing once; it never raises."""
    done: dict[str, list[Finding]] = {}
    for check in checks:
        if not _failed(check.needs, done):
            done[check.name] = _findings(check, installation)
    once: dict[str, Finding] = {}
    for each in chain.from_iterable(done.values()):
        once.setdefault(each.found, each)
    return list(once.values())


def _failed(names: Iterable[str], done: Mapping[str, Iterable[Finding]]) -> bool:
    return any(each.level is Level.ERROR for name in names for each in done.get(name, ()))


def _findings(check: Check, installation: Installation) -> list[Finding]:
    """What a check finds and the log says meanwhile, as far as it comes in time."""
    found: list[Finding] = []
    late: list[Finding] = []

    def work() -> None:
        for finding in _safely(check, installation):
            found.append(finding)  # noqa: PERF402  what came before the end of time counts

    with heard() as said:
        try:
            Deadline(check.seconds).run(work)
        except TimeoutError:
            late.append(_late(check))
        return [*found, *late, *(doubtful(check.name, message) for message in said)]


def _safely(check: Check, installation: Installation) -> Iterator[Finding]:
    try:
        yield from check.look(installation)
    except TacitError as error:
        yield wrong(check.name, str(error))
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        reason = error.strerror or type(error).__name__
        yield wrong(
            check.name,
            f"{place}cannot be looked at ({reason})",
            "make it accessible for you, or name another place",
        )
    except Exception as error:
        yield wrong(
            check.name,
            f"the check itself failed ({type(error).__name__}: {error})",
            "report this as a fault of Tacit, with the versions above",
        )


def _late(check: Check) -> Finding:
    found = f"was not examined to the end within {check.seconds:g} seconds"
    mend = "see whether what it asks is busy or stuck, and run this again"
    return Finding(check.name, check.late, found, mend)
