"""The command that clients run, and how it is recognised in their configuration."""

import os
import re
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

PROGRAM_NAME = "tacit"
_AS_MODULE = ("-P", "-m", PROGRAM_NAME)
"""Without -P, Python would load modules of the folder that a client works in."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


@dataclass(frozen=True, slots=True)
class Program:
    """How Tacit is called: by its name, or by the path of this installation."""

    words: tuple[str, ...]

    def hook(self, client: str) -> str:
        """The shell command that handles an event of a client."""
        return shlex.join([*self.words, "hook", client])

    @property
    def command(self) -> str:
        """The executable of the MCP server."""
        return self.words[0]

    @property
    def arguments(self) -> list[str]:
        """The arguments of the MCP server."""
        return [*self.words[1:], "mcp"]

    @property
    def is_of_this_machine(self) -> bool:
        """Whether it names a path that exists only on this machine."""
        return self.words != (PROGRAM_NAME,)


def find_program(environment: Mapping[str, str] = os.environ) -> Program:
    """This installation: by its name if every shell finds it, else by its path."""
    own = Path(sysconfig.get_path("scripts")) / PROGRAM_NAME
    if not own.is_file():
        return Program((sys.executable, *_AS_MODULE))
    found = shutil.which(PROGRAM_NAME, path=environment.get("PATH"))
    if found and Path(found).resolve() == own.resolve() and not _is_only_in_venv(found, own):
        return Program((PROGRAM_NAME,))
    return Program((str(own),))


def _is_only_in_venv(found: str, own: Path) -> bool:
    """Whether only an activated environment has it on the PATH."""
    return sys.prefix != sys.base_prefix and Path(found).parent == own.parent


def parse_hook_command(command: object, client: str) -> tuple[str, ...] | None:
    """The words of a hook command of any Tacit installation; None for other commands."""
    try:
        words = shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return None
    while words and _ASSIGNMENT.match(words[0]):
        words.pop(0)
    return tuple(words) if _is_call(words, "hook", client) else None


def is_our_server(command: object, arguments: object) -> bool:
    """Whether this is our MCP server, of any installation and with any options."""
    if not isinstance(command, str) or not isinstance(arguments, list):
        return False
    words = [command, *map(str, arguments)]
    return any(_is_call(words[:length], "mcp") for length in (2, 4, 5))


def _is_call(words: Sequence[str], *wanted: str) -> bool:
    for module in (_AS_MODULE, _AS_MODULE[1:]):
        if tuple(words[1 : len(module) + 1]) == module:
            return tuple(words[len(module) + 1 :]) == wanted
    return bool(words) and PurePath(words[0]).name == PROGRAM_NAME and tuple(words[1:]) == wanted
