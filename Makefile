# Every target sets up what it needs in .venv; a machine with python3 and make is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# what is installed so far: for the demo, for tests, for checks
USE := $(VENV)/.use
TEST := $(VENV)/.test
CHECK := $(VENV)/.check
# bytecode is compiled when a module is first imported: most of what is installed never is
PIP := $(BIN)/python -m pip install --quiet --no-compile

.PHONY: help demo test test-slow fuzz check format bench bench-peers bench-real docs clean

help: ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(USE): pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[cli]'
	touch $@

# pip older than 25.1 knows no dependency groups, hence the upgrade
$(TEST): pyproject.toml | $(BIN)/python
	$(PIP) --upgrade 'pip>=25.1'
	$(PIP) --editable '.[cli,plot]' --group test
	touch $@ $(USE)

$(CHECK): $(TEST)
	$(PIP) --group check
	touch $@

demo: $(USE) ## Select columns of a built-in data set
	$(BIN)/thresher demo

PYTEST := $(BIN)/python -m pytest -q -n 2 --dist worksteal --durations 10

test: $(TEST) ## Run the test suite
	$(BIN)/python -m tests.warm
	$(PYTEST) -m 'not slow'

test-slow: $(TEST) ## Run the long statistical tests too
	$(BIN)/python -m tests.warm
	$(PYTEST)

TIMES ?= 10
# what fails is kept in tests/kept, where the suite tries it from then on
fuzz: $(TEST) ## Property tests on new random examples, TIMES=10 times as many as in the suite
	$(BIN)/python -m tests.warm
	THRESHER_FUZZ=$(TIMES) $(PYTEST) -p no:cacheprovider -m hypothesis tests

check: $(CHECK) ## Format, lint, types, layers, docstring examples
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest --doctest-modules src -q -p no:cacheprovider

format: $(CHECK) ## Rewrite the sources in the project's style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(TEST) ## Print speed ratios against scikit-learn and BorutaPy
	$(PIP) --group bench
	$(BIN)/python -m benchmarks

bench-peers: $(TEST) ## Compare with the peers, each in its own environment: hours; ARGS=--quick shows
	$(BIN)/python -m benchmarks.peers $(ARGS)

bench-real: $(TEST) ## Judge selections on real tables of a folder (THRESHER_DATA): hours; ARGS=--quick shows
	$(BIN)/python -m benchmarks.real $(ARGS)

docs: $(TEST) ## Build the documentation into docs/_build/html; warnings are errors
	$(PIP) --group docs
	$(BIN)/python -m sphinx -W --keep-going -q -j auto -b html docs docs/_build/html

clean: ## Remove the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis docs/_build docs/api
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
