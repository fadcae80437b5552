"""The commands `train` and `average`; see the package's docstring."""

import argparse
import sys
from pathlib import Path

import tools.pair_reading
from tools.pair_reading.averaging import Updates, average_updates, load_updates, save_updates
from tools.pair_reading.runs import CONTINUED, RANK, RUNS, TrainingRun

from tacit.embedding.embedder import ignore_progress
from tacit.embedding.minilm.model_files import PAIR_UPDATES
from tacit.embedding.minilm.provision import configured_sources, fetch_model_files


def main() -> None:
    """Train models, or average trained ones."""
    parser = argparse.ArgumentParser(
        "python -m tools.pair_reading",
        description=tools.pair_reading.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    train = commands.add_parser("train", help="train the runs, each into a file of the folder")
    train.add_argument("folder", type=Path)
    train.add_argument("--run", choices=[run.name for run in RUNS], help="this one only")
    further = commands.add_parser("continue", help="train a table further, into the folder")
    further.add_argument("folder", type=Path)
    further.add_argument("--table", type=Path, default=PAIR_UPDATES, metavar="FILE")
    average = commands.add_parser("average", help="average trained runs into the table")
    average.add_argument("runs", type=Path, nargs="+", metavar="FILE")
    average.add_argument("--rank", type=int, default=RANK)
    average.add_argument("--out", type=Path, default=PAIR_UPDATES, metavar="FILE")
    given = parser.parse_args()
    if given.command == "train":
        train_runs([run for run in RUNS if given.run in (None, run.name)], given.folder)
    elif given.command == "continue":
        train_runs([CONTINUED], given.folder, start=load_updates(given.table))
    else:
        runs = [load_updates(path) for path in given.runs]
        save_updates(average_updates(runs, given.rank), given.out)


def train_runs(runs: list[TrainingRun], folder: Path, start: Updates | None = None) -> None:
    """Train each of the runs, from the beginning or from updates, and write it into the folder."""
    try:
        from tools.pair_reading.training import train_run
    except ModuleNotFoundError as error:
        sys.exit(f"{error}: training needs PyTorch and transformers; install torch transformers")
    published = folder / "published"
    published.mkdir(parents=True, exist_ok=True)
    fetch_model_files(configured_sources(), published, ignore_progress)
    for run in runs:
        updates = train_run(run, published, _report, start)
        save_updates(updates, folder / f"{run.name}.npz")


def _report(line: str) -> None:
    sys.stderr.write(f"{line}\n")


if __name__ == "__main__":
    main()
