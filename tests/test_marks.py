"""Marks: in whose turns it counts that a memory is of no use, and who takes that back."""

import pytest

from tacit import InvalidInput, NotFound
from tacit.core.kinds import Actor
from tests.serving import served

PERSONS, AGENTS = "Wire transfers go to Globex Bank", "Wire transfers go to Evil Bank"
ASKED = "Where do wire transfers go?"
REWORDED = "Where do our wire transfers go?"
SHOP = {"scope": "project", "scope_id": "shop"}
LENIENT = {"contextual_min_score": 0.05}


@pytest.fixture
def house():
    with served() as opened:
        yield opened


class Shop:
    """A person's memory in a project, a rival of an agent's, and keys."""

    def __init__(self, house):
        self.tacit, self.client = house.tacit, house.client
        self.persons = self.tacit.remember(PERSONS, **SHOP).id
        self.tacit.remember(AGENTS, by="agent", **SHOP)
        self.all = house.key("admin")
        self.agents = house.key("write", agent="buyer")
        self.others = house.key("write", agent="seller")
        self.speaking = house.key("write", agent="clerk", speaks_for_users=True)
        self.ann = house.key("write", user="ann")
        self.bob = house.key("write", user="bob")

    def mark(self, key, **said):
        path = f"/v1/memories/{self.persons}/irrelevant"
        answer = self.client.post(path, json={"text": ASKED, **said}, headers=key)
        assert answer.status_code == 201, answer.text
        return answer.json()["mark"]

    def is_shown(self, text=ASKED, **who):
        turn = self.tacit.preview(session="looks", text=text, project="shop", **LENIENT, **who)
        return PERSONS in (turn.block or "")

    def listed(self, key):
        answer = self.client.get(f"/v1/memories/{self.persons}/marks", headers=key)
        return [(each["by"], each["agent"], each["user"]) for each in answer.json()["items"]]

    def take_back(self, key, mark):
        return self.client.delete(f"/v1/marks/{mark}", headers=key).status_code


@pytest.fixture
def shop(house):
    return Shop(house)


def test_an_agents_mark_hides_a_persons_words_from_that_agent_alone(shop):
    shop.mark(shop.agents)
    assert not shop.is_shown(agent="buyer")
    for text in (ASKED, REWORDED):
        assert shop.is_shown(text)
        assert shop.is_shown(text, agent="seller", user="ann")


def test_a_users_mark_counts_in_that_users_turns_alone(shop):
    shop.mark(shop.ann)
    assert not shop.is_shown(user="ann")
    assert not shop.is_shown(user="ann", agent="buyer")
    assert shop.is_shown(user="bob")
    assert shop.is_shown()


def test_a_persons_mark_counts_for_everybody(shop):
    shop.mark(shop.speaking, by="user")
    assert not shop.is_shown()
    assert not shop.is_shown(agent="buyer", user="ann")
    assert shop.listed(shop.all) == [("user", "clerk", None)]


def test_an_agent_that_may_speak_for_users_marks_for_itself_unless_it_says_so(shop):
    shop.mark(shop.speaking)
    assert shop.is_shown()
    assert not shop.is_shown(agent="clerk")


def test_an_agents_mark_in_one_of_its_turns_is_its_own_too(shop):
    body = {"session": "s", "text": ASKED, "project": "shop", "settings": LENIENT}
    turn = shop.client.post("/v1/turns", json=body, headers=shop.agents).json()
    ended = f"/v1/turns/{turn['id']}/commit"
    shop.client.post(ended, json={"reply": "I see."}, headers=shop.agents)
    path = f"/v1/receipts/{turn['id']}/irrelevant"
    answer = shop.client.post(path, json={"memory": shop.persons}, headers=shop.agents)
    assert answer.status_code == 201, answer.text
    assert shop.listed(shop.all) == [("agent", "buyer", None)]
    assert shop.is_shown()


@pytest.mark.parametrize(
    "said", [{"by": "user"}, {"by": "operator"}, {"agent": "seller"}, {"by": "system"}]
)
def test_an_agents_key_marks_in_no_other_name(shop, said):
    path = f"/v1/memories/{shop.persons}/irrelevant"
    answer = shop.client.post(path, json={"text": ASKED, **said}, headers=shop.agents)
    assert answer.status_code == 403
    assert shop.listed(shop.all) == []


def test_everybody_is_told_of_the_marks_that_count_for_them_and_who_made_them(shop):
    for key in (shop.agents, shop.ann, shop.all):
        shop.mark(key)
    agents, ann, persons = ("agent", "buyer", None), ("user", None, "ann"), ("user", None, None)
    assert shop.listed(shop.all) == [agents, ann, persons]
    assert shop.listed(shop.agents) == [agents, ann, persons]
    assert shop.listed(shop.others) == [ann, persons]
    assert shop.listed(shop.ann) == [agents, ann, persons]
    assert shop.listed(shop.bob) == [agents, persons]


def test_who_is_bound_takes_back_only_their_own_marks(shop):
    made = {"agents": shop.mark(shop.agents), "ann": shop.mark(shop.ann)}
    made["all"] = shop.mark(shop.all)
    for name, mark in made.items():
        for key in ("agents", "others", "ann", "bob"):
            if key != name:
                assert shop.take_back(getattr(shop, key), mark) == 404, (key, name)
    assert shop.take_back(shop.agents, made["agents"]) == 204
    assert shop.take_back(shop.ann, made["ann"]) == 204
    assert shop.take_back(shop.all, made["all"]) == 204
    assert shop.listed(shop.all) == []


def test_in_a_program_too_a_mark_is_somebodys(tacit):
    memory = tacit.remember("Releases are cut on Wednesdays").id
    with pytest.raises(InvalidInput, match="name the agent"):
        tacit.turns.mark_irrelevant_for("When are releases cut?", memory, by="agent")
    mark = tacit.turns.mark_irrelevant_for(
        "When are releases cut?", memory, by="agent", agent="planner"
    )
    (told,) = tacit.turns.marks(memory)
    assert (told.author.by, told.author.agent) == (Actor.AGENT, "planner")
    assert tacit.turns.marks(memory, agent="coder") == []
    with pytest.raises(NotFound):
        tacit.turns.unmark(mark, agent="coder")
    tacit.turns.unmark(mark, agent="planner")
    assert tacit.turns.marks(memory) == []
