"""The comparison as a picture."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot
from matplotlib.axes import Axes

from benchmarks.peers.latency import Latency
from benchmarks.peers.recall import DEPTHS

mpl.use("Agg")


def draw(
    latencies: Sequence[Latency], recall: Mapping[str, Mapping[int, float]], path: Path
) -> None:
    """Latency by size on the left, recall on the right."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    names = list(dict.fromkeys([*(each.peer for each in latencies), *recall]))
    colours = {name: f"C{number}" for number, name in enumerate(names)}
    _latency(left, latencies, colours)
    if recall:
        _recall(right, recall, colours)
    else:
        right.set_axis_off()
    figure.savefig(path)


def _latency(axes: Axes, latencies: Sequence[Latency], colours: Mapping[str, str]) -> None:
    for name, colour in colours.items():
        own = [each for each in latencies if each.peer == name]
        if own:
            sizes = [each.size for each in own]
            axes.loglog(sizes, [each.p50 for each in own], "o-", color=colour, label=name)
            axes.loglog(sizes, [each.p95 for each in own], ":", color=colour)
    axes.set(xlabel="memories in one namespace", ylabel="search, ms", title="p50, p95 dotted")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


def _recall(
    axes: Axes, recall: Mapping[str, Mapping[int, float]], colours: Mapping[str, str]
) -> None:
    width = 0.8 / len(recall)
    for number, (name, found) in enumerate(recall.items()):
        places = [group + number * width for group in range(len(DEPTHS))]
        axes.bar(places, [found[depth] for depth in DEPTHS], width, color=colours[name], label=name)
    axes.set_xticks([group + 0.4 - width / 2 for group in range(len(DEPTHS))])
    axes.set_xticklabels([f"recall@{depth}" for depth in DEPTHS])
    axes.set(title="LoCoMo, evidence found", ylim=(0, 1))
    axes.legend(frameon=False, fontsize="small")
