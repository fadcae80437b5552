"""An environment for each framework, with this project in it, and the tests that run there.

    python -m tests.frameworks.environments [name...]

A framework is a file `requirements/NAME.in`, which pins what is tested, and its tests, which are in
`test_NAME.py`. `make lock` writes `requirements/NAME.lock`, from which the environment is made; it
is kept in `build/frameworks` until that changes.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

ROOT = Path(__file__).parents[2]
TESTS = Path(__file__).parent
REQUIREMENTS = TESTS / "requirements"
ENVIRONMENTS = ROOT / "build" / "frameworks"

_INSTALL_SECONDS = 1200
_TEST_SECONDS = 600


class CannotInstall(Exception):
    """What a framework needs cannot be installed here."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The virtual environment of a framework."""

    lock: Path
    folder: Path

    @property
    def name(self) -> str:
        """The name of the framework."""
        return self.lock.stem

    @property
    def python(self) -> Path:
        """The interpreter of the environment."""
        return self.folder / "bin" / "python"

    def prepare(self) -> None:
        """Build the environment, unless it is there already."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{self.folder}.lock"):
            made_of = self._digest()
            mark = self.folder / ".ready"
            if mark.is_file() and mark.read_text() == made_of:
                return
            shutil.rmtree(self.folder, ignore_errors=True)
            venv.create(self.folder)
            self._install()
            mark.write_text(made_of)

    def _digest(self) -> str:
        """What the environment is made of: an interpreter, this project, and the lock file."""
        made_of = f"{sys.version}\n{ROOT}\n".encode() + self.lock.read_bytes()
        return hashlib.sha256(made_of).hexdigest()

    def _install(self) -> None:
        self._run_pip("--require-hashes", "--requirement", self.lock)
        self._run_pip("--no-deps", "--no-build-isolation", "--editable", ROOT)

    def _run_pip(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-m", "pip", "--python", self.python, "install", "--quiet"]
        try:
            subprocess.run(
                [*command, "--disable-pip-version-check", *arguments],
                check=True,
                capture_output=True,
                text=True,
                timeout=_INSTALL_SECONDS,
            )
        except subprocess.TimeoutExpired as error:
            raise CannotInstall(f"pip took longer than {_INSTALL_SECONDS} seconds") from error
        except subprocess.CalledProcessError as error:
            raise CannotInstall(_reason(error.stderr)) from error

    def test(self) -> subprocess.CompletedProcess[str]:
        """Run the tests of the framework; those of the project have another conftest."""
        tests = TESTS / f"test_{self.name.replace('-', '_')}.py"
        command = [self.python, "-m", "pytest", tests, "-m", "frameworks", "-q"]
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "",  # frameworks are large, and compiled once
        }
        return subprocess.run(
            [*command, "--confcutdir", TESTS, "-W", "default", "-p", "no:cacheprovider"],
            cwd=ROOT,
            env=environment,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_TEST_SECONDS,
        )


def _reason(output: str) -> str:
    """Why pip failed, of all that it wrote."""
    errors = [line.strip() for line in output.splitlines() if "depends on" in line]
    errors += [line.removeprefix("ERROR: ") for line in output.splitlines() if "ERROR" in line]
    return "; ".join(errors[:4]) or output.strip()[-300:] or "pip failed and said nothing"


def find_environments(names: Sequence[str] = ()) -> list[Environment]:
    """The environments of these frameworks, or of all."""
    known = {
        path.stem: Environment(path, ENVIRONMENTS / path.stem)
        for path in sorted(REQUIREMENTS.glob("*.lock"))
    }
    for name in names:
        if name not in known:
            sys.exit(f"there is no framework {name!r}; there are {', '.join(known)}")
    return [known[name] for name in names or known]


def run_environment(environment: Environment) -> bool:
    """Test one framework, print one line about it, and say whether all is well."""
    started = time.monotonic()
    try:
        environment.prepare()
    except CannotInstall as error:
        print(f"{environment.name:16} NOT TESTED  it cannot be installed: {error}", flush=True)
        return False
    prepared = time.monotonic()
    try:
        ran = environment.test()
    except subprocess.TimeoutExpired:
        print(f"{environment.name:16} FAILED      no end after {_TEST_SECONDS} s", flush=True)
        return False
    took = f"tests {time.monotonic() - prepared:.1f} s, environment {prepared - started:.1f} s"
    is_well = ran.returncode == 0
    if not is_well:
        print(ran.stdout)
    said = ran.stdout.strip().splitlines() or ["no output"]
    result = f"{'passed' if is_well else 'FAILED':11} {said[-1].strip('= ')} ({took})"
    print(f"{environment.name:16} {result}", flush=True)
    return is_well


def main(names: Sequence[str]) -> int:
    """Test these frameworks, or all; the status says whether each was tested and passed."""
    results = {each.name: run_environment(each) for each in find_environments(names)}
    bad = [name for name, is_well in results.items() if not is_well]
    print(f"{len(results) - len(bad)} of {len(results)} frameworks passed", end="")
    print(f"; not {', '.join(bad)}" if bad else "")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
