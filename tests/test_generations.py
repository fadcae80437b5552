"""Another model takes over: the old vectors serve until the new ones are complete."""

import time

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.api import background_encoding
from tacit.api.calls.maintenance import EmbeddingReport
from tacit.core.errors import EmbedderFailed, InvalidInput
from tacit.core.vectors import EmbeddingModel, GenerationState
from tacit.embedding import registry
from tacit.embedding.minilm.model_files import MODELS
from tacit.embedding.registry import EmbedderSet
from tacit.settings.config import Config
from tacit.store.generations import filling_model, serving_model
from tacit.store.workspaces import list_places
from tests.support import say

OLD, NEW = FakeEmbedder(), FakeEmbedder(revision="2")
NOTES = [f"note {number} about the {animal}" for number in range(16) for animal in ("cat", "owl")]


def _open(house, embedder, previous=None, config=None):
    embedders = EmbedderSet(embedder, previous)
    return Tacit(
        house.store, "default", embedder=embedders, config=config or Config(), clock=house.clock
    )


def _states(house, place="default"):
    with house.store.read(place) as unit:
        return {each.model.revision: str(each.state) for each in unit.generations.all()}


@pytest.fixture
def filled(house):
    house.tacit.memories.remember_all(NOTES)
    house.tacit.archive.embed_missing()
    return house


class Counting(FakeEmbedder):
    """Counts what it embeds, and fails when it has embedded enough."""

    def __init__(self, most=10_000):
        super().__init__(revision="2")
        self.texts = self.queries = 0
        self._most = most

    def embed(self, texts):
        self.texts += len(texts)
        if self.texts > self._most:
            raise EmbedderFailed("killed")
        return super().embed(texts)

    def embed_query(self, text):
        self.queries += 1
        return super().embed_query(text)


def test_the_old_model_serves_until_the_new_one_is_complete(filled):
    new = Counting(most=16)
    tacit = _open(filled, new, OLD)
    with pytest.raises(EmbedderFailed, match="killed"):
        tacit.archive.embed_missing()
    assert _states(filled) == {"1": "serving", "2": "filling"}
    result = tacit.search("note about the owl")
    assert (result.degraded, new.queries) == ((), 0)
    assert result.hits == filled.tacit.search("note about the owl").hits


def test_an_interrupted_fill_is_resumed_and_then_switched(filled):
    with pytest.raises(EmbedderFailed):
        _open(filled, Counting(most=16), OLD).archive.embed_missing()
    rest = Counting()
    report = _open(filled, rest, OLD).archive.embed_missing()
    assert rest.texts == len(NOTES) - 16 == report.vectors
    assert _states(filled) == {"1": "previous", "2": "serving"}
    assert rest.queries == 0
    assert _open(filled, rest).search("note about the owl").degraded == ()
    assert rest.queries > 0


def test_a_process_that_was_there_before_the_switch_goes_on_with_the_new_model(filled):
    there = _open(filled, OLD, NEW)
    assert there.search("owl").degraded == ()
    _open(filled, NEW, OLD).archive.embed_missing()
    result = there.search("note about the owl")
    assert result.degraded == ()
    wanted = _open(filled, NEW).search("note about the owl")
    assert [hit.score for hit in result.hits] == [hit.score for hit in wanted.hits]


def test_what_is_written_during_a_fill_has_both_vectors_where_both_are_at_hand(filled):
    with pytest.raises(EmbedderFailed):
        _open(filled, Counting(most=16), OLD).archive.embed_missing()
    both = _open(filled, NEW, OLD).remember("the badger digs").id
    one = filled.tacit.remember("the fox runs").id
    with filled.store.read("default") as unit:
        assert unit.vectors.get([both, one], OLD.model).keys() == {both, one}
        assert unit.vectors.get([both, one], NEW.model).keys() == {both}
    _open(filled, NEW, OLD).archive.embed_missing()
    with filled.store.read("default") as unit:
        assert serving_model(unit) == NEW.model
        assert unit.vectors.missing(NEW.model, 1) == []


def test_going_back_is_at_once_and_nothing_is_begun_again_by_itself(filled):
    tacit = _open(filled, NEW, OLD)
    tacit.archive.embed_missing()
    later = tacit.remember("the badger digs").id
    assert tacit.archive.restore_model() == "fake"
    assert _states(filled) == {"1": "serving", "2": "previous"}
    assert any("1 of 33" in each for each in tacit.search("owl").degraded)
    assert tacit.archive.embed_missing().vectors == 1
    assert _states(filled) == {"1": "serving", "2": "previous"}
    with filled.store.read("default") as unit:
        assert later in unit.vectors.get([later], OLD.model)
    tacit.archive.change_model()
    assert _states(filled) == {"1": "previous", "2": "serving"}


def test_a_fill_is_given_up_and_what_served_goes_on(filled):
    with pytest.raises(EmbedderFailed):
        _open(filled, Counting(most=16), OLD).archive.embed_missing()
    tacit = _open(filled, NEW, OLD)
    assert tacit.archive.restore_model() == "fake"
    assert _states(filled) == {"1": "serving", "2": "dropped"}
    assert tacit.archive.embed_missing() == EmbeddingReport()
    assert tacit.archive.drop_old_vectors() == 16


def test_programs_with_the_old_settings_do_not_undo_the_switch(filled):
    _open(filled, NEW, OLD).archive.embed_missing()
    old = _open(filled, OLD, NEW)
    assert old.archive.embed_missing() == EmbeddingReport()
    assert _states(filled) == {"1": "previous", "2": "serving"}


def test_dropping_leaves_nothing_to_go_back_to(filled):
    tacit = _open(filled, NEW, OLD)
    with pytest.raises(InvalidInput, match="no vectors of a previous model"):
        tacit.archive.restore_model()
    tacit.archive.embed_missing()
    assert tacit.archive.drop_old_vectors() == len(NOTES)
    assert list(tacit.workspace.stats().counts.vectors) == ["fake (32, 2)"]
    with pytest.raises(InvalidInput):
        tacit.archive.restore_model()
    assert tacit.search("owl").degraded == ()


def test_without_the_model_that_serves_a_search_goes_by_words_and_says_so(filled):
    result = _open(filled, NEW).search("note about the owl")
    assert result.hits
    (told,) = result.degraded
    assert told.startswith("vectors: the vectors are of fake (1), which is not at hand")
    assert "TACIT_PREVIOUS_EMBEDDER" in told


@pytest.mark.episodes
@pytest.mark.encodes
def test_memories_episodes_documents_and_items_switch_together(house, tmp_path):
    tacit = house.tacit
    (tmp_path / "tea.md").write_text("# Tea\n\nThe kettle is cleaned on Fridays.")
    tacit.remember("the kettle is copper")
    say(tacit, "the boiler makes a noise like a kettle")
    tacit.documents.add(tmp_path)
    tacit.documents.index()
    tacit.items.put(("shop",), "kettle", {"price": 3}, text="a kettle for sale")
    tacit.archive.embed_missing()
    new = _open(house, NEW, OLD)
    new.archive.embed_missing()
    for place in list_places("default"):
        assert _states(house, place) == {"1": "previous", "2": "serving"}, place
        with house.store.read(place) as unit:
            assert unit.vectors.missing(NEW.model, 1) == []
    (new_one, old_one) = new.workspace.stats().generations
    assert (new_one.state, old_one.state) == (GenerationState.SERVING, GenerationState.PREVIOUS)
    assert new_one.vectors == new_one.texts == 4
    new.close()


PATIENCE = 60.0


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Opens programs on one database that take up at once what others left."""
    monkeypatch.setattr(background_encoding, "_START_SECONDS", 0.01)
    made = []

    def open(embedder, **others):
        made.append(Tacit.open(tmp_path / "m.db", embedder=embedder, **others))
        return made[-1]

    yield open
    for each in made:
        each.close()


def _await_states(tacit, states):
    _await(
        lambda: (
            {
                f"{each.model} {each.revision}": str(each.state)
                for each in tacit.workspace.stats().generations
            }
            == states
        )
    )


def _await(check):
    end = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.encodes
@pytest.mark.episodes
def test_a_program_that_stays_open_switches_to_its_model_by_itself(opened):
    old = opened(OLD)
    old.memories.remember_all(NOTES)
    say(old, "the boiler makes a noise like a kettle")
    old.items.put(("shop",), "kettle", {"price": 3}, text="a kettle for sale")
    old.archive.embed_missing()
    old.close()
    new = opened(OtherTokens(), previous_embedder=OLD)
    _await_states(new, {"fake 2": "serving", "fake 1": "previous"})
    assert new.search("note about the owl").degraded == ()
    (serving, _) = new.workspace.stats().generations
    assert serving.vectors == serving.texts == len(NOTES) + 2


@pytest.mark.encodes
def test_a_program_that_stays_open_begins_no_model_again_that_was_left_behind(opened):
    old = opened(OLD)
    old.memories.remember_all(NOTES)
    old.archive.embed_missing()
    opened(NEW, previous_embedder=OLD).archive.embed_missing()
    assert old.archive.restore_model() == "fake"
    again = opened(NEW, previous_embedder=OLD)
    again.remember("the badger digs")
    worker = again._context.shared.encoding_worker
    _await(lambda: worker.submit(lambda: worker._has_started).result(PATIENCE))
    worker.submit(lambda: None).result(PATIENCE)
    _await_states(again, {"fake 1": "serving", "fake 2": "previous"})


@pytest.mark.encodes
def test_what_a_program_could_not_embed_is_made_by_the_next_that_stays_open(opened):
    broken = Counting(most=0)
    opened(broken).memories.remember_all(NOTES)
    later = opened(NEW)
    _await(lambda: later.workspace.stats().counts.vectors == {"fake (32, 2)": len(NOTES)})


class OtherTokens(FakeEmbedder):
    """Makes token vectors of another model too."""

    token_model = EmbeddingModel("hashed-words", 256, "2")

    def __init__(self):
        super().__init__(revision="2")


def test_tokens_are_made_before_the_switch_and_go_with_their_generation(filled, monkeypatch):
    monkeypatch.setattr("tacit.api.memory_embedder._MOST_WITHOUT_TOKENS", 0)
    tacit = _open(filled, OtherTokens(), OLD)
    tacit.archive.embed_missing(stage="vectors")
    assert _states(filled)["2"] == "filling"
    assert tacit.search("note about the owl").notes == ()
    assert tacit.archive.embed_missing(stage="tokens").tokens == len(NOTES)
    assert _states(filled)["2"] == "serving"
    assert tacit.search("note about the owl").notes == ()
    tacit.archive.drop_old_vectors()
    with filled.store.read("default") as unit:
        assert unit.token_codes.models() == [OtherTokens.token_model]


def test_a_switch_between_a_search_and_its_comparisons_mixes_nothing(filled):
    tacit = _open(filled, NEW, OLD)
    searcher = tacit._context.searcher
    near = OLD.embed([NOTES[0]])
    asked = ("default", near, OLD.model, 5, 0.9)
    filter = _filter(filled)
    assert searcher.nearest(*asked, filter)[0]
    tacit.archive.embed_missing()
    assert searcher.nearest(*asked, filter) == [[]]


def _filter(house):
    from tacit.search.filter import Filter

    return Filter(now=house.clock())


def test_a_fill_waits_for_searches_of_its_process_but_not_for_ever(filled, monkeypatch):
    waited = []
    tacit = _open(filled, NEW, OLD)
    place = tacit._context.memory_embedder
    monkeypatch.setattr(place, "_wait_until_idle", waited.append)
    tacit.archive.embed_missing()
    assert len(waited) == 2
    assert max(waited) <= 1.0


def test_an_archive_with_vectors_is_served_by_them_where_it_comes(filled, tmp_path):
    _open(filled, NEW, OLD).archive.embed_missing()
    file = tmp_path / "all.jsonl"
    filled.tacit.archive.export_to(file, embeddings=True)
    with Tacit.open(":memory:", embedder=NEW) as there:
        there.archive.import_from(file)
        assert there.search("owl").degraded == ()
        with there._context.store.read("default") as unit:
            assert serving_model(unit) == NEW.model
            assert filling_model(unit) is None


def test_local_models_are_opened_by_the_model_that_a_generation_records():
    for local in MODELS:
        found = EmbedderSet(FakeEmbedder()).find(local.model)
        assert found is registry.shared_embedder(local.name)
        assert (found.model, found.token_model) == (local.model, local.token_model)


def test_an_address_is_opened_only_if_the_settings_name_it(monkeypatch):
    model = EmbeddingModel("mail", 3, "mail")
    with pytest.raises(EmbedderFailed, match="not at hand"):
        EmbedderSet(FakeEmbedder()).find(model)
    down = registry.shared_embedder("http://127.0.0.1:1/v1#mail", is_previous=True)
    with pytest.raises(EmbedderFailed, match="cannot be reached"):
        EmbedderSet(FakeEmbedder(), down).find(model)


def test_the_command_switches_goes_back_and_drops(run, tmp_path, monkeypatch):
    db = tmp_path / "cli.db"
    with Tacit.open(db, embedder=OLD) as tacit:
        tacit.memories.remember_all(["the owl sleeps", "the cat runs"])
        tacit.archive.embed_missing()
    embedders = {"new": NEW, "minilm": OLD}
    for place in ("tacit.api.tacit", "tacit.cli.options"):
        monkeypatch.setattr(f"{place}.shared_embedder", lambda name, **_: embedders.get(name))
    monkeypatch.setenv("TACIT_EMBEDDER", "minilm")
    assert "Made: 2 vectors" in run("embed", "--model", "new", db=db).out
    assert "generation, serving" in run("stats", db=db).out
    assert run("embed", "--back", db=db).out == "The vectors of fake serve.\n"
    assert run("embed", "--drop-old", db=db).out == "Removed 2 vectors.\n"
    refused = run("embed", "--back", "--drop-old", db=db)
    assert (refused.code, "one of --model" in refused.err) == (2, True)


def test_a_large_workspace_is_ready_in_the_database_when_it_switches():
    from tacit.settings.server import PostgresSettings
    from tacit.store.postgres.store import PostgresStore
    from tests.postgres_server import empty_database

    store = PostgresStore.open(empty_database(), PostgresSettings(resident_memories=10))
    tacit = Tacit(store, "default", embedder=EmbedderSet(NEW, OLD))
    Tacit(store, "default", embedder=OLD).memories.remember_all(NOTES)
    store.settle("default")
    for model in (OLD.model, NEW.model):
        result = tacit.search("note about the owl")
        assert (result.degraded, len(result.hits)) == ((), 10)
        assert tacit._context.searcher._cache.find("default", model) is None
        with store.read("default") as unit:
            assert serving_model(unit) == model
            assert unit.index(model).statistics.vectors == len(NOTES)
        tacit.archive.embed_missing()
    tacit.archive.drop_old_vectors()
    assert tacit.search("note about the owl").degraded == ()
    tacit.close()
