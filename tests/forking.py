"""Real processes that start at once: forked from one that has imported the package already."""

import multiprocessing
import os
import runpy
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.preloaded"])


class ForkedProcess:
    """A process as `subprocess.Popen` offers it, with what it wrote to both outputs in one pipe."""

    def __init__(self, work: Callable[..., None], *given, environment: dict[str, str], cwd=None):
        reader, writer = _CONTEXT.Pipe(duplex=False)
        self._process = _CONTEXT.Process(
            target=_run, args=(work, given, environment, cwd or Path.cwd(), writer)
        )
        self._process.start()
        writer.close()
        self.output: IO[str] = os.fdopen(os.dup(reader.fileno()), encoding="utf-8")
        reader.close()
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutError(f"process {self.pid} did not end within {timeout} s")
        return self._process.exitcode


def start_program(source: str, *arguments: object) -> ForkedProcess:
    """What `python -c` would do with this source and these arguments, in a forked process."""
    return ForkedProcess(_program, source, *map(str, arguments), environment=dict(os.environ))


def run_program(source: str, *arguments: object) -> tuple[int, str]:
    """Run a program to its end: its exit status, and what it wrote."""
    program = start_program(source, *arguments)
    with program.output:
        written = program.output.read()
    return program.wait(60), written


def _program(source: str, *arguments: str) -> None:
    sys.argv = ["-c", *arguments]
    exec(compile(source, "<program>", "exec"), {"__name__": "__main__"})


def run_tacit(*arguments: str) -> None:
    """Be the command `tacit` with these arguments."""
    sys.argv = ["tacit", *arguments]
    runpy.run_module("tacit", run_name="__main__", alter_sys=True)


def _run(work, given, environment, cwd, writer) -> None:
    """Take on the surroundings that a new process would have, then do the work."""
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
    for output in (1, 2):
        os.dup2(writer.fileno(), output)
    writer.close()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdout = open(1, "w", buffering=1, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
    work(*given)
