"""One run: fill, serve, load, look."""

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from benchmarks.context import Context
from benchmarks.load.doors import MEM0, TACIT
from benchmarks.load.filling import embed, fill
from benchmarks.load.meter import Meter
from benchmarks.load.outcome import Outcome, report
from benchmarks.load.plan import MEASURING, OVER, Plan, Told
from benchmarks.load.process import Server, serving
from benchmarks.peers.environment import ROOT, python
from benchmarks.report import Report

_SETTINGS = {"TACIT_SERVER_REQUESTS_PER_MINUTE": "0", "TACIT_EMBEDDER": "minilm"}
"""All clients come from one address, which the server would hold to its limit."""
_QUIET = {"MEM0_TELEMETRY": "false"}


def run(context: Context) -> Report:
    """Tacit, and mem0 after it where others are asked for."""
    vectors = context.folder / "vectors.npy"
    embed(context.memories, vectors, context.say)
    tacit = _tacit(context, vectors)
    mem0 = _mem0(context, vectors, max(round(tacit.injected), 1)) if context.peers else None
    return report(tacit, mem0, context)


def _tacit(context: Context, vectors: Path) -> Outcome:
    context.say("Tacit takes the memories in")
    database = context.folder / "load.db"
    fill(database, context.memories, vectors)
    command = [sys.executable, "-m", "tacit", "serve", "--port", "0", "--db", str(database)]
    command += ["--workers", str(context.workers), "--log-level", "warning"]
    with serving(command, _SETTINGS) as server:
        return _under_load(server, TACIT, context)


def _mem0(context: Context, vectors: Path, limit: int) -> Outcome:
    interpreter = python(context.say)
    context.say("mem0 takes the memories in")
    folder = context.folder / "mem0"
    folder.mkdir()
    arguments = [str(folder), str(context.memories), str(vectors), str(limit)]
    command = [str(interpreter), "-m", "benchmarks.load.mem0_app", *arguments]
    with serving(command, {**_QUIET, "PYTHONPATH": str(ROOT)}) as server:
        return _under_load(server, MEM0, context)


def _under_load(server: Server, door: str, context: Context) -> Outcome:
    """Let the clients loose, and watch the server while they measure."""
    context.say(f"{door}: {context.clients} clients for {context.seconds:g} s")
    plan = Plan(door=door, url=server.url, clients=context.clients, seconds=context.seconds)
    meter = Meter(server)
    command = [sys.executable, "-m", "benchmarks.load.client", json.dumps(asdict(plan))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as clients:
        said = ""
        for said in clients.stdout or ():
            if said.strip() == MEASURING:
                meter.start()
            elif said.strip() == OVER:
                meter.stop()
                context.say(f"{door}: looking for what was acknowledged")
    if clients.returncode:
        raise RuntimeError("the clients failed, see above")
    return Outcome(told=Told(**json.loads(said)), meter=meter, seconds=context.seconds)
