# Everything here needs only make and Python >= 3.11; `make lock` also needs uv.
# All tools are installed into .venv, from a lock with hashes.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
HOST ?= 127.0.0.1
PORT ?= 8000
UV ?= uv
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header

# Commands that compile the kernels of most others; the rest are compiled on first use.
COMPILED := "solve p4c6r" "strategy p3c6n avg35" "strategy p2c5r random-candidate"

# With it, each process of the tests would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

# Text without private words (CONTRIBUTING.md, "Vocabulary"); tests may have them.
PROSE := *.md app benchmarks docs engine research static templates

# Licences that dependencies at run time may have. Pebble's is the LGPL, which any program may
# import unchanged.
LICENCES := Apache;MIT;BSD;ISC;PSF-2.0
LGPL := Pebble

.DEFAULT_GOAL := help
.PHONY: help setup dev run programs test quick check format trees bench soak docs pages screens words lock wheel release-check sbom clean
.DELETE_ON_ERROR:

help:  ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "make %-13s %s\n", $$1, $$2}'

setup: $(VENV)/.run  ## Make .venv with the console script bullscows
	@echo "ready: $(BIN)/bullscows"

dev: $(VENV)/.dev  ## Add the tools for tests and checks to .venv

run: setup  ## Serve on http://127.0.0.1:8000 (HOST=, PORT=)
	$(BIN)/bullscows serve --host $(HOST) --port $(PORT)

programs: dev  ## Install the Debian packages of programs that tests need (as root)
	@$(BIN)/python -m tests.support.programs

# Without a program, tests are skipped and named at the end; with CI=true they fail.
# The fuzzer runs at the same time as the other tests, and its output is shown if it fails.
# 5: the arguments select none of its tests.
test: dev  ## Run the tests (ARGS="-m slow" for the long ones)
	@mkdir -p build
	@[ "$$(id -u)" -ne 0 ] || $(MAKE) --no-print-directory programs || true
	$(BIN)/pytest -p schemathesis tests/app/api/test_fuzz.py $(ARGS) >build/fuzz.log 2>&1 & fuzzer=$$!; \
	trap "kill $$fuzzer 2>/dev/null" INT TERM; \
	$(BIN)/pytest -n auto --dist worksteal $(ARGS); status=$$?; \
	wait $$fuzzer || [ $$? -eq 5 ] || { status=1; cat build/fuzz.log; }; exit $$status

quick: dev  ## Run the fast tests: no browsers, processes, searches or whole games
	$(BIN)/pytest -n auto --dist worksteal --hypothesis-profile quick --quick $(ARGS)

check: dev  ## Lint, format, types, import contracts, spelling, Dockerfile, workflows, licences
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/codespell -D .ci/words.txt $(PROSE)
	$(BIN)/hadolint Dockerfile
	$(BIN)/actionlint .github/workflows/*.yml
	$(BIN)/pip-licenses --from=mixed --partial-match --packages $$(sed -n 's/^\([a-z0-9-]*\)==.*/\1/p' requirements-cluster.lock) \
		--ignore-packages $(LGPL) --allow-only="$(LICENCES)" >/dev/null

format: dev  ## Format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

trees: setup  ## Rebuild and prove every shipped tree, and compute the levels of the duel
	$(BIN)/bullscows build --all
	$(BIN)/python -m bullscows_web.duel.levels

bench: dev  ## Measure the engine and the server
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.load kinds

soak: dev  ## Fuzz the addresses of a server, then hold it under load for ten minutes
	$(BIN)/python -m benchmarks.load fuzz steady

docs: dev  ## Build the documents as a site in build/site; fails on broken links
	DISABLE_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --strict

pages: dev  ## Update the generated parts of docs/: references of API, commands and library, the tree
	$(BIN)/python -m docs.generate

screens: dev  ## Take screenshots of every kind of screen, in build/screens
	$(BIN)/python -m docs.generate.pictures --screens

# Without --ignore-dirs, Babel skips templates/_layout and templates/_macros, and update would delete its translations.
EXTRACT := extract -F pyproject.toml --ignore-dirs=".*" -k N_ --no-location --sort-output \
	--omit-header
TRANSLATIONS := app/bullscows_web/language/translations

words: dev  ## Update the message catalogues; new messages get an empty translation
	mkdir -p build
	$(BIN)/pybabel -q $(EXTRACT) -o build/messages.pot app templates
	$(BIN)/pybabel -q update --no-fuzzy-matching --ignore-obsolete --no-wrap \
		--ignore-pot-creation-date -i build/messages.pot -d $(TRANSLATIONS)

# Versions in the locks are kept while they satisfy pyproject.toml. The smaller locks are constrained
# by the largest, so that all of them agree.
lock:  ## Update the locks from pyproject.toml (needs uv; UPGRADE=--upgrade: newest versions)
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: install it, or use UV=/path/to/uv" >&2; exit 1; }
	$(LOCK) $(UPGRADE) pyproject.toml --all-extras --group dev -o requirements-dev.lock
	$(LOCK) $(UPGRADE) pyproject.toml --extra web --group build -c requirements-dev.lock -o requirements.lock
	$(LOCK) $(UPGRADE) pyproject.toml --extra web --extra cluster -c requirements-dev.lock -o requirements-cluster.lock

wheel: dev  ## Build the wheel and the source archive in dist/
	rm -rf dist
	$(BIN)/python -m hatchling build -t sdist -t wheel

# twine is not in a lock: it would bring fifteen packages for one check.
release-check: wheel  ## Test what PyPI will get: metadata, README and both archives, installed
	$(PYTHON) -m venv --clear build/twine
	build/twine/bin/python -m pip --disable-pip-version-check install --quiet 'twine>=6'
	build/twine/bin/twine check --strict dist/*
	RELEASE_FILES=dist $(BIN)/pytest -q -m slow tests/release/test_published.py tests/release/test_wheel.py
	$(BIN)/pytest -q tests/release/test_published.py
	@grep -q '^\[project.urls\]' pyproject.toml || \
		echo "to do: add [project.urls] to pyproject.toml (Repository, Documentation, Changelog)"
	@echo "to do: set the date of the release in CHANGELOG.md and CITATION.cff"
	@echo "to do: git tag v$$($(BIN)/python -c 'import bullscows; print(bullscows.__version__)')"
	@echo "to do: build/twine/bin/twine upload dist/*"

sbom: dev  ## Write the bill of materials (CycloneDX) to dist/sbom.cdx.json
	mkdir -p dist
	$(BIN)/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml \
		--output-file dist/sbom.cdx.json $(BIN)/python

clean:  ## Remove .venv, caches and builds, but no trees
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache \
		.hypothesis .coverage htmlcov
	find app docs engine research tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# Stamp files have the time of the last installation from a lock.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "$(PYTHON) is not Python 3.11 or newer: use make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) has no venv module: install it (Debian: apt-get install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.lock pyproject.toml engine/bullscows/__init__.py | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r requirements.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@echo "compiling the search (about 10 seconds, once)"
	@for command in $(COMPILED); do \
		$(BIN)/bullscows $$command >/dev/null 2>&1 || echo "not compiled: the first search compiles it"; done
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	@touch $@
