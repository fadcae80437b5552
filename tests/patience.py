"""Time limits in tests: the defaults suit a quiet machine, and tests run on busy ones."""

from collections.abc import Callable

from tacit.api import workspace
from tacit.api.client import conversations
from tacit.api.client import grounding as client_grounding
from tacit.grounding import grounder
from tacit.proxy import exchange
from tacit.runtime.workers import Deadline
from tacit.settings.injection import InjectionSettings
from tacit.turn import prepare

PATIENCE_SECONDS = 60.0

_DEFAULT_SECONDS = InjectionSettings().deadline_ms / 1_000


def wait_longer_by_default() -> None:
    """Let turns and what goes with them take their time in this process, and in its forks.

    What a test itself says about the time that a turn has is kept.
    """
    prepare.Deadline = _lengthen(Deadline)
    conversations.TURN_SECONDS = client_grounding.TURN_SECONDS = PATIENCE_SECONDS
    grounder._SECONDS_FOR_DOCUMENTS = PATIENCE_SECONDS
    workspace._COMPARING_SECONDS = PATIENCE_SECONDS
    exchange.GRACE_SECONDS = PATIENCE_SECONDS


def _lengthen(begin: Callable[[float], Deadline]) -> Callable[[float], Deadline]:
    return lambda seconds: begin(PATIENCE_SECONDS if seconds == _DEFAULT_SECONDS else seconds)
