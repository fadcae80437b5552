"""One measurement in a process of one revision: `python -m benchmarks.compare.probe TASK`."""

import json
import logging
import sys
from pathlib import Path

from benchmarks.compare.probes import PROBES, NotThere, Task


def main() -> None:
    """Measure what the argument says, and print the figures or what is not there."""
    asked = json.loads(sys.argv[1])
    task = Task(Path(asked["folder"]), asked["memories"], asked["repeats"])
    logging.disable()
    try:
        answer = {"figures": PROBES[asked["name"]](task)}
    except (NotThere, AttributeError, ImportError, TypeError) as error:
        answer = {"missing": str(error)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
