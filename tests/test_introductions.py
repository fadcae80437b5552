"""Names that people give in passing when they begin to talk, as `Tacit.extract` returns them."""

import pytest


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Hi! I'm Maeve", "I'm Maeve"),
        ("hey 👋 I'm Bo :)", "I'm Bo"),
        ("Bill here", "I'm Bill"),
        ("Hey, Bill here from the Leeds office", "I'm Bill from the Leeds office"),
        ("Hi there, this is Priya from accounting.", "I'm Priya from accounting"),
        ("Hey, it's Oluwaseun from HR!", "I'm Oluwaseun from HR"),
        ("Sam here, quick question about taxes", "I'm Sam"),
        ("Hallo, ich bin Jens", "Ich bin Jens"),
        ("Moin, hier ist Wiebke aus Kiel!", "Ich bin Wiebke aus Kiel"),
        ("Hallo zusammen, ich bin der Martin 🙂", "Ich bin der Martin"),
        ("Salut, moi c'est Camille", "Moi c'est Camille"),
        ("Bonjour ! Je suis Anne-Laure de Nantes", "Je suis Anne-Laure de Nantes"),
        ("Coucou à tous, ici Théo !", "Je suis Théo"),
        ("Hola, soy Lucía", "Soy Lucía"),
        ("¡Hola! Soy Iñaki de contabilidad.", "Soy Iñaki de contabilidad"),
        ("Buenas tardes, te habla Rocío", "Soy Rocío"),
    ],
)
def test_a_name_after_a_greeting_is_the_name_of_who_speaks(by_rules, text, content):
    (found,) = by_rules.extract(text).findings
    assert (found.content, found.type, found.key) == (content, "identity", "user.name")


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("Hi, I'm Maeve and I'm a nurse in Cork.", ["I'm Maeve", "I'm a nurse in Cork"]),
        ("I'm Maeve, can you check my CV?", ["I'm Maeve"]),
        ("Hallo, ich bin Jens und ich wohne in Kiel.", ["Ich bin Jens", "Ich wohne in Kiel"]),
        ("Salut, moi c'est Paul, et toi ?", ["Moi c'est Paul"]),
        ("Hola, soy Lucía y vivo en Vigo.", ["Soy Lucía", "Vivo en Vigo"]),
    ],
)
def test_what_follows_a_name_is_read_by_itself(by_rules, text, contents):
    assert [each.content for each in by_rules.extract(text).findings] == contents


@pytest.mark.parametrize(
    "text",
    [
        "Hi! I'm tired",
        "Bill is here",
        "Same here",
        "Beginner here, how do I install Python?",
        "Hey, it's Friday!",
        "haha Batman here",
        "Hi, I'm Maeve, right?",
        "ich bin gleich da",
        "Hallo, ich bin wieder da",
        "Hallo, hier ist alles gut",
        "Hallo, hier ist Stau, wie komme ich nach Köln?",
        "Moin, hier ist Besucher-WLAN kaputt",
        "moi c'est pareil",
        "Salut, je suis crevée",
        "Bonjour, ici tout va bien",
        "Hola, soy yo",
        "¡Hola! Aquí todo bien",
        "Buenas, soy yo otra vez",
        'Translate: "Hi, I\'m Maeve"',
    ],
)
def test_what_only_sounds_like_an_introduction_is_not_learned(by_rules, text):
    assert not by_rules.extract(text).findings


@pytest.mark.parametrize(
    "text",
    [
        "Hi! I'm German",
        "Hallo, ich bin Lehrer",
        "Hallo! Ich bin Müde",
        "Salut, je suis Belge",
        "Hola, soy médica",
    ],
)
def test_a_people_a_trade_or_a_mood_is_no_name(by_rules, text):
    assert all(each.key is None for each in by_rules.extract(text).findings)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("¡Me casé el sábado! :)", "Me casé el sábado (2026-02-28)"),
        ("¡Nació mi hija el domingo! 🎉", "Nació mi hija el domingo (2026-03-01)"),
        ("Me casé ayer!!", "Me casé ayer (2026-03-02)"),
        ("¡Aprobé el examen el viernes!", "Aprobé el examen el viernes (2026-02-27)"),
        ("I got married on Saturday!! :D", "I got married on Saturday (2026-02-28)"),
        ("Am Samstag hab ich geheiratet! 🎉", "Am Samstag hab ich geheiratet (2026-02-28)"),
        ("Je me suis mariée samedi ! :)", "Je me suis mariée samedi (2026-02-28)"),
    ],
)
def test_an_exclaimed_event_has_its_day_and_no_end(by_rules, text, content):
    (found,) = by_rules.extract(text).findings
    assert (found.content, found.type, found.expires_at) == (content, "event", None)


@pytest.mark.parametrize(
    "text", ["¡Qué bien!", "¡Ayer llovió!", "Ayer me dormí tarde", "¡Vi una peli el sábado! :)"]
)
def test_an_exclamation_about_nothing_lasting_is_not_learned(by_rules, text):
    assert not by_rules.extract(text).findings
