"""The commands `train` and `average`; see the package's docstring."""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import tools.pair_reading
from tools.pair_reading.averaging import average_updates, load_updates, save_updates
from tools.pair_reading.runs import (
    RANK,
    STUDENTS,
    TEACHERS,
    TrainingRun,
)

from tacit.embedding.embedder import ignore_progress
from tacit.embedding.minilm.model_files import PAIR_UPDATES
from tacit.embedding.minilm.provision import configured_sources, fetch_model_files

RUNS = {run.name: run for run in (*TEACHERS, *STUDENTS)}


def main() -> None:
    """Train models, or average trained ones."""
    given = _parser().parse_args()
    if given.command == "average":
        average_files(given.files, given.rank, given.out)
        return
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        sys.exit(f"training needs PyTorch and transformers; install {' '.join(missing)}")
    fetch_published(given.folder)
    if given.run:
        run = RUNS[given.run]
        train_one(replace(run, steps=given.steps or run.steps), given.folder)
    else:
        train_all(given.folder, given.steps)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m tools.pair_reading",
        description=tools.pair_reading.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train all runs, one after the other, into the table")
    train.add_argument("folder", type=Path)
    train.add_argument(
        "--run", choices=RUNS, help="this one only, with the files of those before it"
    )
    train.add_argument("--steps", type=int, help="end each training after so many, to try it")
    average = commands.add_parser("average", help="average trained runs into the table")
    average.add_argument("files", type=Path, nargs="+", metavar="FILE")
    average.add_argument("--rank", type=int, default=RANK)
    average.add_argument("--out", type=Path, default=PAIR_UPDATES, metavar="FILE")
    return parser


def fetch_published(folder: Path) -> None:
    """Put the published model into the folder, unless it is there."""
    published, coming = folder / "published", folder / "published.part"
    if not published.exists():
        coming.mkdir(parents=True, exist_ok=True)
        fetch_model_files(configured_sources(), coming, ignore_progress)
        coming.rename(published)


def train_all(folder: Path, steps: int | None) -> None:
    """Train the teachers side by side, then the students, whose average is the table."""
    for runs in (TEACHERS, STUDENTS):
        _train_side_by_side(runs, folder, steps)
    students = [_file_of(run.name, folder) for run in STUDENTS]
    average_files(students, RANK, folder / PAIR_UPDATES.name)


def _train_side_by_side(runs: Sequence[TrainingRun], folder: Path, steps: int | None) -> None:
    limit = ("--steps", str(steps)) if steps else ()
    command = (sys.executable, "-m", "tools.pair_reading", "train", str(folder), *limit)
    started = [subprocess.Popen((*command, "--run", run.name)) for run in runs]
    ended = [process.wait() for process in started]
    failed = [run.name for run, code in zip(runs, ended, strict=True) if code]
    if failed:
        sys.exit(f"not trained, see above: {', '.join(failed)}")


def train_one(run: TrainingRun, folder: Path) -> None:
    """Train one run and write it into the folder, where those are that it builds on."""
    from tools.pair_reading.training import train_run

    needed = {*run.teachers, *run.begins_with}
    trained = {name: load_updates(_file_of(name, folder)) for name in needed}
    updates = train_run(run, folder / "published", trained, _report)
    save_updates(updates, _file_of(run.name, folder))


def average_files(files: Sequence[Path], rank: int, out: Path) -> None:
    """Write the average of what these files change."""
    save_updates(average_updates([load_updates(file) for file in files], rank), out)


def _file_of(name: str, folder: Path) -> Path:
    return folder / f"{name}.npz"


def _report(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
