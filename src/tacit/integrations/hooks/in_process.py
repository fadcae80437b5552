"""Handles a hook event in the hook's own process, where no daemon can be reached."""

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any

from tacit.api.configuration import live_configuration
from tacit.api.tacit import Tacit
from tacit.embedding.minilm.model_files import lacks_model
from tacit.integrations.hooks.event_handler import handle_event
from tacit.integrations.hooks.prompt_spooler import spool_of_environment
from tacit.runtime.files import default_database_path, default_log_path
from tacit.runtime.logs import log_to_file


def handle_in_process(client: str, body: Mapping[str, Any], say: Callable[[str], None]) -> None:
    """Handle an event; `say` gets the output before the store is closed."""
    log_to_file(default_log_path())
    database = os.environ.get("TACIT_DB") or default_database_path()
    with (
        closing(live_configuration(None, in_folder=False, database=database)) as live,
        Tacit.open(database, body["workspace"], embedder=_quick_embedder(), config=live) as tacit,
    ):
        say(handle_event(tacit, client, body, spool_of_environment(os.environ)))


def _quick_embedder() -> str:
    """The configured embedder, unless its model would have to be fetched first."""
    name = os.environ.get("TACIT_EMBEDDER") or "minilm"
    return "none" if lacks_model(name) else name
