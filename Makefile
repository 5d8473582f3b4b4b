# `make demo` and `make test` need nothing but Python 3.11 or newer.
PYTHON ?= python3
EXTRAS ?= dev,gemma,train,report,corpus,cluster,study,logic,russian,japanese
BIN := .venv/bin
comma := ,
# Tests start Python many times: what it has compiled is kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=
NEEDS_TORCH := $(filter models gemma train all,$(subst $(comma), ,$(EXTRAS)))

.PHONY: demo test check docs bench clean

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Winoglot needs Python 3.11 or newer; say which with: make PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv .venv
	$(if $(NEEDS_TORCH),$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt torch)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[$(EXTRAS)]"
	touch $@

demo: .venv/ready ## A small model, as it is and fine-tuned, on a sample of the bundled collections, in about a minute: demo/report.html
	$(BIN)/winoglot demo

# Slow tests wait much of the time, for a browser, a server or a process that is to be killed: three at a time on two cores.
test: .venv/ready ## The tests, in a few minutes; with SLOW=1, also those that need a browser, a server or minutes
	$(BIN)/python -m pytest -n $(if $(SLOW),3 -m '',2) --dist worksteal -q

check: .venv/ready ## Lint, types, order of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/ready ## The documentation site, in site/
	$(BIN)/winoglot export winoglot-en winoglot-pt winoglot-fr winoglot-zh --to html -o docs/winoglot-collection.html --force
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: .venv/ready ## Every figure the documentation quotes
	for script in benchmarks/*.py; do $(BIN)/python $$script || exit 1; done

clean:
	rm -rf .venv site build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
