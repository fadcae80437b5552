"""The commands `prepare`, `train`, `write` and `measure`; see the README of the folder."""

import argparse
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from tokenizers import Tokenizer
from tools.languages.corpus import (
    ENGLISH,
    LANGUAGES,
    read_answers,
    read_english,
    read_test_pairs,
    read_translations,
    read_written,
)
from tools.languages.measuring import compare_vectors, find_translations
from tools.languages.vocabulary import find_foreign_pieces, learn_pieces

from tacit.embedding.minilm.embedder import MiniLM
from tacit.embedding.minilm.languages import WORDS, extend_tokenizer, write_update
from tacit.embedding.minilm.model_files import MODELS, TOKENIZER, WEIGHTS, file_sha256

TRANSLATIONS, TEXTS, PIECES, LEARNED = (
    "translations.tsv.xz",
    "english.txt",
    "pieces.txt",
    "learned.npz",
)

_WORKERS = 6
"""Processes that make batches of texts."""


def main() -> None:
    """Run a command."""
    given = _parser().parse_args()
    given.run(given)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tools.languages", description=__doc__)
    commands = parser.add_subparsers(required=True)
    prepare = commands.add_parser("prepare", help="gather the texts and learn new pieces of words")
    prepare.add_argument("folder", type=Path)
    prepare.add_argument("--tatoeba", type=Path, required=True, metavar="FILE")
    prepare.add_argument("--english", type=Path, required=True, metavar="FOLDER")
    prepare.add_argument("--model", type=Path, required=True, metavar="FOLDER")
    prepare.set_defaults(run=_prepare)
    train = commands.add_parser("train", help="teach the model; needs PyTorch and a GPU")
    train.add_argument("folder", type=Path)
    train.add_argument("--model", type=Path, required=True, metavar="FOLDER")
    train.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER")
    train.set_defaults(run=_train)
    write = commands.add_parser("write", help="write the file that is part of the package")
    write.add_argument("folder", type=Path)
    write.add_argument("file", type=Path)
    write.add_argument("--model", type=Path, required=True, metavar="FOLDER")
    write.add_argument("--words", type=Path, required=True, metavar="FILE")
    write.set_defaults(run=_write)
    measure = commands.add_parser("measure", help="how well the models of the package read")
    measure.add_argument("--tatoeba", type=Path, required=True, metavar="FILE")
    measure.add_argument("--english", type=Path, metavar="FILE", help="texts, a line each")
    measure.set_defaults(run=_measure)
    return parser


def _prepare(given: argparse.Namespace) -> None:
    folder: Path = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    translations = read_translations(given.tatoeba)
    written = [each for name in LANGUAGES for each in read_written(name)]
    english = [*read_english(given.english), *read_written(ENGLISH)]
    pieces = learn_pieces(
        given.model / TOKENIZER.name,
        [*(each.foreign for each in translations), *written],
        [*(each.english for each in translations), *english],
    )
    (folder / TRANSLATIONS).write_bytes(given.tatoeba.read_bytes())
    (folder / TEXTS).write_text("\n".join(" ".join(each.split()) for each in english), "utf-8")
    (folder / PIECES).write_text("\n".join(pieces), "utf-8")
    Console().print(
        f"{len(translations):,} translations, {len(english):,} English texts, "
        f"{len(pieces):,} new pieces"
    )


def _train(given: argparse.Namespace) -> None:
    # PyTorch is needed here alone.
    from tools.languages.batches import EncodedTexts, QuestionBatches, TextBatches, draw_ahead
    from tools.languages.network import Reader, Student
    from tools.languages.training import Plan, Trainer

    folder: Path = given.folder
    plan = Plan(**{name: float(value) for name, value in (each.split("=") for each in given.set)})
    published = Tokenizer.from_file(str(given.model / TOKENIZER.name))
    published.no_padding()
    published.no_truncation()
    pieces = (folder / PIECES).read_text("utf-8").split("\n")
    extended = Tokenizer.from_str(extend_tokenizer(published.to_str(), pieces))
    encoded = EncodedTexts(published, extended)
    weights = given.model / WEIGHTS.name
    teacher, student = Reader(weights), Student(weights, extended, published)
    english = (folder / TEXTS).read_text("utf-8").split("\n")
    translations = read_translations(folder / TRANSLATIONS)
    texts = TextBatches(translations, english, encoded, int(plan.seed))
    questions = QuestionBatches(read_answers(), encoded, int(plan.seed))
    text_batches, question_batches = draw_ahead(texts, _WORKERS), draw_ahead(questions, 1)
    Trainer(teacher, student, plan).train(
        lambda: next(text_batches), lambda: next(question_batches), Console().print
    )
    learned = student.to_arrays()
    np.savez(folder / LEARNED, **{name: each.astype(np.float16) for name, each in learned.items()})


def _write(given: argparse.Namespace) -> None:
    """Leave out the pieces that English words would be cut into, and write the rest."""
    folder: Path = given.folder
    with np.load(folder / LEARNED) as learned:
        arrays = {name: learned[name].astype(np.float32) for name in learned.files}
    pieces = (folder / PIECES).read_text("utf-8").split("\n")
    words = [each for each in given.words.read_text("utf-8").split() if "'" not in each]
    foreign = (each.foreign for each in read_translations(folder / TRANSLATIONS))
    kept = find_foreign_pieces(given.model / TOKENIZER.name, pieces, foreign, words)
    arrays[WORDS] = arrays[WORDS][np.isin(pieces, kept)]
    write_update(given.file, arrays, kept)
    Console().print(f"{len(kept):,} of {len(pieces):,} pieces, SHA-256 {file_sha256(given.file)}")


def _measure(given: argparse.Namespace) -> None:
    """Find translations by the models of the package, and compare their English."""
    models = {each.name: MiniLM.open(model=each) for each in MODELS}
    table = Table("to English / from English", *models)
    for language, pairs in read_test_pairs(given.tatoeba).items():
        found = (find_translations(each.embed, pairs) for each in models.values())
        table.add_row(language, *(f"{there:.3f} / {back:.3f}" for there, back in found))
    Console().print(table)
    if given.english:
        texts = given.english.read_text("utf-8").split("\n")
        taught, published = (each.embed(texts) for each in models.values())
        mean, first = compare_vectors(published, taught)
        Console().print(
            f"English: cosine {mean:.3f} in the mean, {first:.3f} at the first percentile"
        )


if __name__ == "__main__":
    main()
