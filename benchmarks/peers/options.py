"""What can be asked of the comparison."""

import argparse
from collections.abc import Sequence
from pathlib import Path


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options, checked."""
    parser = argparse.ArgumentParser("python -m benchmarks.peers", description="Compare to others.")
    parser.add_argument(
        "--sizes", type=_sizes, default=(1_000, 10_000), help="memories (1000,10000)"
    )
    parser.add_argument(
        "--patient", action="store_true", help="mem0 beyond 10,000 too, which takes long"
    )
    parser.add_argument(
        "--postgres", action="store_true", help="Tacit and mem0 on PostgreSQL with pgvector too"
    )
    parser.add_argument(
        "--only", type=_names, metavar="NAMES", help="these besides Tacit, such as mem0,chromadb"
    )
    parser.add_argument("--data", type=_file, metavar="FILE", help="LoCoMo's file, for recall")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw them here: .svg or .png")
    return parser.parse_args(arguments)


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _file(text: str) -> Path:
    path = Path(text).absolute()
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"{text}: there is no such file")
    return path
