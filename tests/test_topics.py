"""What a text speaks of: the speaker, what is theirs, food, or a rule."""

import pytest

from tacit.language.topics import (
    speaks_for_self,
    speaks_of_food,
    speaks_of_own,
    speaks_of_self,
    states_rule,
)


@pytest.mark.parametrize(
    ("text", "own", "for_self", "of_self"),
    [
        ("How fast does our API have to be?", True, True, False),
        ("Put together a session for my living room", True, True, True),
        ("Can I push this out on Friday?", False, True, True),
        ("Write me a unit test", False, True, True),
        ("How do I reverse a linked list?", False, False, False),
        ("My sister needs a cover letter", True, False, False),
        ("Schreib für meine Schwester eine Bewerbung", True, False, False),
        ("Was haben wir vereinbart?", True, True, False),
        ("The podcast site shows wrong dates.", False, False, False),
        ("Come si chiama il mio medico?", True, True, True),
        ("Qual é o nome do meu médico?", True, True, True),
        ("Hoe heet mijn huisarts?", True, True, True),
    ],
)
def test_whom_a_message_speaks_of(text, own, for_self, of_self):
    told = (speaks_of_own(text), speaks_for_self(text), speaks_of_self(text))
    assert told == (own, for_self, of_self)


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Quando compie gli anni mia sorella?", True),
        ("Where does Mia live?", False),
        ("Waar staat onze auto?", True),
        ("Il y a onze joueurs dans une équipe ?", False),
        ("Quando é a nossa festa?", True),
    ],
)
def test_a_word_is_of_ones_own_in_its_language_only(text, own):
    assert speaks_of_own(text) is own


@pytest.mark.parametrize(
    ("text", "food", "rule"),
    [
        ("No nuts, ever", True, False),
        ("Ich koche nie ohne Rezept", True, True),
        ("Jamais de sucre dans le plat", True, True),
        ("El postre lleva nueces", True, False),
        ("don't autogenerate the migrations", False, True),
        ("We tightened the bolts", False, False),
        ("", False, False),
    ],
)
def test_what_speaks_of_food_and_what_states_a_rule(text, food, rule):
    assert (speaks_of_food(text), states_rule(text)) == (food, rule)


@pytest.mark.parametrize(
    "text",
    [
        "Can I order the prawn curry?",
        "Rezeptidee fürs Wochenende?",
        "Was koche ich heute Abend?",
        "Une idée de dîner pour ce soir ?",
        "¿Qué ceno hoy?",
        "Je suis végétarienne",
    ],
)
def test_what_is_ordered_cooked_or_eaten_is_food_in_every_language(text):
    assert speaks_of_food(text)
