"""`python -m benchmarks`: run all or some, print tables, keep the figures."""

import argparse
import json
import os
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from benchmarks import (
    concurrency,
    documents,
    drivers,
    episodes,
    grounding,
    histories,
    hooks,
    hostile,
    ingest,
    items,
    learning,
    load,
    models,
    pages,
    postgres,
    responsiveness,
    scale,
    space,
    startup,
    store,
    token_counts,
    tokens,
    turns,
)
from benchmarks.context import Context
from benchmarks.progress import progress
from benchmarks.proxy import cache as proxy_cache
from benchmarks.proxy import overhead as proxy
from benchmarks.report import Report

_BENCHMARKS: Mapping[str, Callable[[Context], Report]] = {
    "drivers": drivers.run,
    "store": store.run,
    "concurrency": concurrency.run,
    "startup": startup.run,
    "ingest": ingest.run,
    "items": items.run,
    "tokens": tokens.run,
    "token_counts": token_counts.run,
    "models": models.run,
    "space": space.run,
    "scale": scale.run,
    "turns": turns.run,
    "episodes": episodes.run,
    "learning": learning.run,
    "postgres": postgres.run,
    "histories": histories.run,
    "load": load.run,
    "hooks": hooks.run,
    "documents": documents.run,
    "grounding": grounding.run,
    "pages": pages.run,
    "hostile": hostile.run,
    "responsiveness": responsiveness.run,
    "proxy": proxy.run,
    "proxy_cache": proxy_cache.run,
}
_SECONDS = {"load": 60.0}
_USUAL_SECONDS = 10.0
_SPREADS = {"one": (False,), "spread": (True,), "both": (False, True)}


def main() -> None:
    """Run what the arguments name."""
    arguments = _arguments()
    reports = {}
    for name in arguments.names or _BENCHMARKS:
        reports[name] = _run(name, arguments)
        Console().print(reports[name])
    if arguments.json:
        arguments.json.write_text(_json(reports), "utf-8")


def _run(name: str, arguments: argparse.Namespace) -> Report:
    with TemporaryDirectory(prefix="tacit-bench-") as folder, progress(name) as say:
        context = Context(
            folder=Path(folder),
            say=say,
            seconds=arguments.seconds or _SECONDS.get(name, _USUAL_SECONDS),
            sizes=arguments.sizes,
            resident=arguments.resident,
            spreads=_SPREADS[arguments.layout],
            data=arguments.data,
            clients=arguments.clients,
            memories=arguments.memories,
            workers=arguments.workers,
            peers=arguments.peers,
            functions=tuple(arguments.function),
            repetitions=arguments.repetitions,
            block_tokens=tuple(arguments.block_tokens),
            minutes=arguments.minutes,
        )
        return _BENCHMARKS[name](context)


def _json(reports: Mapping[str, Report]) -> str:
    machine = {
        "python": platform.python_version(),
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
    }
    figures = {name: report.to_dict() for name, report in reports.items()}
    return json.dumps({"machine": machine, **figures}, indent=2, ensure_ascii=False) + "\n"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks", description="Measure this machine.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"{', '.join(_BENCHMARKS)}; else all"
    )
    parser.add_argument(
        "--seconds", type=float, help="how long a load lasts (10; that of the server 60)"
    )
    parser.add_argument(
        "--sizes",
        type=_sizes,
        default=(1_000, 10_000),
        help="how many memories scale, turns and postgres have (1000,10000; up to 1000000)",
    )
    parser.add_argument(
        "--layout",
        choices=list(_SPREADS),
        default="both",
        help="memories in one workspace, spread over a thousand, or both, for scale and postgres",
    )
    parser.add_argument(
        "--resident",
        type=int,
        metavar="COUNT",
        help="up to so many memories a workspace on PostgreSQL is searched in memory",
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="LongMemEval's texts, for postgres; pages, for documents",
    )
    parser.add_argument(
        "--clients", type=int, default=16, metavar="COUNT", help="how many load the server (16)"
    )
    parser.add_argument(
        "--memories",
        type=int,
        default=10_000,
        metavar="COUNT",
        help="what it and the databases of space hold (10000)",
    )
    parser.add_argument(
        "--workers", type=int, default=1, metavar="COUNT", help="processes of the server (1)"
    )
    parser.add_argument("--peers", action="store_true", help="mem0 under the same load too")
    parser.add_argument(
        "--function",
        action="append",
        default=[],
        metavar="NAME",
        help="a function, or how several begin, for hostile (all); can be given repeatedly",
    )
    parser.add_argument(
        "--repetitions",
        type=int,
        default=40,
        metavar="COUNT",
        help="how many hostile texts each function is given (40)",
    )
    parser.add_argument(
        "--block-tokens",
        action="append",
        type=int,
        default=[],
        metavar="COUNT",
        help="one more history_block_tokens for proxy_cache; can be given repeatedly",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=0.0,
        help="how long streams run through the proxy while its memory is watched (not at all)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    arguments = parser.parse_args()
    for name in arguments.names:
        if name not in _BENCHMARKS:
            parser.error(f"{name!r} is none of {', '.join(_BENCHMARKS)}")
    if arguments.seconds is not None and not arguments.seconds >= 1:
        parser.error("--seconds must be 1 or more")
    if arguments.json and not arguments.json.absolute().parent.is_dir():
        parser.error(f"{arguments.json}: its folder does not exist")
    if arguments.data and not arguments.data.is_dir():
        parser.error(f"{arguments.data}: there is no such folder")
    return arguments


def _sizes(text: str) -> tuple[int, ...]:
    sizes = tuple(int(part) for part in text.split(","))
    if min(sizes) < 1_000:
        raise argparse.ArgumentTypeError("each size must be 1000 or more")
    return sizes


if __name__ == "__main__":
    main()
