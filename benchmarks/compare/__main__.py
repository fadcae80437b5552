"""`python -m benchmarks.compare REV NAME…`: measure another revision and this tree in turns."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from benchmarks.compare.probes import PROBES
from benchmarks.compare.ratios import (
    FAILED,
    NOT_THERE,
    Comparison,
    Rounds,
    compare_rounds,
    to_report,
)
from benchmarks.compare.revision import (
    InstallFailed,
    Revision,
    Say,
    UnknownRevision,
    find_current,
    find_revision,
    install,
)
from benchmarks.progress import progress

ROOT = Path(__file__).parents[2]
_KEPT = ROOT / "build" / "compare"
_LAST_LINES = 5


class ProbeFailed(Exception):
    """A measurement that ended with an error."""


def main(words: Sequence[str] | None = None) -> None:
    """Compare what the arguments name."""
    parser = _parser()
    asked = parser.parse_args(words)
    for name in asked.names:
        if name not in PROBES:
            parser.error(f"{name!r} is no benchmark; choose from {', '.join(PROBES)}")
    try:
        old, new = find_revision(ROOT, asked.revision), find_current(ROOT)
        comparisons = _compare(old, new, asked)
    except UnknownRevision as error:
        parser.error(str(error))
    except InstallFailed as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    if asked.json:
        print(json.dumps(_document(comparisons, old, new, asked), indent=2, ensure_ascii=False))
    else:
        console = Console(width=None if sys.stdout.isatty() else 120)
        console.print(to_report(comparisons, old.label, new.label, asked.rounds))
    if any(each.verdict == FAILED for each in comparisons):
        sys.exit(1)


def _compare(old: Revision, new: Revision, asked: argparse.Namespace) -> list[Comparison]:
    with progress("compare") as say, TemporaryDirectory(prefix="tacit-compare-") as folder:
        pythons = [install(ROOT, each, _KEPT, say) for each in (old, new)]
        homes = [Path(folder) / side for side in ("old", "new")]
        for home in homes:
            home.mkdir()
        sides = list(zip(pythons, homes, strict=True))
        return [
            line
            for name in asked.names or PROBES
            for line in compare_rounds(name, *_measure(name, sides, asked, say))
        ]


def _measure(
    name: str, sides: Sequence[tuple[Path, Path]], asked: argparse.Namespace, say: Say
) -> list[Rounds]:
    """The rounds of both sides, old and new in turns, after one of each that is not counted."""
    found: list[list[Mapping[str, float]]] = [[], []]
    absences: list[str | None] = [None, None]
    for number in range(asked.rounds + 1):
        say(f"{name}, round {number} of {asked.rounds}" if number else f"{name}, first runs")
        for side, (python, folder) in enumerate(sides):
            if absences[side] is not None:
                continue
            try:
                answer = _probe(name, python, folder, asked)
            except ProbeFailed as error:
                absences[side] = FAILED
                print(error, file=sys.stderr)
            else:
                if "missing" in answer:
                    absences[side] = NOT_THERE
                    print(
                        f"{name} is not there with {python}: {answer['missing']}", file=sys.stderr
                    )
                elif number:
                    found[side].append(answer["figures"])
    return [
        Rounds(() if absence else tuple(figures), absence or NOT_THERE)
        for figures, absence in zip(found, absences, strict=True)
    ]


def _probe(name: str, python: Path, folder: Path, asked: argparse.Namespace) -> Mapping[str, dict]:
    """What one process of a revision measures; its `tacit` is that of its own environment."""
    task = {
        "name": name,
        "folder": str(folder),
        "memories": asked.memories,
        "repeats": asked.repeats,
    }
    done = subprocess.run(
        [str(python), "-m", "benchmarks.compare.probe", json.dumps(task)],
        cwd=ROOT,
        env=_environment(folder),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        told = "\n".join(done.stderr.strip().splitlines()[-_LAST_LINES:])
        raise ProbeFailed(f"{name} failed with {python}:\n{told}")
    return json.loads(done.stdout.splitlines()[-1])


def _environment(folder: Path) -> dict[str, str]:
    """Ours without any setting of Tacit and of Python's paths, and with folders of its own."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("TACIT_", "AGENT_RUNTIME_", "PYTHON"))
    }
    own = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "DATA", "STATE")}
    return {**kept, **own, "TACIT_EMBEDDER": "none", "PYTHONHASHSEED": "0"}


def _document(
    comparisons: Sequence[Comparison], old: Revision, new: Revision, asked: argparse.Namespace
) -> dict[str, object]:
    return {
        "old": {"label": old.label, "key": old.key},
        "new": {"label": new.label, "key": new.key},
        "rounds": asked.rounds,
        "memories": asked.memories,
        "repeats": asked.repeats,
        "figures": [each.to_dict() for each in comparisons],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.compare",
        description="Measure another revision and this tree in turns, through public calls only.",
    )
    parser.add_argument("revision", metavar="REV", help="a tag, a branch or a commit")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(PROBES)}; else all")
    options = (("rounds", 7, "processes of each"), ("memories", 2_000, "in a database"))
    for name, usual, meaning in (*options, ("repeats", 30, "measurements in a process")):
        parser.add_argument(
            f"--{name}", type=_count, default=usual, metavar="COUNT", help=f"{meaning} ({usual})"
        )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no count; give 1 or more")
    return int(text)


if __name__ == "__main__":
    main()
