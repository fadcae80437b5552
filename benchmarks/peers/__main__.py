"""`python -m benchmarks.peers`: make the environment, and compare inside it."""

import os
import subprocess
import sys

from benchmarks.peers.environment import ROOT, python
from benchmarks.peers.options import parse
from benchmarks.progress import progress

_QUIET = {"MEM0_TELEMETRY": "false", "ANONYMIZED_TELEMETRY": "false"}


def main() -> None:
    """Check the arguments here, where it is quick, and do the work there."""
    parse(sys.argv[1:])
    with progress("peers") as say:
        interpreter = python(say)
    command = [str(interpreter), "-m", "benchmarks.peers.inside", *sys.argv[1:]]
    environment = {**os.environ, **_QUIET, "PYTHONPATH": str(ROOT)}
    sys.exit(subprocess.run(command, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
