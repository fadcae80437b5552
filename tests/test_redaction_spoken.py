"""Secrets as people say and list them, and what only sounds like one."""

from io import BytesIO

import pytest

from tacit import Tacit
from tacit.language.redaction.redact import redact, redact_pieces
from tacit.writing.archive.files import Format

CODE = "58" + "213"
CARD = "4111.1111." + "1111.1111"
PASSWORD = "hunter2" + "!x"
TOKEN = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT" + "1vW4yZ7cF0hL3kP6"
SEED = "witch collapse practice feed shame open despair creek road again ice least"
WORDS = SEED.split()
NUMBERED = "\n".join(f"{number}. {word}" for number, word in enumerate(WORDS, start=1))


@pytest.mark.parametrize(
    "text",
    [
        "the alarm code of our house is {}",
        "The code for the front door is {}.",
        "code for the gate: {}",
        "the new code for the garage is {}",
        "the combination of the safe is {}",
        "My alarm code is {}",
        "{} is the alarm code",
        "I changed the door code to {} today",
        "der Code der Alarmanlage ist {}",
        "der Code für die Haustür lautet jetzt {}",
        "Der Code vom Fahrradschloss ist {}",
        "Unser Türcode: {}",
        "mon code de carte bleue est le {}",
        "Le code du portail, c'est {}",
        "le code de l'immeuble est {}",
        "notre digicode est le {}",
        "el código de la alarma es {}",
        "El código del portal es el {}",
        "la clave de la tarjeta es {}",
    ],
)
def test_a_code_that_is_told_in_words_is_redacted(text):
    assert redact(text.format(CODE)).text == text.format("[redacted: access-code]")


@pytest.mark.parametrize("between", [" ", "-", ".", "·"])
def test_a_card_number_is_found_whatever_stands_between_its_groups(between):
    said = f"charge {CARD.replace('.', between)} for it"
    assert redact(said).text == "charge [redacted: card-number] for it"


@pytest.mark.parametrize("text", ["3782.822463." + "10005", f"my card: {CARD}"])
def test_a_card_number_with_dots_is_redacted(text):
    assert redact(text).kinds == ("card-number",)


@pytest.mark.parametrize("unseen", ["\u200b", "\u200d", "\u2060", "\ufeff", "\xad", "\ufe0f"])
def test_unseen_characters_do_not_hide_a_secret(unseen):
    for place in (2, 6, 20):
        said = f"so use {TOKEN[:place]}{unseen}{TOKEN[place:]} there"
        assert redact(said).text == "so use [redacted: github-token] there"
    assert PASSWORD[-4:] not in redact(f"my pass{unseen}word is {PASSWORD}").text
    spread = unseen.join(TOKEN)
    assert redact(spread).text == "[redacted: github-token]"


@pytest.mark.parametrize(
    "text",
    [
        "The password? {}",
        "Here is my password. {}",
        "Here is my password for the router. {}\nThanks",
        "You asked for the wifi password! {}. Enjoy",
        "Das Passwort? {}",
        "Hier ist mein Kennwort. {}",
        "Le mot de passe ? {}",
        "Voici mon mot de passe. {}",
        "¿La contraseña? {}",
        "Esta es mi contraseña. {}",
        "My tablet asks for a password every five minutes. It is {}, in case I forget it.",
        "The password changed again. It's {} now.",
        "Das Passwort nervt mich. Es ist {}, falls ich es vergesse.",
        "Le mot de passe change tout le temps. C'est {} maintenant.",
        "La contraseña la cambié ayer. Es {}.",
    ],
)
def test_a_password_that_is_or_fills_the_next_sentence_is_redacted(text):
    assert redact(text.format(PASSWORD)).text == text.format("[redacted: password]")


@pytest.mark.parametrize(
    "text",
    [
        "The password field is wrong. It's input-12, not input-13.",
        "The password policy changed. It's ISO-27001, see the docs.",
        "We dropped the password. It is Base64, not encryption.",
        "Change the password. It's due 2026-01-05.",
        "The password reset is broken. It's a v2.3.1 bug.",
        "He asked about password rules. It's SHA-256.",
    ],
)
def test_what_a_sentence_about_passwords_is_followed_by_is_not_redacted(text):
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        f"My seed phrase:\n{NUMBERED}",
        f"My seed phrase for the ledger, keep it safe:\n\n{NUMBERED.replace('.', ')')}\n\nThanks",
        "seed phrase: " + " ".join(NUMBERED.split()),
        "Recovery words:\n" + "\n".join(f"- {word}" for word in WORDS),
        "the wallet words\n" + "\n".join(WORDS),
        "mnemonic: " + ", ".join(WORDS),
        f"Meine Wiederherstellungswörter:\n{NUMBERED}",
        f"Ma phrase de récupération :\n{NUMBERED}",
        f"Mi frase semilla:\n{NUMBERED}",
    ],
)
def test_a_seed_phrase_in_a_list_is_redacted(text):
    redacted = redact(text)
    assert redacted.kinds == ("passphrase",)
    assert not [word for word in WORDS if word in redacted.text]
    assert redacted.text.endswith("Thanks") == text.endswith("Thanks")


def test_a_seed_phrase_over_several_texts_is_redacted_in_each():
    kept = redact_pieces(["My seed phrase:", *NUMBERED.split("\n"), "and that is all"])
    assert kept == ["My seed phrase:", *["[redacted: passphrase]"] * 12, "and that is all"]


@pytest.mark.parametrize(
    "text",
    [
        NUMBERED,
        NUMBERED.replace("\n", " "),
        NUMBERED.replace(".", ")").replace("\n", ", "),
        NUMBERED.replace(".", ""),
        f"Keep these\n\n{NUMBERED}\n\nThanks",
        "\n".join(f"{number:02}. {word}" for number, word in enumerate(WORDS, start=1)),
        "\n".join(f"{number}. {word}" for number, word in enumerate(WORDS + WORDS, start=1)),
    ],
)
def test_a_seed_phrase_in_a_bare_numbered_list_is_redacted(text):
    redacted = redact(text)
    assert redacted.kinds == ("passphrase",)
    assert not [word for word in WORDS if word in redacted.text]
    assert redacted.text.endswith("Thanks") == text.endswith("Thanks")


@pytest.mark.parametrize(
    "text",
    [
        NUMBERED.rpartition("\n")[0],
        NUMBERED + "\n13. zebra",
        NUMBERED.title(),
        NUMBERED.replace("shame", "shame on you"),
        NUMBERED.replace("feed", "feed2"),
        NUMBERED.replace("despair", "restaurants"),
        NUMBERED.replace("5.", "6."),
        NUMBERED.replace("witch", "apples").replace("ice", "lemons"),
        "1. milk\n2. eggs\n3. bread",
    ],
)
def test_another_numbered_list_of_words_stays(text):
    assert redact(text).text == text


def test_a_bare_seed_phrase_over_several_texts_is_redacted_in_each():
    kept = redact_pieces(["as follows", *NUMBERED.split("\n"), "and that is all"])
    assert kept == ["as follows", *["[redacted: passphrase]"] * 12, "and that is all"]


def test_an_imported_list_of_seed_words_leaves_none_of_them():
    with Tacit.open(":memory:", embedder="none") as tacit:
        lines = f"# Wallet\n\nMy seed phrase:\n\n{NUMBERED}\n".encode()
        tacit.archive.import_from(BytesIO(lines), format=Format.MARKDOWN)
        stored = " ".join(memory.content for memory in tacit.list())
    assert not [word for word in WORDS if word in stored]


@pytest.mark.parametrize(
    "text",
    [
        "the area code is 030",
        "the area code of our office is 4930",
        "the zip code of our office is 10115",
        "the zip code of our house is 10115",
        "error code 40312",
        "the error code for the card is 40312",
        "the status code for the card service is 4043",
        "the color code of the door is 1234",
        "the building code is 2021",
        "the code of the garage app is 5000 lines",
        "the code for apartment 1204 is in the drawer",
        "die Postleitzahl vom Haus ist 10115",
        "Der Fehlercode der Alarmanlage ist 40312",
        "der Farbcode der Tür ist 9016",
        "le code postal de la maison est 75011",
        "le code erreur de la carte est 4012",
        "el código postal de la casa es 28013",
        "I reset the password. Thanks!",
        "Enter the password. Press Ctrl+C.",
        "Forgot my password. Step2 fails again",
        "Where is the password? ann2@example.com",
        "Do you need the token? See docs/v2.md.",
        "version 4111.1111.1111.1112",
        "the hosts are 192.168.100.100 and 10.20.30.40",
        "Seeds to buy:\n1. basil\n2. leek\n3. dill\n4. peas\n5. kale\n6. mint\n7. chard\n"
        "8. fennel\n9. beans\n10. onion\n11. carrot\n12. tomato",
        "The recovery phrase has twelve words and you write them down on paper, never in a file",
        "👩\u200d💻 it works ❤\ufe0f",
        "می\u200cخواهم",
    ],
)
def test_what_only_sounds_like_a_secret_stays(text):
    assert redact(text).text == text
