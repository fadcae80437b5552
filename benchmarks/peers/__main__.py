"""`python -m benchmarks.peers`: make the environment, and compare inside it."""

import os
import subprocess
import sys
from contextlib import ExitStack

from benchmarks.peers.environment import ROOT, python
from benchmarks.peers.options import parse
from benchmarks.progress import progress
from benchmarks.server import URL_VARIABLE, server

_QUIET = {"MEM0_TELEMETRY": "false", "ANONYMIZED_TELEMETRY": "false"}


def main() -> None:
    """Check the arguments here, where it is quick, and do the work there."""
    options = parse(sys.argv[1:])
    with progress("peers") as say:
        interpreter = python(say)
    command = [str(interpreter), "-m", "benchmarks.peers.inside", *sys.argv[1:]]
    environment = {**os.environ, **_QUIET, "PYTHONPATH": str(ROOT)}
    with ExitStack() as stack:
        if options.postgres:
            environment[URL_VARIABLE] = stack.enter_context(server())
        code = subprocess.run(command, env=environment, check=False).returncode
    sys.exit(code)


if __name__ == "__main__":
    main()
