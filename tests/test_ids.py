"""Ids: UUIDv7, in the order they were made."""

import threading
from uuid import UUID

from tacit.runtime.clock import IdGenerator


def test_ids_are_version_7_of_the_standard_variant():
    id = UUID(IdGenerator()())
    assert (id.version, id.variant) == (7, "specified in RFC 4122")


def test_ids_carry_the_time_they_were_made():
    assert UUID(IdGenerator(lambda: 1_700_000_000_123)()).int >> 80 == 1_700_000_000_123


def test_ids_sort_by_the_order_they_were_made_even_when_the_clock_stands_or_goes_back():
    times = iter([5_000] * 5_000 + [4_000] * 5_000)
    new_id = IdGenerator(lambda: next(times))
    made = [new_id() for _ in range(10_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_threads_never_make_the_same_id():
    new_id, made = IdGenerator(), []

    def work():
        made.extend([new_id() for _ in range(2_000)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 8_000
