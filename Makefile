# Needs Python 3.11+, git and make; everything else goes into .venv by itself.

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
CALLGRADE := $(BIN)/callgrade

DEMO ?= $(CALLGRADE) grade examples/returns/attempts --gold examples/returns/cases.jsonl \
	--tools examples/returns/tools.json --out demo-run --overwrite
BENCH ?= $(BIN)/python -m benchmarks
SELECT ?= not slow
PYTEST_ARGS ?=
PYTHONS := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)
COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-annotate --upgrade \
	--custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help demo test lint bench lock clean venv

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-6s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(STAMP) ## grade the example set and print the result
	$(DEMO)

test: $(STAMP) ## the fast suite
	$(BIN)/pytest -q -m "$(SELECT)" $(PYTEST_ARGS)

lint: $(STAMP) ## style, types, floors
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright --warnings
	$(BIN)/lint-imports

bench: $(STAMP) ## speed and accuracy
	$(BENCH)

lock: $(STAMP) ## renew both lock files from pyproject.toml
	$(COMPILE) --group dev --output-file requirements.lock
	$(COMPILE) --group test --resolution lowest-direct --output-file requirements-lowest.lock

clean: ## remove what was built, .venv included
	rm -rf $(VENV) build dist demo-run .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

venv: $(STAMP) ## set up .venv (the other targets do it by themselves)

$(STAMP): requirements.lock pyproject.toml
	@for python in $(PYTHONS); do \
		if $$python -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; \
		then exec $$python -m venv --clear $(VENV); fi; done; \
	echo "make: no Python 3.11 or newer with its venv module found: install one" \
		"(Debian: apt-get install python3 python3-venv) or name it: make PYTHON=/path/to/python3" >&2; exit 1
	$(BIN)/pip install -qq --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
