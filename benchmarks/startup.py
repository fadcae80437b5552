"""How long a process takes that does next to nothing with the library."""

import os
import statistics
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.context import Context
from benchmarks.figures import seconds
from benchmarks.report import Report, Row
from benchmarks.texts import make_texts
from tacit import Tacit

_RUNS = 15
_BARE = "python -c pass"

Command = Sequence[str]


def run(context: Context) -> Report:
    """Commands take turns, so that whatever else the machine does slows all of them alike."""
    commands = _commands(_filled(context.folder / "memory.db"))
    timed = partial(_milliseconds, environment=_environment(context.folder))
    context.say("once, to compile")
    for command in commands.values():
        timed(command)
    durations: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(_RUNS):
        context.say(f"run {number + 1} of {_RUNS}")
        for name, command in commands.items():
            durations[name].append(timed(command))
    bare = statistics.median(durations[_BARE])
    return Report(
        title="Startup: whole processes, in ms",
        columns=("command", "median", "fastest", "slowest", "above python"),
        rows=[_row(name, times, bare) for name, times in durations.items()],
        notes=(f"{_RUNS} runs of each, in turns, after one that compiles.",),
    )


def _environment(folder: Path) -> dict[str, str]:
    """Ours, with compiled modules kept in the folder, whatever the machine's settings are."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def _filled(path: Path) -> Path:
    with Tacit.open(path, embedder="none") as tacit:
        tacit.memories.remember_all(make_texts(100))
    return path


def _commands(database: Path) -> dict[str, Command]:
    tacit = str(Path(sysconfig.get_path("scripts")) / "tacit")
    return {
        _BARE: [sys.executable, "-c", "pass"],
        "python -c 'import tacit'": [sys.executable, "-c", "import tacit"],
        "tacit --help": [tacit, "--help"],
        "tacit list": [tacit, "list", "--db", str(database)],
    }


def _milliseconds(command: Command, environment: Mapping[str, str]) -> float:
    quiet = subprocess.DEVNULL
    return 1e3 * seconds(lambda: subprocess.run(command, env=environment, stdout=quiet, check=True))


def _row(name: str, times: Sequence[float], bare: float) -> Row:
    median = statistics.median(times)
    return (name, median, min(times), max(times), None if name == _BARE else median - bare)
