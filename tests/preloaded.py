"""What forked processes have done already; nothing here starts a thread or reads settings."""

import gc
from importlib import import_module

from tacit.language.extraction.rule_tables import prepare_patterns
from tacit.server import serve
from tests.applications import application, pattern
from tests.patience import wait_longer_by_default

_IMPORTED = (
    "anyio._backends._asyncio",
    "rich.progress",
    "tacit.cli.commands",
    "tacit.cli.serve",
    "tacit.integrations.mcp.server",
    "tacit.ui.app",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.websockets.auto",
    "uvloop",
)

for _name in _IMPORTED:
    import_module(_name)
prepare_patterns(lambda: None)
wait_longer_by_default()
pattern()
serve.create_app = application  # their servers have routes that are compiled
gc.freeze()  # nor do they look through it for what could be freed
