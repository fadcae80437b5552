# Every target sets up what it needs on a machine that has Python 3.11 or newer and make.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
READY := .venv/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Versions for every Python and system that is supported; no address of an index, so that any mirror will do.
COMPILE := build/lock/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command 'make lock'
# Those of the frameworks too, of which requirements/NAME.in pins what is tested.
FRAMEWORK_LOCKS = $(patsubst %.in,%.lock,$(wildcard tests/frameworks/requirements/*.in))
LOCK_NPM := npm install --package-lock-only --omit-lockfile-registry-resolved --ignore-scripts \
	--engine-strict=false --no-audit --no-fund --silent
# Tests start many processes, which start sooner when what was compiled is kept, beside what pip compiled.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest
# Tests wait for each other's processes now and then; one worker more than there are cores fills that.
WORKERS = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 1)')
# Files in memory cost no flushes to the disk; what kills processes writes to the disk.
IN_MEMORY := $(if $(wildcard /dev/shm/.),PYTEST_DEBUG_TEMPROOT=/dev/shm)
# Collecting all tests takes longer than some of these.
CRASHING = $(shell grep -rl --include='*.py' mark.crash tests)

.PHONY: help venv serve demo test test-fast test-all test-slow test-clis test-frameworks test-browser check format bench bench-quick eval model lock clean

help:  ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

venv: $(READY)  ## Make the environment in .venv

$(READY): pyproject.toml requirements/dev.lock
	@test -n "$(PYTHON)" || { echo "Tacit needs Python 3.11 or newer: install it, or name it with make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes --requirement requirements/dev.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

lock:  ## Renew every lock file: the newest versions that are admitted, with hashes
	@test -n "$(PYTHON)" || { echo "Tacit needs Python 3.11 or newer: install it, or name it with make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv --clear build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/uv.lock
	$(COMPILE) pyproject.toml requirements/build.in --extra dev --output-file requirements/dev.lock
	$(COMPILE) requirements/uv.in --output-file requirements/uv.lock
	for each in $(FRAMEWORK_LOCKS); do \
		$(COMPILE) pyproject.toml requirements/build.in "$${each%.lock}.in" --output-file "$$each" || exit 1; done
	command -v npm >/dev/null || { echo "There is no npm here: tests/clis/packages stays as it is" >&2; exit 0; }; \
		for each in tests/clis/packages/*/; do rm -f "$$each/package-lock.json"; $(LOCK_NPM) --prefix "$$each" || exit 1; done

serve: model  ## Start the server, with a sample workspace in build/serve.db
	@mkdir -p build
	$(BIN)/tacit serve --sample --db build/serve.db

demo: model  ## Show memory at work in the terminal, on a throw-away database
	$(BIN)/tacit demo

test: model  ## Lint, types, floors and the fast tests, beside each other
	@$(MAKE) --no-print-directory --jobs=2 check test-fast

test-fast: $(READY)
	$(IN_MEMORY) $(PYTEST) -n $(WORKERS) --dist worksteal

test-all: test test-slow  ## Everything

test-slow: model  ## Properties at full length, rules on PostgreSQL, and crashes
	$(IN_MEMORY) $(PYTEST) -m "(slow or other_store or hypothesis) and not crash" --hypothesis-profile thorough -n $(WORKERS) --dist worksteal
	$(PYTEST) $(CRASHING) -m crash -n 2 --dist worksteal

test-clis: $(READY)  ## Memory in the real coding CLIs, which npm brings into build/clis
	$(IN_MEMORY) $(PYTEST) tests/clis tests/test_mcp.py -m clis -n 2

test-frameworks: $(READY)  ## Memory in agent frameworks, each in an environment in build/frameworks (FRAMEWORKS="langchain ...")
	$(IN_MEMORY) $(BIN)/python -m tests.frameworks.environments $(FRAMEWORKS)

test-browser: model  ## The web UI in a real Chromium, which the machine has
	$(IN_MEMORY) $(PYTEST) tests/browser -m browser -n 2 --dist loadfile

check: $(READY)  ## Lint, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)  ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: model  ## Measure everything, some hours: to a million memories, and others beside us
	$(BIN)/python -m benchmarks --sizes 1000,10000,100000,1000000 --workers 2 --peers $(if $(DATA),--data $(DATA))
	$(BIN)/python -m benchmarks.peers --sizes 1000,10000,100000 --patient --postgres $(if $(DATA),--data $(DATA)/locomo10.json)

bench-quick: model  ## The same to ten thousand memories, without the others, some minutes
	$(BIN)/python -m benchmarks --resident 5000

eval: model  ## Measure quality on benchmark data: make eval DATA=folder
	@test -n "$(DATA)" || { echo "Name the folder with the data: make eval DATA=folder" >&2; exit 1; }
	$(BIN)/tacit eval locomo --data $(DATA)/locomo10.json
	$(BIN)/tacit eval longmemeval --data $(DATA)/longmemeval_s_dev50.json.gz
	$(BIN)/tacit eval abstention --data $(DATA)/locomo10.json --notinject $(DATA)/injection/NotInject_one.json
	$(BIN)/tacit eval conflicts --data $(DATA)/factconsolidation_dev.json.gz
	$(BIN)/tacit eval followups --data $(DATA)/locomo10.json
	$(BIN)/tacit eval summaries --data $(DATA)/locomo10.json

model: $(READY)  ## Get the embedding model into the cache folder, once
	$(BIN)/tacit model pull

clean:  ## Remove the environment and caches
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
