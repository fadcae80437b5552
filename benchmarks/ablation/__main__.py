"""`python -m benchmarks.ablation [tokens] [parts] --locomo FILE --longmemeval FILE`."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from benchmarks.ablation import parts, tokens
from benchmarks.ablation.states import KeptStates
from benchmarks.progress import progress
from tacit.runtime.files import cache_folder

_TABLES = ("tokens", "parts")


def main(words: Sequence[str] | None = None) -> None:
    """Print the tables that are asked for, or both."""
    parser = _parser()
    asked = parser.parse_args(words)
    tables = asked.tables or _TABLES
    for table in tables:
        if table not in _TABLES:
            parser.error(f"{table!r} is no table; choose from {', '.join(_TABLES)}")
    if "tokens" in tables and asked.longmemeval is None:
        parser.error("tokens needs --longmemeval: components are made of its texts")
    console = Console(width=None if sys.stdout.isatty() else 120)
    with progress("ablation") as say, TemporaryDirectory(prefix="tacit-ablation-") as folder:
        for table in tables:
            if table == "parts":
                console.print(parts.run(asked.locomo, asked.longmemeval, say))
                continue
            kept = KeptStates(asked.states)
            console.print(tokens.run(asked.locomo, asked.longmemeval, kept, Path(folder), say))
            kept.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.ablation", description="What each part of a search brings."
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="tokens, parts; else both")
    parser.add_argument("--locomo", type=Path, required=True, metavar="FILE")
    parser.add_argument("--longmemeval", type=Path, metavar="FILE")
    parser.add_argument(
        "--states",
        type=Path,
        default=cache_folder() / "ablation" / "states.db",
        metavar="FILE",
        help="where what the network makes of the texts is kept between runs, 400 MB",
    )
    return parser


if __name__ == "__main__":
    main()
