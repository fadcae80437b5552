"""A service at work: its jobs are done, and those who watch hear of other settings."""

import logging
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager

from tacit.api.tacit import Tacit
from tacit.core.errors import StoreClosed, TacitError
from tacit.core.events import EventKind
from tacit.runtime.traces import create_tracer
from tacit.server.jobs.jobs import Jobs
from tacit.server.service import Service
from tacit.server.upkeep import upkeep
from tacit.settings.live_config import ConfigState, LiveConfig

_log = logging.getLogger("tacit.server")


@contextmanager
def serving(
    tacit: Tacit, live: LiveConfig, *, is_exposed: bool = False, share: int = 1
) -> Iterator[Service]:
    """A service of a memory; what waits for vectors and for learning is begun at once."""
    jobs = Jobs(tacit.worker)
    with closing(create_tracer(os.environ)) as tracer:
        service = Service(tacit, live, jobs=jobs, tracer=tracer, is_exposed=is_exposed, share=share)
        for job in upkeep(service):
            jobs.add(job)
        stop_listening = live.listen(lambda state: tell(service, state))
        jobs.start()
        jobs.run("all vectors")
        jobs.run("all learning")
        try:
            yield service
        finally:
            jobs.stop()
            stop_listening()
            service.close()


def tell(service: Service, state: ConfigState) -> None:
    """Let those who watch a workspace know of other settings, or of a file that is wrong."""
    told = {"valid": state.problem is None}
    try:
        for tacit in service.served():
            tacit.note(EventKind.SETTINGS_CHANGED, told)
    except StoreClosed:
        return
    except TacitError as error:
        _log.warning("the change of settings was not noted: %s", error)
