# Everything here needs only make and Python >= 3.11; `make lock` also needs uv.
# Each tool of the house is installed from a lock with hashes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
HOST ?= 127.0.0.1
PORT ?= 8000
UV ?= uv
LOCK := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header

# Commands that together compile all kernels, so that none is compiled later.
COMPILED := "solve p4c6r" "strategy p3c6n avg35" "strategy p2c5r random-candidate"

# Else each process of the tests compiles all modules again, and each worker rewrites all assertions.
unexport PYTHONDONTWRITEBYTECODE

# Licences of what is installed to serve and to search: permissive ones only.
LICENCES := Apache;MIT;BSD;ISC;PSF-2.0

.DEFAULT_GOAL := help
.PHONY: help setup dev run test quick check format trees bench soak docs pages words lock wheel sbom clean
.DELETE_ON_ERROR:

help:  ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "make %-8s %s\n", $$1, $$2}'

setup: $(VENV)/.run  ## Make .venv with the console script bullscows
	@echo "ready: $(BIN)/bullscows"

dev: $(VENV)/.dev  ## The same with the tools of test and check

run: setup  ## Serve on http://127.0.0.1:8000 (HOST=, PORT=)
	$(BIN)/bullscows serve --host $(HOST) --port $(PORT)

test: dev  ## Run the tests (ARGS="-m slow" for the long ones)
	$(BIN)/pytest -n auto --dist worksteal $(ARGS)
	$(BIN)/pytest -p schemathesis tests/app/api/test_fuzz.py $(ARGS) || [ $$? -eq 5 ]

quick: dev  ## Test what needs no browser, process, search or whole game
	$(BIN)/pytest -n auto --dist worksteal --hypothesis-profile quick \
		--ignore tests/browser \
		-m "not (slow or browser or process or large)" $(ARGS)

check: dev  ## Lint, format, types, import contracts, spelling, the Dockerfile
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/hadolint Dockerfile
	$(BIN)/pip-licenses --from=mixed --partial-match --packages $$(sed -n 's/^\([a-z0-9-]*\)==.*/\1/p' requirements-cluster.lock) \
		--allow-only="$(LICENCES)" >/dev/null

format: dev  ## Put the code into the house's format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

trees: setup  ## Rebuild and prove every shipped tree again
	$(BIN)/bullscows build --all

bench: setup  ## Measure the engine and the server
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.throughput

soak: setup  ## Fuzz the addresses of a server, then hold it under load for ten minutes
	$(BIN)/python -m benchmarks.load

docs: dev  ## Build the documents as a site into build/site; fails on a link that leads nowhere
	DISABLE_MKDOCS_2_WARNING=true $(BIN)/mkdocs build --strict

pages: dev  ## Write the made parts of docs/ again: answers of the API, words of the commands, the film
	$(BIN)/python -m benchmarks.pages
	$(BIN)/python -m benchmarks.pages.film

words: dev  ## Bring the catalogues of languages up to date; new messages get an empty translation
	$(BIN)/python -m release.words $(ARGS)

# The versions that stand in the locks are kept while they satisfy pyproject.toml;
# `make lock UPGRADE=--upgrade` takes the newest. The smaller locks are cut from
# the largest, so that all of them agree.
lock:  ## Write the locks again from pyproject.toml (needs uv)
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: install it, or say UV=/path/to/uv" >&2; exit 1; }
	$(LOCK) $(UPGRADE) pyproject.toml --all-extras --group dev -o requirements-dev.lock
	$(LOCK) $(UPGRADE) pyproject.toml --extra web --group build -c requirements-dev.lock -o requirements.lock
	$(LOCK) $(UPGRADE) pyproject.toml --extra web --extra cluster -c requirements-dev.lock -o requirements-cluster.lock

wheel: dev  ## Build the wheel and the source archive into dist/
	$(BIN)/python -m hatchling build -t sdist -t wheel

sbom: dev  ## Write the bill of materials (CycloneDX) to dist/sbom.cdx.json
	mkdir -p dist
	$(BIN)/cyclonedx-py environment --output-reproducible --pyproject pyproject.toml \
		--output-file dist/sbom.cdx.json $(BIN)/python

clean:  ## Remove .venv, caches and builds; trees and jobs stay
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .import_linter_cache \
		.hypothesis .coverage htmlcov
	find app engine tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# A stamp file says when .venv last agreed with a lock.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "$(PYTHON) is not Python 3.11 or newer: say make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) has no venv module: install it (Debian: apt-get install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.lock pyproject.toml engine/bullscows/__init__.py | $(BIN)/python
	$(PIP) install --quiet --require-hashes -r requirements.lock
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	@echo "compiling the search, which takes about a minute, once"
	@for command in $(COMPILED); do \
		$(BIN)/bullscows $$command >/dev/null 2>&1 || echo "not compiled: the first search will do it"; done
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	@touch $@
