"""Where Tacit is installed now, read from the clients' own files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tacit.core.errors import ConfigError
from tacit.integrations.hooks.installing.client import Client, Scope, Surroundings, targets
from tacit.integrations.hooks.installing.part import Hooks
from tacit.integrations.hooks.installing.program import Program
from tacit.runtime.files.reading import read_whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """A client's file with hooks of ours, or one that cannot be read."""

    client: Client
    scope: Scope
    path: Path
    commands: tuple[tuple[str, ...], ...] = ()
    """The words of each different command."""
    missing: tuple[str, ...] = ()
    """Events that have none."""
    is_off: bool = False
    """Whether the file turns all hooks off."""
    problem: str | None = None


def presences(program: Program, around: Surroundings) -> Iterator[Presence]:
    """Every file that holds hooks of ours or cannot be read, each once."""
    seen: set[Path] = set()
    for client in Client:
        for scope in Scope:
            for target in targets(client, scope, program, around):
                hooks = next((each for each in target.parts if isinstance(each, Hooks)), None)
                if hooks is None or target.path in seen:
                    continue
                seen.add(target.path)
                found = _presence(client, scope, target.path, hooks)
                if found is not None:
                    yield found


def _presence(client: Client, scope: Scope, path: Path, hooks: Hooks) -> Presence | None:
    try:
        text = read_whole(path).decode()
        found = hooks.commands(text, path)
    except OSError:  # not there, or not this user's
        return None
    except (ConfigError, ValueError) as error:
        return Presence(client=client, scope=scope, path=path, problem=str(error))
    if not found:
        return None
    return Presence(
        client=client,
        scope=scope,
        path=path,
        commands=tuple(sorted(set(found.values()))),
        missing=tuple(event for event in hooks.timeouts if event not in found),
        is_off=hooks.is_off(text, path),
    )
