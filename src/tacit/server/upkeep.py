"""What a server does now and then for the workspaces it serves."""

from tacit.jobs import Job
from tacit.server.service import Service

_MINUTE = 60.0


def upkeep(service: Service) -> list[Job]:
    """The jobs of a server."""
    return [
        Job(name="tidying", every=_MINUTE, work=lambda: _tidy(service)),
        Job(name="vectors", every=_MINUTE, work=lambda: _embed(service)),
    ]


def _tidy(service: Service) -> str:
    """Drop events and answers that nobody will ask for any more."""
    limits = service.config.server
    events = answers = 0
    for tacit in service.served():
        events += tacit.prune_events(limits.events_kept)
        answers += tacit.answers.prune(limits.answer_hours)
    return f"dropped {events} events and {answers} answers"


def _embed(service: Service) -> str:
    """Give vectors to memories that were written while the embedder was away."""
    if service.root.embedder_name is None:
        return "there is no embedder"
    made = sum(tacit.embed_missing() for tacit in service.served())
    return f"made {made} vectors"
