"""kill -9 of the proxy while replies stream: conversations go on, and no key is left anywhere."""

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import count
from urllib.parse import urlsplit

import httpx2
import pytest

from tacit import FakeEmbedder, Tacit
from tacit.language.prompt_templates import INJECTION_BLOCK_PREFIX
from tacit.store.sqlite.store import SqliteStore
from tests.fire.judge import check_ledger, check_numbers
from tests.proxying import FakeProvider, messages_answer, provider_on_loopback
from tests.serving import start

PARTS = (
    *("gateway", "importer", "scheduler", "dashboard", "checkout", "billing"),
    *("search", "exports", "thumbnails", "webhooks", "caching", "metrics"),
)
CLIENT_KEYS = ("sk-ant-api03-9fX2kQ7mZr4TvB1nLw8s", "plain-words-of-a-gateway-5150")
NAMES = ("A1", "B2", "C3", "D4")
NAMED = NAMES[:2]
"""The clients that name their session; the others are known by their first exchange, once it was
answered."""
REPLY = "It was the one that everybody knew and nobody had to learn"
LONGEST_SECONDS = 0.03
"""So long after a piece of a stream the proxy may still run."""


def test_no_conversation_is_broken_and_no_key_kept_by_a_kill_in_streams(tmp_path):
    _kill_in_streams(tmp_path, times=1)


@pytest.mark.crash
def test_no_conversation_is_broken_and_no_key_kept_by_twenty_kills_in_streams(tmp_path):
    _kill_in_streams(tmp_path, times=20)


def _kill_in_streams(folder, times):
    database, dice = folder / "memory.db", random.Random(times)
    own_key = _fill(database)
    with provider_on_loopback() as provider, ThreadPoolExecutor(len(NAMES)) as threads:
        _write_settings(folder, provider)
        with Proxy(folder) as proxy:
            clients = [
                Client(provider, proxy.url, own_key, name, name in NAMED, dice) for name in NAMES
            ]
            Streams(clients[len(NAMED) :], provider, dice, threads).let_end()
            streams = Streams(clients, provider, dice, threads)
            for _ in range(times):
                assert streams.kill_in_between(proxy) > 0
                _check_files(folder, (own_key, *CLIENT_KEYS))
                proxy.start_again()
            streams.let_end()
            streams.let_end()
        assert {each.headers["x-api-key"] for each in provider.received} == {CLIENT_KEYS[0]}
    _check_sessions(database, [each for each in clients if each.has_named_session])
    _check_files(folder, (own_key, *CLIENT_KEYS))


def _write_settings(folder, provider):
    upstream = f'[proxy]\nanthropic_upstream = "{provider.url}"\n'
    patient = "[defaults.memory_injection]\ndeadline_ms = 60000\n"
    (folder / "tacit.toml").write_text(upstream + patient)


def _fill(database):
    """What memory knows, and the key that the clients need."""
    with Tacit.open(database, embedder=FakeEmbedder()) as tacit:
        for part in PARTS:
            said = f"We chose Parcel{part} over everything else for the {part}"
            tacit.remember(said, type="decision", scope_id="ann")
        return tacit.keys.add("app", "write")[1]


class Proxy:
    """The proxy as a process, on the same port every time; its logs are kept beside the rest."""

    def __init__(self, folder):
        self._folder = folder
        self._logs = count()

    def __enter__(self):
        self._server = self._start()
        self.url = self._server.url
        return self

    def __exit__(self, *failure):
        self._server.stop()
        self._keep_log()

    def kill(self):
        self._server.kill()
        self._keep_log()

    def start_again(self):
        self._server = self._start(urlsplit(self.url).port)

    def _start(self, port=0):
        settings = {
            "TACIT_CONFIG": str(self._folder / "tacit.toml"),
            "TACIT_RUNTIME_DIR": str(self._folder),
        }
        database = self._folder / "memory.db"
        return start(database, "--log-level", "debug", environment=settings, port=port)

    def _keep_log(self):
        self._server.close()
        log = self._folder / f"{next(self._logs)}.log"
        log.write_text("".join(self._server.log))


@dataclass
class Client:
    """A program with a conversation: what is not answered is asked again, or dropped."""

    provider: FakeProvider
    url: str
    key: str
    name: str
    has_named_session: bool
    dice: random.Random
    messages: list = field(default_factory=list)
    dropped: list = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    """No question is asked twice in the same words, so that each is known from the others."""
    answered: list = field(default_factory=list)
    """What the provider was sent the last time, if its reply came whole."""

    def ask(self, note_piece):
        """Send one request, and keep its reply; returns whether it came whole."""
        if len(self.messages) % 2 == 0:
            part = self.dice.choice(PARTS)
            question = (
                f"Why did we choose Parcel{part} for the {part}? ({self.name}{next(self.numbers)})"
            )
            self.messages.append({"role": "user", "content": question})
        body = {
            "model": "fake",
            "max_tokens": 100,
            "stream": True,
            "messages": self.messages,
        }
        read = b""
        try:
            with httpx2.stream(
                "POST",
                f"{self.url}/anthropic/v1/messages",
                json=body,
                headers=self._headers,
                timeout=60,
                trust_env=False,
            ) as answered:
                assert answered.status_code == 200, answered.read()
                for piece in answered.iter_raw():
                    read += piece
                    note_piece()
        except httpx2.HTTPError:
            if self.dice.random() < 0.3:
                self.dropped.append(self.messages.pop()["content"])
            return False
        finally:
            note_piece()
        assert read == b"".join(messages_answer(REPLY, stream=True).pieces)
        self._check_sent()
        self.messages.append({"role": "assistant", "content": REPLY})
        return True

    @property
    def _headers(self):
        named = {"Tacit-Session": self.name} if self.has_named_session else {}
        return {
            "anthropic-version": "2023-06-01",
            "x-api-key": CLIENT_KEYS[0],
            "authorization": f"Bearer {CLIENT_KEYS[1]}",
            "Tacit-Key": self.key,
            "Tacit-User": "ann",
            **named,
        }

    def _check_sent(self):
        """Nothing came twice, and what was answered before was sent again byte for byte."""
        sent = self._last_sent()
        shown = Counter(re.findall(r"We chose (Parcel\w+) over", "\n".join(_blocks_in(sent))))
        assert shown
        assert set(shown.values()) == {1}, (self.name, sent)
        assert sent[: len(self.answered)] == self.answered
        self.answered = sent

    def _last_sent(self):
        """What the provider got of this conversation; its texts alone tell it apart."""
        own = [_text_of(message) for message in self.messages]
        found = [
            each.json["messages"]
            for each in self.provider.received
            if [_text_of(message) for message in each.json["messages"]] == own
        ]
        return found[-1]


def _parts_of(message):
    content = message["content"]
    return [content] if isinstance(content, str) else [part["text"] for part in content]


def _text_of(message):
    return [text for text in _parts_of(message) if not text.startswith(INJECTION_BLOCK_PREFIX)]


def _blocks_in(messages):
    texts = [text for message in messages for text in _parts_of(message)]
    return [text for text in texts if text.startswith(INJECTION_BLOCK_PREFIX)]


class Streams:
    """One request of each client at once, again and again."""

    def __init__(self, clients, provider, dice, threads):
        self._clients = clients
        self._provider = provider
        self._dice = dice
        self._threads = threads

    def kill_in_between(self, proxy):
        """Kill the proxy once some pieces have passed; returns how many replies broke off.

        One reply at least has not ended by then: its last piece waits.
        """
        waits, pieces = threading.Event(), threading.Semaphore(0)
        is_held = [True, *(self._dice.random() < 0.5 for _ in self._clients[1:])]
        self._dice.shuffle(is_held)
        answer = messages_answer(REPLY, stream=True)
        self._answer(replace(answer, waits=waits if held else None) for held in is_held)
        asking = self._ask(pieces.release)
        for _ in range(self._dice.randint(1, len(self._clients))):
            assert pieces.acquire(timeout=60)
        time.sleep(self._dice.random() * LONGEST_SECONDS)
        proxy.kill()
        waits.set()
        return sum(not each.result(60) for each in asking)

    def let_end(self):
        """Let every reply come whole."""
        self._answer(messages_answer(REPLY, stream=True) for _ in self._clients)
        assert all(each.result(60) for each in self._ask(lambda: None))

    def _answer(self, answers):
        self._provider.answers.clear()
        self._provider.say(*answers)

    def _ask(self, note_piece):
        return [self._threads.submit(each.ask, note_piece) for each in self._clients]


def _check_sessions(database, clients):
    """Every turn is recorded or settled, and the ledger says what was shown."""
    store = SqliteStore.open(database)
    with store.read("default") as unit:
        opened = [turn for each in clients for turn in unit.receipts.open_turns(each.name)]
    store.close()
    assert [turn for turn in opened if not turn.is_overtaken] == []
    with Tacit.open(database, embedder=FakeEmbedder()) as tacit:
        for client in clients:
            receipts = tacit.turns.list(session=client.name, limit=1_000)
            report = tacit.sessions.get(client.name)
            check_numbers(report.session, [each.turn for each in receipts])
            check_ledger(report)
            recorded = Counter(each.query for each in receipts)
            asked = Counter(each["content"] for each in client.messages[::2])
            assert asked <= recorded <= asked + Counter(client.dropped)


def _check_files(folder, keys):
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.suffix == ".db" for path in files)
    assert any(path.suffix == ".log" and path.stat().st_size for path in files)
    kept = [(path.name, key) for path in files for key in keys if key.encode() in path.read_bytes()]
    assert kept == []
