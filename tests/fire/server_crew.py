"""The servers of one run: killed without warning, and started again at once where they were."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from tests.serving import ServerProcess, start

_NO_LIMIT = {"TACIT_SERVER_REQUESTS_PER_MINUTE": "0"}


@dataclass
class Servers:
    """Some servers on one database, each on a port that it keeps."""

    database: str
    kills: int = 0
    _processes: list[ServerProcess] = field(default_factory=list)
    _dice: random.Random = field(default_factory=lambda: random.Random(6))

    @property
    def urls(self) -> list[str]:
        return [each.url for each in self._processes]

    @property
    def ports(self) -> list[int]:
        return [urlsplit(url).port for url in self.urls]

    def start_one(self, port: int = 0) -> ServerProcess:
        """Start it and wait until it listens, with no help but the command itself."""
        options = ("--log-level", "warning")
        server = start(self.database, *options, environment=_NO_LIMIT, port=port)
        self._processes.append(server)
        return server

    def kill_one(self) -> None:
        """Kill any of them; its successor listens on the same port."""
        victim = self._processes.pop(self._dice.randrange(len(self._processes)))
        assert victim.process.poll() is None, "".join(victim.log)
        victim.close()
        self.kills += 1
        successor = self.start_one(urlsplit(victim.url).port)
        assert successor.url == victim.url

    def end(self) -> None:
        for server in self._processes:
            server.close()


@contextmanager
def serving(database: str, count: int = 1) -> Iterator[Servers]:
    """So many servers, killed at the end."""
    servers = Servers(database)
    try:
        for _ in range(count):
            servers.start_one()
        yield servers
    finally:
        servers.end()
