"""Starting and stopping a service: its periodic jobs, and news of changed settings."""

import logging
import os
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial

from tacit.api.calls.maintenance import EmbeddingStage
from tacit.api.tacit import Tacit, find_answers, find_worker, learn_queued
from tacit.core.errors import StoreClosed, TacitError
from tacit.core.events import EventKind
from tacit.runtime.traces import create_tracer
from tacit.runtime.workers import Deadline, Worker
from tacit.server.jobs import Job, Jobs
from tacit.server.service import Service
from tacit.settings.live_config import ConfigState, LiveConfig
from tacit.writing.learning.lesson import Learned

_log = logging.getLogger("tacit.server")

_WARM_SECONDS = 10.0
_MOST_WARM = 100


@contextmanager
def running_service(
    tacit: Tacit, live: LiveConfig, *, is_exposed: bool = False, share: int = 1
) -> Iterator[Service]:
    """Run a service with its periodic jobs; missing vectors, tokens and learning start at once."""
    jobs = Jobs(find_worker(tacit))
    with closing(create_tracer(os.environ)) as tracer:
        service = Service(tacit, live, jobs=jobs, tracer=tracer, is_exposed=is_exposed, share=share)
        for job in periodic_jobs(service):
            jobs.add(job)
        stop_listening = live.listen(lambda state: announce_settings(service, state))
        jobs.start()
        jobs.run("all vectors")
        jobs.run("all tokens")
        jobs.run("all learning")
        try:
            yield service
        finally:
            jobs.stop()
            stop_listening()
            service.close()


def warm_workspaces(service: Service) -> None:
    """Load the model and the workspaces before the first request comes.

    Those that take longer are loaded at their first request.
    """
    service.root.warm()
    limit = Deadline(_WARM_SECONDS)
    for name in service.root.workspace.names()[:_MOST_WARM]:
        if limit.has_passed:
            return
        service.root.workspace.open(name).warm()


def announce_settings(service: Service, state: ConfigState) -> None:
    """Add an event to the served workspaces about changed or invalid settings."""
    fields = {"valid": state.problem is None}
    try:
        for tacit in service.served():
            tacit.workspace.note(EventKind.SETTINGS_CHANGED, fields)
    except StoreClosed:
        return
    except TacitError as error:
        _log.warning("the change of settings was not noted: %s", error)


# Periodic jobs


_MINUTE = 60.0
_HOUR = 60 * _MINUTE


def periodic_jobs(service: Service) -> list[Job]:
    """The periodic jobs of a server; what waits for a model has a worker of its own."""
    return [
        Job(name="tidying", every=_MINUTE, work=lambda: _tidy(service)),
        *_embedding_jobs(service, EmbeddingStage.VECTORS),
        *_embedding_jobs(service, EmbeddingStage.TOKENS, service.encoding),
        Job(name="upkeep", every=_HOUR, work=lambda: _run_upkeep(service)),
        Job(
            name="learning",
            every=_MINUTE,
            work=lambda: _learn(service.served()),
            worker=service.learning,
        ),
        Job(
            name="all learning",
            every=_HOUR,
            work=lambda: _learn(_all_workspaces(service)),
            worker=service.learning,
        ),
    ]


def _tidy(service: Service) -> str:
    """Drop old events and answers."""
    limits = service.config.server
    events = answers = 0
    for tacit in service.served():
        events += tacit.workspace.prune_events(limits.events_kept)
        answers += find_answers(tacit).prune(limits.answer_hours)
    return f"dropped {events} events and {answers} answers"


def _embedding_jobs(
    service: Service, stage: EmbeddingStage, worker: Worker | None = None
) -> list[Job]:
    """Make what was left out while the embedder was unavailable, or is left to the background."""
    recent, everything = f"{stage}", f"all {stage}"
    return [
        Job(
            name=recent,
            every=_MINUTE,
            work=lambda: _embed(service, recent, stage, service.served()),
            worker=worker,
        ),
        Job(
            name=everything,
            every=_HOUR,
            work=lambda: _embed(service, everything, stage, _all_workspaces(service)),
            worker=worker,
        ),
    ]


def _embed(service: Service, job: str, stage: EmbeddingStage, workspaces: Iterable[Tacit]) -> str:
    if service.root.workspace.embedder_name is None:
        return "there is no embedder"
    made = 0
    for tacit in workspaces:
        note = partial(_note_progress, service, job, tacit.workspace.name)
        report = tacit.archive.embed_missing(stage=stage, progress=note)
        made += report.vectors + report.tokens
    return (
        f"made {made:,} vectors" if stage is EmbeddingStage.VECTORS else f"encoded {made:,} texts"
    )


def _note_progress(
    service: Service, job: str, workspace: str, stage: str, done: int, total: int
) -> None:
    service.jobs.note_progress(job, f"{stage}: {done:,} of {total:,} in {workspace}")


def _run_upkeep(service: Service) -> str:
    """Run upkeep on a part of every workspace; the next run continues there."""
    if not service.config.upkeep.automatic:
        return "is switched off"
    reports = [tacit.upkeep() for tacit in service.served()]
    pruned, merged, linked = (
        sum(len(getattr(each, name)) for each in reports) for name in ("pruned", "merged", "linked")
    )
    return f"forgot {pruned}, merged {merged} and related {linked} memories"


def _learn(workspaces: Iterable[Tacit]) -> str:
    """Learn from queued turns that are due or could not be read before."""
    learned = Learned.together(map(learn_queued, workspaces))
    return f"read {learned.turns} turns and found {len(learned.lessons)} statements"


def _all_workspaces(service: Service) -> Iterator[Tacit]:
    """All workspaces of the store."""
    return (service.root.workspace.open(name) for name in service.root.workspace.names())
