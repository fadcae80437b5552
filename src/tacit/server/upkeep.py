"""What a server does now and then for the workspaces it serves."""

from collections.abc import Iterable, Iterator

from tacit.api.tacit import Tacit
from tacit.server.jobs.jobs import Job
from tacit.server.service import Service
from tacit.writing.learning.lesson import Learned

_MINUTE = 60.0
_HOUR = 60 * _MINUTE


def upkeep(service: Service) -> list[Job]:
    """The jobs of a server; a language model that takes its time holds up none of the others."""
    return [
        Job(name="tidying", every=_MINUTE, work=lambda: _tidy(service)),
        Job(name="vectors", every=_MINUTE, work=lambda: _embed(service, service.served())),
        Job(name="all vectors", every=_HOUR, work=lambda: _embed(service, _all(service))),
        Job(name="upkeep", every=_HOUR, work=lambda: _keep_up(service)),
        Job(
            name="learning",
            every=_MINUTE,
            work=lambda: _learn(service.served()),
            worker=service.learning,
        ),
        Job(
            name="all learning",
            every=_HOUR,
            work=lambda: _learn(_all(service)),
            worker=service.learning,
        ),
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


def _keep_up(service: Service) -> str:
    """Forget, merge and relate in a part of every workspace; the next time it goes on there."""
    if not service.config.upkeep.automatic:
        return "is switched off"
    reports = [tacit.upkeep() for tacit in service.served()]
    pruned, merged, linked = (
        sum(len(getattr(each, name)) for each in reports) for name in ("pruned", "merged", "linked")
    )
    return f"forgot {pruned}, merged {merged} and related {linked} memories"


def _learn(workspaces: Iterable[Tacit]) -> str:
    """Learn from what was said and still waits: it became due, or somebody could not be asked."""
    learned = Learned.together(tacit.learn() for tacit in workspaces)
    return f"read {learned.turns} turns and found {len(learned.lessons)} statements"


def _all(service: Service) -> Iterator[Tacit]:
    """Every workspace, asked for lately or not."""
    return (service.root.in_workspace(name) for name in service.root.workspaces())
