"""The clients' process: all of them in one loop, each with sessions of its own.

Run as `python -m benchmarks.load.client PLAN` with a plan as JSON.
"""

import asyncio
import contextlib
import itertools
import json
import sys
from dataclasses import asdict
from random import Random

import httpx2

from benchmarks.load.doors import DOORS, Conversation, Door
from benchmarks.load.log import Log, Refused
from benchmarks.load.plan import MEASURING, OVER, Plan, Told
from benchmarks.load.statements import statements

_TURNS_TO_A_WRITE = 4
_PATIENCE_SECONDS = 120
_NEW = 1_000


async def drive(plan: Plan) -> Told:
    """Warm up, measure, and look for what was acknowledged."""
    log = Log()
    limits = httpx2.Limits(max_connections=plan.clients, max_keepalive_connections=plan.clients)
    async with httpx2.AsyncClient(
        base_url=plan.url, timeout=_PATIENCE_SECONDS, limits=limits
    ) as http:
        door, stop = DOORS[plan.door](http, log), asyncio.Event()
        clients = [
            asyncio.create_task(_client(door, plan, number, stop)) for number in range(plan.clients)
        ]
        await asyncio.sleep(plan.warm_up)
        _say(MEASURING)
        log.is_measuring = True
        await asyncio.sleep(plan.seconds)
        log.is_measuring = False
        _say(OVER)
        stop.set()
        await asyncio.gather(*clients)
        lost = await door.lost()
    return Told(
        durations=dict(log.durations),
        begun=log.begun,
        turns=log.turns,
        injected=log.injected,
        degraded=dict(log.degraded),
        errors=dict(log.errors),
        acknowledged=len(log.remembered) + len(log.committed),
        lost=lost,
    )


async def _client(door: Door, plan: Plan, number: int, stop: asyncio.Event) -> None:
    """One after the other, without a pause: a turn of any of its sessions, and writes between."""
    dice, texts = Random(number), statements(_NEW + number)
    own = range(number, plan.sessions, plan.clients)
    conversations = [Conversation(f"load-{each}") for each in own]
    for turn in itertools.count(1):
        if stop.is_set():
            return
        with contextlib.suppress(Refused):
            await door.turn(dice.choice(conversations), dice)
        if turn % _TURNS_TO_A_WRITE == 0:
            with contextlib.suppress(Refused):
                await door.remember(f"{next(texts)} ({number}x{turn})")


def _say(word: str) -> None:
    print(word, flush=True)


if __name__ == "__main__":
    asked = Plan(**json.loads(sys.argv[1]))
    print(json.dumps(asdict(asyncio.run(drive(asked)))))
