"""Texts of our own in which tokens are counted: prose, code, logs, symbols and scripts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from string import ascii_letters, digits, hexdigits

SAMPLES_PER_KIND = 4
_HELD_OUT = " held out"
_TEXTS = Path(__file__).with_name("token_samples.txt")
_LINES = (2, 3, 4, 5)
_PATHS = ("/v1/turns", "/healthz", "/v1/memories/search", "/static/app.4f2c.js", "/v1/keys")
_LEVELS = ("INFO", "WARNING", "ERROR", "DEBUG")
_EVENTS = (
    "worker 7 lost its connection to db-replica-2, reconnecting in 500 ms",
    "request completed status=200 bytes=18231 duration_ms=41.7",
    "cache miss for tenant=acme-eu key=invoice:2026-02:summary",
    "gc pause 12.4ms heap 512MiB -> 203MiB",
    "TLS handshake failed: certificate expired on 2026-01-31T23:59:59Z",
)
_FRAMES = (
    '  File "/srv/app/orders/service.py", line {0}, in load_order\n    row = self._session.get(id)',
    "    at com.example.billing.InvoiceService.render(InvoiceService.java:{0})",
    "goroutine {0} [running]:\nmain.(*worker).run(0xc0000b6000, 0x3)\n\t/src/worker.go:{0} +0x1d2",
    "thread 'main' panicked at src/parser/lexer.rs:{0}:17: index out of bounds",
    "KeyError: 'order_{0}'\nDuring handling of the above exception, another exception occurred:",
)


@dataclass(frozen=True, slots=True)
class TokenSample:
    """A text of a kind; what is held out was not looked at when the estimate was fitted."""

    kind: str
    text: str
    is_held_out: bool


def make_samples() -> list[TokenSample]:
    """The same samples every time, of each kind as many."""
    found = []
    for kind, draw, is_held_out in (*_written_kinds(), *_drawn_kinds()):
        for number in range(SAMPLES_PER_KIND):
            lines = draw(Random(f"{kind} {number}"))
            found.append(TokenSample(kind, "\n".join(lines), is_held_out))
    return found


_Kind = tuple[str, Callable[[Random], list[str]], bool]


def _written_kinds() -> Iterator[_Kind]:
    _, *parts = f"\n{_TEXTS.read_text('utf-8')}".split("\n## ")
    for part in parts:
        heading, *lines = part.splitlines()
        texts = [line.replace("\\n", "\n").replace("\\t", "\t") for line in lines]
        yield heading.removesuffix(_HELD_OUT), _draw_from(texts), heading.endswith(_HELD_OUT)


def _draw_from(texts: list[str]) -> Callable[[Random], list[str]]:
    return lambda random: random.sample(texts, random.choice(_LINES))


def _drawn_kinds() -> Iterator[_Kind]:
    makers: dict[str, Callable[[Random], str]] = {
        "logs: service": _service_line,
        "logs: access": _access_line,
        "logs: stack traces": lambda random: random.choice(_FRAMES).format(random.randrange(900)),
        "codes: hexadecimal": lambda random: _draw(random, hexdigits[:16], 64),
        "codes: UUIDs": lambda random: "-".join(
            _draw(random, hexdigits[:16], length) for length in (8, 4, 4, 4, 12)
        ),
        "codes: base64": lambda random: _draw(random, ascii_letters + digits + "+/", 72),
        "codes: numbers": lambda random: " ".join(
            f"{random.uniform(0, 10 ** random.randrange(1, 8)):.2f}" for _ in range(8)
        ),
    }
    held_out = {"logs: stack traces", "codes: UUIDs"}
    for kind, make in makers.items():
        yield kind, _repeat(make), kind in held_out


def _repeat(make: Callable[[Random], str]) -> Callable[[Random], list[str]]:
    return lambda random: [make(random) for _ in range(2 + random.choice(_LINES))]


def _draw(random: Random, characters: str, length: int) -> str:
    return "".join(random.choice(characters) for _ in range(length))


def _service_line(random: Random) -> str:
    time = f"2026-03-{random.randrange(1, 29):02}T14:17:{random.uniform(10, 60):.6f}Z"
    request = _draw(random, hexdigits[:16], 8)
    return f"{time} {random.choice(_LEVELS)} [{request}] {random.choice(_EVENTS)}"


def _access_line(random: Random) -> str:
    address = ".".join(str(random.randrange(256)) for _ in range(4))
    request = f'"GET {random.choice(_PATHS)}?page={random.randrange(90)} HTTP/1.1"'
    size = random.randrange(90_000)
    return f"{address} - - [03/Mar/2026:14:07:{random.randrange(60):02} +0000] {request} 200 {size}"
