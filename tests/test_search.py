"""Search: what is found, in which order, within which bounds, and what happens when parts fail."""

import json
import threading
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import EmbeddingReport, FakeEmbedder, Tacit
from tacit.core.errors import InvalidInput, TacitError
from tacit.search import indexes, lexical
from tacit.search.corpus import CorpusCache
from tests.injection import collection
from tests.properties import examples
from tests.support import BACKENDS, START, open_backend


def _found(result):
    return [hit.memory.content for hit in result.hits]


@pytest.fixture
def zoo(tacit):
    tacit.memories.remember_all(
        [
            "Zebras graze on the savannah at dawn",
            "The zebra enclosure opens at nine",
            "Lions hunt at dusk near the river",
            "Tickets cost twelve euros on weekends",
            "The keeper feeds penguins fish every morning",
        ]
    )
    return tacit


def test_what_shares_words_with_the_query_comes_first(zoo):
    assert set(_found(zoo.search("when do zebras graze?"))[:2]) == {
        "Zebras graze on the savannah at dawn",
        "The zebra enclosure opens at nine",
    }
    assert _found(zoo.search("penguin"))[0] == "The keeper feeds penguins fish every morning"


@pytest.mark.parametrize(
    ("query", "memory"),
    [
        ("Katze", "Zwei Katzen daheim"),
        ("Zahnarzt", "Der Zahnarzttermin ist am Montag"),
        ("zurich", "Wir sind nicht mehr in Zürich"),
        ("riunione", "Le riunioni sono di lunedì con la signora Weber"),
        ("boek", "De boeken zijn niet in het huis"),
        ("cavalo", "Os cavalos da minha filha não estão na quinta"),
    ],
)
def test_a_memory_in_any_taught_language_is_found_by_another_form_of_its_word(query, memory, zoo):
    zoo.remember(memory)
    hit = zoo.search(query).hits[0]
    assert hit.memory.content == memory
    assert hit.sources["text"].rank == 1


def test_a_word_that_is_stored_under_several_stems_counts_once(tacit):
    tacit.memories.remember_all(["Katzen katze", "Katzen daheim"])
    scores = {hit.memory.content: hit.sources["text"].score for hit in tacit.search("Katzen").hits}
    assert scores["Katzen daheim"] < scores["Katzen katze"] < 2 * scores["Katzen daheim"]


def test_a_hit_says_why_it_stands_where_it_stands(zoo):
    hit = zoo.search("zebras graze").hits[0]
    assert hit.sources["text"].rank == 1
    assert hit.sources["text"].score > 0
    assert hit.sources["vectors"].rank == 1
    assert 0 < hit.sources["vectors"].score <= 1.001
    assert hit.score == pytest.approx(sum(hit.parts.values()))
    assert {"dense", "lexical", "neighbours", "importance", "recency"} <= hit.parts.keys()
    assert json.dumps(hit.to_dict())


def test_results_are_ordered_and_as_many_as_asked_for(zoo):
    result = zoo.search("the zebra at the river", max_results=3)
    scores = [hit.score for hit in result.hits]
    assert len(scores) == 3
    assert scores == sorted(scores, reverse=True)
    assert set(result.timings_ms) == {"refresh", "text", "embedding", "sources", "ranking"}


def test_the_same_search_twice_gives_the_same_answer(zoo):
    first, second = zoo.search("zebra river"), zoo.search("zebra river")
    assert first.hits == second.hits


def test_without_an_embedder_search_is_lexical_and_says_so(house):
    tacit = Tacit(house.store, "plain", clock=house.clock)
    tacit.memories.remember_all(["Zebras graze", "Lions hunt"])
    result = tacit.search("zebra")
    assert _found(result) == ["Zebras graze"]
    assert result.degraded == ("vectors: no embedding model",)
    assert set(result.hits[0].sources) == {"text"}


class Broken(FakeEmbedder):
    def embed_query(self, text):
        raise TacitError("the endpoint is down")


class Stalled(FakeEmbedder):
    def __init__(self):
        super().__init__()
        self.release = threading.Event()

    def embed_query(self, text):
        self.release.wait(20)
        return super().embed_query(text)


class Unknown(FakeEmbedder):
    @property
    def model(self):
        raise TacitError("no model could be had")

    @model.setter
    def model(self, value):
        pass


def test_an_embedder_that_fails_is_left_out_and_named(house):
    tacit = Tacit(house.store, "broken", embedder=Broken(), clock=house.clock)
    tacit.remember("Zebras graze")
    result = tacit.search("zebra")
    assert _found(result) == ["Zebras graze"]
    assert result.degraded == ("vectors: embedding failed (the endpoint is down)",)


def test_an_embedder_that_is_late_is_left_out_and_named(house):
    embedder = Stalled()
    tacit = Tacit(house.store, "stalled", embedder=embedder, clock=house.clock)
    tacit.remember("Zebras graze")
    result = tacit.search("zebra", embedding_timeout_ms=50)
    embedder.release.set()
    assert _found(result) == ["Zebras graze"]
    assert result.degraded == ("vectors: the embedding was late",)


def test_an_embedder_that_cannot_even_tell_its_model_loses_no_memory(house):
    tacit = Tacit(house.store, "unknown", embedder=Unknown(), clock=house.clock)
    tacit.remember("Zebras graze")
    result = tacit.search("zebra")
    assert _found(result) == ["Zebras graze"]
    assert "no model could be had" in result.degraded[0]


def test_memories_without_a_vector_are_found_by_words_and_counted(house):
    Tacit(house.store, "default", clock=house.clock).remember("Zebras graze")
    house.tacit.remember("Lions hunt")
    result = house.tacit.search("zebra")
    assert "Zebras graze" in _found(result)
    assert result.degraded == ("vectors: 1 of 2 memories have none of this model",)


def test_vectors_of_another_model_are_never_mixed_in(house):
    house.tacit.remember("Zebras graze")
    other = Tacit(
        house.store, "default", embedder=FakeEmbedder(dims=8, revision="2"), clock=house.clock
    )
    other.remember("Lions hunt")
    found = other.search("zebra").hits
    assert [set(hit.sources) for hit in found if "Zebra" in hit.memory.content] == [{"text"}]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {"one", "two", "three", "four"}),
        ({"types": ["goal"]}, {"two"}),
        ({"types": []}, set()),
        ({"scope": "project"}, {"three"}),
        ({"scope": "project", "scope_id": "other"}, set()),
        ({"scope_id": "never seen"}, set()),
        ({"agent": "writer"}, {"one", "two", "three"}),
        ({"agent": "coder"}, {"one", "two", "three", "four"}),
        ({"project": "shop"}, {"one", "two", "three", "four"}),
        ({"project": "blog"}, {"one", "two", "four"}),
        ({"min_confidence": 0.5}, {"one", "two", "three"}),
    ],
)
def test_filters_bind_every_source(tacit, filters, expected):
    a = tacit.remember("zebra one").id
    tacit.remember("zebra two", type="goal")
    tacit.remember("zebra three", scope="project", scope_id="shop")
    b = tacit.remember("zebra four", agent="coder", confidence=0.3).id
    tacit.memories.link(a, b)
    found = {content.split()[1] for content in _found(tacit.search("zebra", **filters))}
    assert found == expected
    for mode in ("recent", "important"):
        listed = tacit.search("", mode=mode, **filters)
        assert {content.split()[1] for content in _found(listed)} == expected


def test_filters_are_applied_before_a_source_is_cut(tacit):
    tacit.memories.remember_all([f"zebra zebra zebra number {n}" for n in range(60)])
    wanted = tacit.remember("a zebra among many", type="goal").id
    result = tacit.search("zebra", types=["goal"], max_results_per_source=1)
    assert [hit.memory.id for hit in result.hits] == [wanted]


def test_only_live_memories_are_found(tacit, clock):
    past = tacit.remember("zebra past", expires_at=START + timedelta(hours=1))
    gone = tacit.remember("zebra forgotten")
    old = tacit.remember("zebra old", key="k")
    tacit.remember("zebra new", key="k")
    tacit.remember("zebra future", valid_from=START + timedelta(days=9))
    erased = tacit.remember("zebra erased")
    assert len(_found(tacit.search("zebra"))) == 4
    tacit.forget(gone.id)
    tacit.erase(erased.id)
    clock.advance(days=1)
    assert _found(tacit.search("zebra")) == ["zebra new"]
    tacit.restore(gone.id)
    assert set(_found(tacit.search("zebra"))) == {"zebra new", "zebra forgotten"}
    assert {past.id, old.id}


def test_changes_are_found_at_once_and_old_words_are_not(tacit):
    memory = tacit.remember("zebra").id
    tacit.search("zebra")
    tacit.edit(memory, content="penguin")
    assert _found(tacit.search("penguin")) == ["penguin"]
    assert "text" not in {name for hit in tacit.search("zebra").hits for name in hit.sources}
    tacit.edit(memory, content="zebra")
    assert tacit.search("zebra").hits[0].sources["text"].rank == 1


def test_another_process_is_seen_by_its_revision(tmp_path):
    embedder = FakeEmbedder()
    with (
        Tacit.open(tmp_path / "x.db", embedder=embedder) as one,
        Tacit.open(tmp_path / "x.db", embedder=embedder) as two,
    ):
        one.remember("zebra one")
        assert len(two.search("zebra").hits) == 1
        one.remember("zebra two")
        assert len(two.search("zebra").hits) == 2


def test_searching_leaves_no_trace(zoo):
    before = [memory.to_dict() for memory in zoo.list(sort="created")]
    zoo.search("zebra")
    assert [memory.to_dict() for memory in zoo.list(sort="created")] == before


def test_what_was_said_around_a_thing_is_evidence_for_it(tacit):
    def say(ordinal, content, session="s1"):
        origin = {"session": session, "ordinal": ordinal, "speaker": "Ann"}
        return tacit.remember(content, by="import", origin=origin)

    say(1, "Did the zebra get its medicine yesterday?")
    answer = say(2, "Yes, twice.")
    say(3, "Good, the zebra will be fine then")
    say(2, "Yes, always.", session="s2")
    result = tacit.search("zebra medicine")
    placed = {hit.memory.content: hit for hit in result.hits}
    assert placed["Yes, twice."].parts["neighbours"] > 0
    assert placed["Yes, twice."].memory.id == answer.id
    elsewhere = placed.get("Yes, always.")
    assert elsewhere is None or elsewhere.parts["neighbours"] == 0


def test_a_neighbour_that_may_not_be_seen_speaks_for_nobody(tacit):
    tacit.remember("zebra secret", agent="spy", origin={"session": "s", "ordinal": 1})
    tacit.remember("harmless words", origin={"session": "s", "ordinal": 2})
    found = tacit.search("zebra secret", agent="coder").hits
    assert all(hit.parts["neighbours"] <= 0 for hit in found)


def test_the_speaker_that_a_query_names_is_preferred(tacit):
    for speaker in ("Ann", "Ben"):
        tacit.remember("I love zebras", scope_id=speaker, origin={"speaker": speaker})
    assert tacit.search("does Ben love zebras?").hits[0].memory.origin.speaker == "Ben"
    assert tacit.search("does Ann love zebras?").hits[0].memory.origin.speaker == "Ann"
    both = tacit.search("do Ann and Ben love zebras?").hits
    assert {hit.parts["speaker"] for hit in both} == {0.0}


def test_associations_bring_in_what_shares_no_word(tacit):
    seed = tacit.remember("zebra medicine").id
    near, far, stranger = (
        tacit.remember(f"{word} {word}").id for word in ("alpha", "beta", "gamma")
    )
    tacit.memories.link(seed, near, "caused_by", weight=0.9)
    tacit.memories.link(near, far, "related_to", weight=0.9)
    tacit.memories.link(far, stranger, "related_to", weight=0.9)

    def graph(**settings):
        hits = tacit.search("zebra medicine", **settings).hits
        return {hit.memory.id for hit in hits if "graph" in hit.sources}

    assert graph() == {near}
    tacit.memories.link(seed, near, "part_of", weight=0.9)
    assert graph() == {near, far}
    assert graph(graph_depth=3) == {near, far, stranger}
    assert graph(graph_depth=0) == set()


def test_a_graph_starts_only_from_what_matches_enough_of_the_query(tacit):
    seed, other = tacit.remember("zebra medicine").id, tacit.remember("alpha").id
    tacit.memories.link(seed, other)
    query = "the zebra and its expensive bandage"
    assert all("graph" not in hit.sources for hit in tacit.search(query).hits)
    found = tacit.search(query, graph_seed_threshold=0.1).hits
    assert other in {hit.memory.id for hit in found if "graph" in hit.sources}


def test_stop_words_start_no_walk(tacit):
    seed, other = tacit.remember("it is what it is").id, tacit.remember("alpha").id
    tacit.memories.link(seed, other)
    assert all("graph" not in hit.sources for hit in tacit.search("what is it").hits)


@pytest.mark.parametrize(
    ("setting", "value", "check"),
    [
        ("max_results", 2, lambda hits: len(hits) == 2),
        ("max_results_per_source", 1, lambda hits: sum("text" in h.sources for h in hits) == 1),
        ("fusion", "rrf", lambda hits: all("ranks" in h.parts for h in hits)),
    ],
)
def test_every_setting_steers_what_it_names(tacit, setting, value, check):
    tacit.memories.remember_all([f"zebra number {n}" for n in range(8)])
    assert not check(tacit.search("zebra").hits)
    assert check(tacit.search("zebra", **{setting: value}).hits)


def test_the_constant_of_reciprocal_ranks_is_used(zoo):
    first = zoo.search("zebra", fusion="rrf", rrf_k=60).hits[0]
    assert first.parts["ranks"] == pytest.approx(
        sum(1 / (60 + place.rank) for place in first.sources.values())
    )
    second = zoo.search("zebra", fusion="rrf", rrf_k=1).hits[0]
    assert second.parts["ranks"] > first.parts["ranks"]


def test_importance_and_recency_break_ties_and_never_beat_relevance(house):
    clock, tacit = house.clock, Tacit(house.store, "ties", clock=house.clock)
    tacit.remember("zebra in the morning sun", importance=0.0, by="import")
    clock.advance(days=400)
    tacit.remember("zebra in the morning rain", importance=1.0, by="import")
    tacit.remember("penguin parade on sunday", importance=1.0, by="import")
    tied = tacit.search("zebra morning")
    assert _found(tied)[0] == "zebra in the morning rain"
    clear = tacit.search("zebra in the morning sun")
    assert _found(clear)[0] == "zebra in the morning sun"
    best = max(hit.score for hit in clear.hits)
    for hit in clear.hits:
        assert hit.parts["importance"] + hit.parts["recency"] <= 0.02 * best


def test_the_modes_list_by_time_importance_and_type(tacit, clock):
    tacit.remember("old and important", importance=1.0)
    clock.advance(days=1)
    tacit.remember("new goal", type="goal", importance=0.2)
    assert _found(tacit.search("", mode="recent"))[0] == "new goal"
    assert _found(tacit.search("", mode="important"))[0] == "old and important"
    assert _found(tacit.search("", mode="typed", types=["goal"])) == ["new goal"]
    with pytest.raises(InvalidInput, match="types"):
        tacit.search("", mode="typed")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"mode": "psychic"}, "hybrid"),
        ({"max_results": 0}, "max_results"),
        ({"max_results": "many"}, "number"),
        ({"fusion": "cold"}, "score, rrf"),
        ({"search_limit": 5}, "no such setting"),
        ({"min_confidence": 2}, "0 to 1"),
        ({"types": ["x"]}, "identity"),
        ({"text": 5}, "text"),
    ],
)
def test_a_bad_search_is_refused_with_what_would_be_right(zoo, arguments, words):
    with pytest.raises(InvalidInput, match=words):
        zoo.search(**{"text": "x", **arguments})


@settings(max_examples=examples(10))
@given(text=st.text(max_size=300))
def test_any_text_is_a_query(store, text):
    tacit = Tacit(store, "any", embedder=FakeEmbedder(dims=8))
    tacit.remember('Zebras graze at dawn, AND the "keeper" (NEAR) sleeps*')
    try:
        result = tacit.search(text)
    except InvalidInput:
        assert "\0" in text or not text.isprintable()
        return
    assert len(result.hits) <= 1


@pytest.mark.parametrize(
    "text", ['"', "NEAR(", "a AND OR", "terms:*", "'; DROP TABLE x; --", "-" * 900]
)
def test_operators_and_quotes_are_plain_text(zoo, text):
    assert zoo.search(text).degraded == ()


@pytest.mark.parametrize("name", ["own", "public"])
def test_attacks_are_queries_like_any_other(zoo, name):
    collected = collection(name)
    for text in (*collected.attacks, *collected.harmless):
        assert zoo.search(text).degraded == ()


def test_leaving_out_common_terms_keeps_the_best_hits(tacit, monkeypatch):
    chooser = np.random.default_rng(7)
    words = [f"w{n}" for n in range(400)]
    weights = 1 / np.arange(1, 401)
    texts = {" ".join(chooser.choice(words, 12, p=weights / weights.sum())) for _ in range(900)}
    tacit.memories.remember_all(sorted(texts))
    tacit.archive.embed_missing()
    queries = [" ".join(chooser.choice(words, 6, p=weights / weights.sum())) for _ in range(25)]
    whole = [set(_found(tacit.search(query, max_results=20))) for query in queries]
    monkeypatch.setattr(lexical, "MOST_POSTINGS", 400)
    pruned = [set(_found(tacit.search(query, max_results=20))) for query in queries]
    kept = [len(a & b) / len(a) for a, b in zip(whole, pruned, strict=True)]
    assert sum(kept) / len(kept) >= 0.95


def test_beyond_the_exact_limit_signs_choose_and_the_best_are_still_found(monkeypatch):
    chooser = np.random.default_rng(1)
    rows = chooser.normal(size=(3_000, 64))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    held = indexes.VectorMatrix(64)
    held.resize(len(rows))
    held.put(0, [row.astype("<f2").tobytes() for row in rows])
    query = (rows[17] + 0.8 * rows[99]).astype(np.float32)
    visible = np.ones(len(rows), bool)
    exact, _ = held.nearest(query, visible, 10)
    monkeypatch.setattr(indexes, "EXACT_LIMIT", 100)
    monkeypatch.setattr(indexes, "RERANKED", 600)
    chosen, cosines = held.nearest(query, visible, 10)
    assert list(chosen[:2]) == list(exact[:2]) == [17, 99]
    assert len(set(chosen) & set(exact)) >= 7
    assert list(cosines) == sorted(cosines, reverse=True)
    visible[17] = False
    assert 17 not in held.nearest(query, visible, 10)[0]


def test_a_long_tail_of_new_memories_is_sorted_in(tacit, monkeypatch):
    monkeypatch.setattr("tacit.search.indexes._LARGEST_TAIL", 20)
    tacit.remember("zebra zero")
    tacit.search("zebra")
    for n in range(30):
        tacit.remember(f"zebra number {n} is here")
        assert tacit.search(f"number {n}").hits[0].memory.content == f"zebra number {n} is here"
    assert len(tacit.search("zebra", max_results=50).hits) == 31


def test_the_least_used_corpora_are_dropped_when_there_are_many(house):
    cache = CorpusCache(most_bytes=1)
    corpora = []
    for name in ("a", "b", "a"):
        house.another(name).remember("zebra")
        with house.store.read(name) as unit:
            corpora.append(cache.get(unit, None))
    assert corpora[0] is not corpora[2]


@pytest.mark.other_store
def test_both_backends_rank_alike(tmp_path, clock):
    answers = []
    for backend in BACKENDS:
        tacit = Tacit(open_backend(backend, tmp_path), "w", embedder=FakeEmbedder(), clock=clock)
        tacit.memories.remember_all(
            [
                {"content": f"zebra {n} met lion {n % 7}", "origin": {"session": "s", "ordinal": n}}
                for n in range(60)
            ]
        )
        hits = tacit.search("which lion met zebra 17", max_results=20).hits
        answers.append([(hit.memory.content, round(hit.score, 6)) for hit in hits])
        tacit.close()
    assert answers[0] == answers[1]


def test_many_threads_search_and_write_one_store(tmp_path):
    failures = []
    with Tacit.open(tmp_path / "x.db", embedder=FakeEmbedder()) as tacit:
        tacit.remember("zebra start")

        def work(number):
            try:
                for n in range(15):
                    tacit.remember(f"zebra {number} {n}")
                    assert tacit.search("zebra").hits
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert len(tacit.search("zebra", max_results=200, max_results_per_source=200).hits) == 91


def test_settings_are_values(zoo):
    from tacit.settings.search import SearchSettings

    assert replace(SearchSettings(), max_results=3).max_results == 3
    with pytest.raises(InvalidInput):
        replace(SearchSettings(), max_results=-1)


def test_a_change_of_model_is_filled_in_and_then_served(house):
    house.tacit.memories.remember_all(["zebra", "lion"])
    newer = Tacit(house.store, "default", embedder=FakeEmbedder(revision="2"), clock=house.clock)
    (told,) = newer.search("zebra").degraded
    assert told.startswith("vectors: the vectors are of fake (1), which is not at hand")
    seen = []
    assert newer.archive.embed_missing(progress=lambda *each: seen.append(each)).vectors == 2
    assert seen[0] == ("vectors", 2, 2)
    assert newer.archive.embed_missing() == EmbeddingReport()
    assert newer.search("zebra").degraded == ()
    (told,) = house.tacit.search("zebra").degraded
    assert told.startswith("vectors: the vectors are of fake (2), which is not at hand")
    assert len(newer.memories.history(newer.list()[0].id)) == 1


def test_filling_in_needs_an_embedder(house):
    with pytest.raises(InvalidInput, match="embedder"):
        Tacit(house.store, "w").archive.embed_missing()


def test_what_cannot_be_embedded_is_said_once_in_the_log(house, caplog):
    class Down(FakeEmbedder):
        def embed(self, texts):
            raise TacitError("the endpoint is down")

    tacit = Tacit(house.store, "down", embedder=Down(), clock=house.clock)
    for n in range(3):
        tacit.remember(f"zebra {n}")
    assert [record.message for record in caplog.records] == [
        "kept without vectors: the endpoint is down"
    ]
    assert len(tacit.list()) == 3


def test_hits_below_the_least_score_are_left_out(zoo):
    everything = zoo.search("zebra at the river").hits
    least = everything[1].score
    assert [hit.memory.id for hit in zoo.search("zebra at the river", min_score=least).hits] == [
        hit.memory.id for hit in everything[:2]
    ]


def test_a_memory_that_is_alone_is_found_by_meaning(house):
    tacit = Tacit(house.store, "alone", embedder=FakeEmbedder(), clock=house.clock)
    tacit.remember("zebra crossing ahead")
    assert tacit.search("zebra crossing").hits[0].parts["dense"] > 0.3


def test_what_speaks_for_nothing_is_no_hit(house):
    tacit = Tacit(house.store, "plain", clock=house.clock)
    tacit.memories.remember_all(["zebra", "lion"])
    assert _found(tacit.search("penguin")) == []


def test_codes_that_are_held_in_memory_follow_every_change_of_another_process(house):
    other = Tacit(house.store, "default", embedder=FakeEmbedder(), clock=house.clock)
    said = ["We met at the harbour", "The ferry was late", "Then it rained on the harbour"]
    first, second, _ = (
        house.tacit.remember(text, origin={"session": "s1", "speaker": "Ann", "ordinal": place})
        for place, text in enumerate(said)
    )
    changes = [
        lambda: None,
        lambda: other.edit(first.id, content="We met at the airport"),
        lambda: other.forget(second.id),
        lambda: other.restore(second.id),
        lambda: other.erase(first.id),
    ]
    for change in changes:
        change()
        other.archive.embed_missing()
        new = Tacit(house.store, "default", embedder=FakeEmbedder(), clock=house.clock)
        expected = _token_parts(new.search("harbour ferry at the airport"))
        assert any(expected.values())
        assert _token_parts(house.tacit.search("harbour ferry at the airport")) == expected


def _token_parts(result):
    return {hit.memory.content: hit.parts["tokens"] for hit in result.hits}
