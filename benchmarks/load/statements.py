"""What a team says about its work, and what is asked about it later."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random


def _split(words: str) -> list[str]:
    return words.split()


_PEOPLE = _split(
    "Amara Bertil Chiara Dmitri Elena Farid Greta Hiro Ingrid Jamal Katya Lorenzo Mei Nadia Oskar"
    " Priya Quentin Rosa Sven Tariq Ulla Viktor Wanda Xavier Yusuf Zoe"
)
_PROJECTS = _split(
    "Albatross Bramble Cobalt Dovetail Ember Falcon Granite Harbour Indigo Juniper Kestrel Lantern"
    " Meadow Nimbus Orchard Paprika Quartz Raven Saffron Thistle Umber Velvet Walnut Yarrow Zephyr"
)
_PARTS = _split(
    "billing login search export invoices caching backups metrics alerts dashboard importer queue"
    " scheduler gateway onboarding reports permissions translations thumbnails checkout webhooks"
)
_TOOLS = _split(
    "PostgreSQL Redis Kafka Terraform Grafana Elasticsearch RabbitMQ Ansible Kubernetes Nginx"
    " SQLite ClickHouse Prometheus Vault Airflow Django Rust TypeScript GraphQL Celery"
)
_REASONS = (
    "the old one was too slow",
    "nobody could maintain it",
    "the licence had changed",
    "the customers asked for it",
    "it failed twice in March",
    "the audit demanded it",
)
_SAID = (
    "{person} moved the {part} of {project} to {tool} because {reason}",
    "In {project} {person} reviews every change of the {part} before a release",
    "The {part} of {project} broke on {tool} version {number}, and {person} repaired it",
    "{person} promised the customers of {project} {number} exports of the {part} a day",
    "{project} pays {number} euros a month for {tool}, which only the {part} needs",
)
_ASKED = (
    "Why did {person} move the {part} of {project} to something else?",
    "Who looks at changes of the {part} in {project} before we release them?",
    "What happened to the {part} of {project} when we upgraded {tool}?",
    "What did {person} promise about the {part} of {project}?",
    "How much do we pay for {tool} in {project}?",
)
_SAID_PATTERNS = [
    re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(said))) for said in _SAID
]
_SMALL_TALK = (
    "Thanks, that helps a lot!",
    "Could you write that as a table?",
    "What is the difference between a list and a tuple?",
    "Please make the last paragraph shorter.",
)
_SMALL = 0.2


def statements(seed: int) -> Iterator[str]:
    """Statements for ever, none twice; the same seed makes the same."""
    random, said = Random(seed), set[str]()
    while True:
        text = _filled(random, random.choice(_SAID))
        if text not in said:
            said.add(text)
            yield text


def questions(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """The first statements, each with a question that it answers."""
    for text in islice(statements(seed), count):
        for said, asked in zip(_SAID_PATTERNS, _ASKED, strict=True):
            if found := said.fullmatch(text):
                yield text, asked.format(**found.groupdict())


def question(random: Random) -> str:
    """Mostly something that memory may know of, now and then something else."""
    if random.random() < _SMALL:
        return random.choice(_SMALL_TALK)
    return _filled(random, random.choice(_ASKED))


def _filled(random: Random, template: str) -> str:
    return template.format(
        person=random.choice(_PEOPLE),
        project=random.choice(_PROJECTS),
        part=random.choice(_PARTS),
        tool=random.choice(_TOOLS),
        reason=random.choice(_REASONS),
        number=random.randint(2, 9_999),
    )
