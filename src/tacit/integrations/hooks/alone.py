"""The work of a hook in its own process, where there is no daemon."""

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

from tacit.api.configuration import live_configuration
from tacit.api.tacit import Tacit
from tacit.embedding.minilm.model_files import ModelCache
from tacit.integrations.hooks.handling import handle
from tacit.runtime.files.locations import log_file
from tacit.runtime.telemetry.log_file import log_to


def work(client: str, body: Mapping[str, Any], say: Callable[[str], None]) -> None:
    """Have an event handled, and the answer said before anything is put away."""
    log_to(log_file())
    with (
        closing(live_configuration(None, in_folder=False)) as live,
        Tacit.open(
            os.environ.get("TACIT_DB"), body["workspace"], embedder=_embedder(), config=live
        ) as tacit,
    ):
        say(handle(tacit, client, body))


def _embedder() -> str:
    """The embedder that is named; a model that has to be fetched first would take too long."""
    name = os.environ.get("TACIT_EMBEDDER") or "minilm"
    return "none" if name == "minilm" and not ModelCache.of_user().is_complete() else name
