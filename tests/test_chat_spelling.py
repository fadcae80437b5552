"""What people write in passing without capitals, with laughs and interjections around it."""

import pytest


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("mein kater momo ist taub, hast du tipps?", "Mein kater momo ist taub"),
        ("ma nièce zoé est sourde, une idée de jouet ?", "Ma nièce zoé est sourde"),
        ("buenas, mi sobrina vera es diabética, qué le hago?", "Mi sobrina vera es diabética"),
    ],
)
def test_somebody_near_may_be_named_without_a_capital(by_rules, text, content):
    assert [each.content for each in by_rules.extract(text).findings] == [content]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("uf, no soporto el apio jeje", "No soporto el apio"),
        ("boah ich ess keine pilze hihi", "Ich ess keine pilze"),
        ("pff, je déteste les tableaux ptdr", "Je déteste les tableaux"),
        ("ugh i can't stand slide decks", "I can't stand slide decks"),
    ],
)
def test_interjections_and_laughs_are_no_part_of_a_statement(by_rules, text, content):
    assert [each.content for each in by_rules.extract(text).findings] == [content]


@pytest.mark.parametrize(
    "text",
    [
        "wir sind letzten herbst nach fulda gezogen",
        "la semana pasada me despidieron",
        "hace dos meses nos mudamos a gijón",
    ],
)
def test_a_change_of_life_that_has_passed_is_learned_without_an_end(by_rules, text):
    (found,) = by_rules.extract(text).findings
    assert (found.type, found.expires_at) == ("event", None)


def test_a_word_that_begins_like_a_conjunction_is_not_cut(by_rules):
    (found,) = by_rules.extract("J'ai deux chevaux à la maison de campagne.").findings
    assert found.content == "J'ai deux chevaux à la maison de campagne"


@pytest.mark.parametrize(
    "text",
    [
        "mein bruder meint das auch",
        "mein hund bello ist krank",
        "ma mère qui est malade dort",
        "mon chat noir est trop mignon",
        "mi perro hoy está malo",
        "la semana pasada me dormí en el bus",
        "uf no aguanto más hoy",
    ],
)
def test_a_state_of_the_moment_is_not_learned(by_rules, text):
    assert not by_rules.extract(text).findings


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "Sorry, I meant Clara is allergic to walnuts, not peanuts.",
            "Clara is allergic to walnuts, not peanuts",
        ),
        (
            "Sorry, ich meinte meine Tochter ist allergisch gegen Walnüsse",
            "Meine Tochter ist allergisch gegen Walnüsse",
        ),
        (
            "Désolé, je voulais dire que ma fille est allergique aux noix",
            "Ma fille est allergique aux noix",
        ),
        (
            "quise decir que mi hija es alérgica a las nueces",
            "Mi hija es alérgica a las nueces",
        ),
    ],
)
def test_what_somebody_meant_to_say_is_learned_without_saying_so(by_rules, text, content):
    assert content in [each.content for each in by_rules.extract(text).findings]
