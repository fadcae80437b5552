"""What forked processes have done already; nothing here starts a thread or reads settings."""

import tacit.cli.commands
import tacit.integrations.mcp
import tacit.server.app
import tacit.server.serve  # noqa: F401
from tacit.language.extraction.rule_tables import prepare_patterns

prepare_patterns(lambda: None)
