"""What is said in a language that no rules read is kept as it was said, and not learned."""

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.language.extraction.extract import extract_findings
from tests.support import HandClock, writing_opener

NOW = HandClock()()

REQUESTS = {
    "Italian": """rendilo più corto|traduci in inglese|Scrivi tutto in maiuscolo
metti i dati in una tabella|riassumi in tre punti|togli l'ultima riga|rispondi solo con sì o no
fammi un altro esempio|usa un tono più formale|correggi gli errori di battitura
aggiungi un titolo al testo|riscrivi il paragrafo senza avverbi|ordina la lista per data""",
    "Portuguese": """deixa mais curto|põe numa tabela|traduz para inglês|escreve tudo em maiúsculas
resume em três pontos|tira a última linha|responde só com sim ou não|dá-me outro exemplo
usa um tom mais formal|corrige os erros do texto|acrescenta um título no começo
reescreve o parágrafo sem advérbios|ordena a lista por data""",
    "Dutch": """maak het korter|vertaal naar het Engels|zet het in een tabel
schrijf alles in hoofdletters|vat het samen in drie punten|haal de laatste regel weg
antwoord alleen met ja of nee|geef me nog een voorbeeld|gebruik een formelere toon
verbeter de spelfouten in de tekst|voeg een titel toe|herschrijf de alinea zonder bijwoorden
sorteer de lijst op datum""",
    "Polish": """Napisz to krócej|przetłumacz na angielski|zrób z tego tabelę
napisz wielkimi literami|podsumuj w trzech punktach|usuń ostatnią linię
odpowiadaj tylko tak lub nie|podaj mi jeszcze jeden przykład|użyj bardziej formalnego tonu
popraw błędy w tekście|dodaj tytuł na początku|przepisz akapit bez przymiotników
posortuj listę według daty""",
    "Turkish": "Daha kısa yaz|İngilizceye çevir lütfen|hepsini büyük harfle yaz|üç maddede özetle",
    "Swedish": """gör det kortare|översätt till engelska|skriv allt med versaler
sätt det i en tabell""",
    "Danish": """gør det kortere|oversæt til engelsk|skriv alt med store bogstaver
sæt det i en tabel""",
    "Czech": "napiš to kratší|přelož to do angličtiny|dej to do tabulky|oprav chyby v textu",
    "Romanian": """scrie mai scurt|tradu în engleză|pune totul într-un tabel
corectează greșelile din text""",
    "Finnish": "tee siitä lyhyempi|käännä se englanniksi",
    "Hungarian": "írd meg rövidebben|fordítsd le angolra a szöveget",
    "Russian": "Сделай это короче|Переведи это на английский",
}
STATEMENTS = {
    "Italian": """mia sorella vive a Berna|lavoro in un ufficio a Torino|sono allergico alle noci
il mio cane si chiama Ugo|usiamo Postgres in produzione|Mi chiamo Lucia e abito a Bari
Vivo a Roma con due gatti|la riunione è spostata a giovedì""",
    "Portuguese": """minha irmã mora em Lisboa|trabalho num escritório no Porto|sou alérgico a nozes
o meu cão chama-se Rex|prefiro respostas curtas|usamos Postgres em produção
a reunião passou para quinta""",
    "Dutch": """mijn zus woont in Utrecht|ik werk op een kantoor in Gent
ik ben allergisch voor noten|mijn hond heet Bello|ik heb liever korte antwoorden
de vergadering is verplaatst naar donderdag|Ik heet Jan en woon in Breda""",
    "Polish": """moja siostra mieszka w Krakowie|pracuję w biurze w Gdańsku
jestem uczulony na orzechy|mój pies nazywa się Reks|wolę krótkie odpowiedzi
spotkanie przeniesione na czwartek|Nazywam się Ola i mieszkam w Łodzi""",
    "Turkish": "kız kardeşim Bern'de yaşıyor|bir ofiste çalışıyorum|fındığa alerjim var",
    "Swedish": "min syster bor i Lund|jag är allergisk mot nötter|mötet är flyttat till torsdag",
    "Danish": """min søster bor i Aarhus|jeg er allergisk over for nødder
mødet er flyttet til torsdag""",
    "Czech": "moje sestra bydlí v Brně|jsem alergický na ořechy|schůzka je přesunuta na čtvrtek",
    "Romanian": "sora mea locuiește la Cluj|sunt alergic la nuci|ședința s-a mutat joi",
    "Finnish": "sisareni asuu Turussa|olen allerginen pähkinöille",
    "Hungarian": "a nővérem Pécsen lakik|allergiás vagyok a dióra",
    "Russian": "моя сестра живёт в Берне|у меня аллергия на орехи",
}
TERSE = {
    "en": """standup moved to 10:15|deploys run from main|prod db host db-3|dentist Tuesday 9am
retro Thursdays 15:00|tests live under spec/|staging creds rotate monthly|Jonas lives in Altona
Marta handles invoices|releases ship Fridays|cat hates vets|Sasha prefers oat milk
office closes 18:00|CI runs on GitLab|Dan owns billing|Sue leads ops|vegan since 2019
gluten makes Tom sick|backups run nightly|lease ends 31 May|João leads the Lisbon team
we love smørrebrød and pączki|the Kraków office runs Postgres|Łukasz moved to São Paulo in May""",
    "de": """Deploys laufen von main|Jonas wohnt in Altona|Marta macht Rechnungen
Katze hasst Tierarzt|Büro schließt 18 Uhr|Kinder allergisch gegen Nüsse|CI läuft auf GitLab
Mia kommt im August in die Kita|vegan seit 2019|Oma zieht nach Kiel|Backups laufen nachts um zwei
Mietvertrag endet 31. Mai|Auto steht beim Nachbarn|Redis läuft auf Port 6380|Team sitzt in Łódź
Zahnarzt Dienstag um neun""",
    "fr": """déploiements partent de main|Jonas habite à Nantes|Marta gère les factures
le chat déteste le véto|enfants allergiques aux arachides|bureau ferme à 18h|CI tourne sur GitLab
Mia entre en maternelle en août|végane depuis 2019|bail finit le 31 mai|mamie déménage à Lille
Redis tourne sur le port 6380|équipe basée à São Paulo|la prod tourne chez OVH
dentiste mardi à neuf heures|mon fils joue du violoncelle""",
    "es": """despliegues salen de main|Jonas vive en Altona|Marta lleva las facturas
el gato odia al veterinario|hijos alérgicos a cacahuetes|oficina cierra a las 18
CI corre en GitLab|Mia empieza la guardería en agosto|vegana desde 2019|contrato acaba 31 mayo
abuela se muda a Vigo|Redis escucha en el puerto 6380|equipo en São Paulo|producción corre en OVH
dentista martes a las nueve|mi hijo toca el chelo""",
}


def _split(texts):
    return [each for line in texts.split("\n") for each in line.split("|")]


def _flatten(texts):
    return [(name, each) for name, said in texts.items() for each in _split(said)]


def _take_all(pairs):
    return [1.0] * len(pairs)


def _contents(text):
    """What is learned where the model finds everything worth it."""
    return [each.content for each in extract_findings(text, NOW, weigh=_take_all).findings]


@pytest.mark.parametrize(("language", "said"), _flatten(REQUESTS) + _flatten(STATEMENTS))
def test_nothing_is_learned_from_a_language_without_rules(language, said):
    assert _contents(said) == []


@pytest.mark.parametrize(("language", "said"), _flatten(TERSE))
def test_terse_notes_in_languages_with_rules_are_learned(language, said):
    assert _contents(said) != []


@pytest.mark.parametrize("said", ["mia sorella vive a Berna", "Napisz to krócej"])
def test_it_is_told_that_the_language_is_why(said):
    found = extract_findings(said, NOW, weigh=_take_all, explains=True)
    assert [(each.outcome, each.reason) for each in found.clauses] == [
        ("refused", "other_language")
    ]
    assert [(each.sentence, each.reason) for each in found.refused] == [(said, "other_language")]


@pytest.mark.parametrize(
    ("said", "content"),
    [
        ("remember: mia sorella vive a Berna", "Mia sorella vive a Berna"),
        ("remember: mio figlio ha otto anni", "Mio figlio ha otto anni"),
        ("Merk dir: mijn zus woont in Gent", "Mijn zus woont in Gent"),
        ("Retiens que minha irmã mora em Lisboa", "Minha irmã mora em Lisboa"),
        ("Recuerda que moja siostra mieszka w Krakowie", "Moja siostra mieszka w Krakowie"),
        (
            "Please remember:\n- mia sorella vive a Berna",
            "Please remember: mia sorella vive a Berna",
        ),
    ],
)
def test_what_one_asks_to_keep_in_a_language_with_rules_is_learned(said, content):
    assert _contents(said) == [content]


def test_each_sentence_of_a_message_is_told_by_itself():
    assert _contents("My sister lives in Bern. Mia madre vive a Roma. Dan owns billing.") == [
        "My sister lives in Bern",
        "Dan owns billing",
    ]


def test_a_sentence_without_known_words_is_read_as_those_around_it():
    assert _contents("Giulia allena Torino") != []
    assert _contents("Mia sorella vive a Berna. Giulia allena Torino.") == []


@pytest.mark.episodes
@pytest.mark.encodes
def test_it_is_kept_as_it_was_said(tmp_path):
    said = ["mia sorella vive a Berna", "o meu irmão mora no Porto"]
    with writing_opener(tmp_path, embedder="minilm", clock=HandClock()) as opened:
        tacit = opened()
        for text in [*said, "Jonas lives in Altona"]:
            with tacit.turn(session="s", user="ann", text=text, history=[]) as turn:
                turn.commit("Va bene.")
        tacit.learn()
        assert [each.content for each in tacit.list(owner="user:ann")] == ["Jonas lives in Altona"]
        assert {each.text for each in tacit.episodes.list(user="ann")} >= set(said)


def test_a_later_sentence_of_another_language_changes_no_memory():
    with Tacit.open(":memory:", embedder=FakeEmbedder(), clock=HandClock()) as tacit:
        for text in ("Remember that mia sorella vive a Berna", "mia sorella vive a Roma"):
            with tacit.turn(session="s", text=text, history=[]) as turn:
                turn.commit("Va bene.")
        tacit.learn()
        assert [each.content for each in tacit.list()] == ["Mia sorella vive a Berna"]
