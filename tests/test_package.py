"""The package itself: what it exports, what importing it costs, and what it is made of."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tacit

SOURCES = Path(tacit.__file__).parent


def _loaded_by(statement):
    program = f"import sys; {statement}; print(*sorted(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return set(ran.stdout.split())


def test_every_public_name_can_be_imported_and_is_documented():
    for name in tacit.__all__:
        value = getattr(tacit, name)
        assert name == "__version__" or value.__doc__, name
    assert dir(tacit) == sorted(tacit.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        tacit.nonsense  # noqa: B018


def test_importing_tacit_loads_nothing_that_is_not_used():
    heavy = {"apsw", "Stemmer", "rich", "typer", "asyncio", "platformdirs", "tacit.api.tacit"}
    assert not heavy & _loaded_by("import tacit")


def test_help_does_not_load_the_store():
    program = "import sys; sys.argv = ['tacit', '--help']; from tacit.cli.entry import main"
    loaded = _loaded_by(f"{program}\ntry: main()\nexcept SystemExit: pass")
    assert "typer" in loaded
    assert not {"apsw", "Stemmer", "tacit.api.tacit", "tacit.store"} & loaded


def test_importing_has_no_side_effects(tmp_path):
    compiled = {name: value for name, value in os.environ.items() if name.startswith("PYTHON")}
    subprocess.run(
        [sys.executable, "-c", "import tacit; tacit.Tacit; tacit.AsyncTacit"],
        env={**compiled, "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PATH": ""},
        check=True,
    )
    assert list(tmp_path.iterdir()) == []


def test_no_module_imports_the_package_root():
    submodules = {each.stem for each in SOURCES.iterdir()}
    imported = {
        (str(path), alias.name)
        for path in SOURCES.rglob("*.py")
        if "from tacit import" in (source := path.read_text("utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ImportFrom) and node.module == "tacit"
        for alias in node.names
    }
    assert {each for each in imported if each[1] not in submodules} == set()


def test_errors_form_one_tree_drawn_in_their_module():
    errors = importlib.import_module("tacit.core.errors")
    classes = [each for each in vars(errors).values() if isinstance(each, type)]
    for each in classes:
        assert issubclass(each, errors.TacitError)
        assert each.__name__ in errors.__doc__
