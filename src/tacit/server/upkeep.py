"""What a server does now and then for the workspaces it serves."""

from collections.abc import Iterable, Iterator

from tacit.engine import Tacit
from tacit.jobs import Job
from tacit.server.service import Service

_MINUTE = 60.0
_HOUR = 60 * _MINUTE


def upkeep(service: Service) -> list[Job]:
    """The jobs of a server."""
    return [
        Job(name="tidying", every=_MINUTE, work=lambda: _tidy(service)),
        Job(name="vectors", every=_MINUTE, work=lambda: _embed(service, service.served())),
        Job(name="all vectors", every=_HOUR, work=lambda: _embed(service, _all(service))),
    ]


def _tidy(service: Service) -> str:
    """Drop events and answers that nobody will ask for any more."""
    limits = service.config.server
    events = answers = 0
    for tacit in service.served():
        events += tacit.prune_events(limits.events_kept)
        answers += tacit.answers.prune(limits.answer_hours)
    return f"dropped {events} events and {answers} answers"


def _embed(service: Service, workspaces: Iterable[Tacit]) -> str:
    """Give vectors to memories that were written while the embedder was away."""
    if service.root.embedder_name is None:
        return "there is no embedder"
    made = sum(tacit.embed_missing() for tacit in workspaces)
    return f"made {made} vectors"


def _all(service: Service) -> Iterator[Tacit]:
    """Every workspace, asked for lately or not."""
    return (service.root.in_workspace(name) for name in service.root.workspaces())
