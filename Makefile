# make demo   environment, install, real data, the main job
# make test   environment, install, all tests
# make bench | bench-quick   winsql beside Flink and Spark on this machine
# make docs   these pages as a site in build/site, links checked
# make lint | types | clean
#
# PYTHON=python3.12 chooses the interpreter, ARGS="-k sessions" goes to pytest, ARGS=--help to the benchmark.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DATA   := data/.ready
# sqlglot with its compiled modules, and its lowest release, beside the environment's; these tests must pass on all
C_SQLGLOT := $(VENV)/compiled
LOWEST_SQLGLOT := $(VENV)/lowest-sqlglot
SQLGLOT_TESTS  := tests/syntax tests/test_golden.py
# processes that run tests, each with a Spark session of its own; 0 runs them in the process of make
WORKERS ?= 2
# found anew for every recipe: the first one may have installed it
JAVA    = JAVA_HOME="$$(sh .ci/java-home.sh)" && export JAVA_HOME

.PHONY: demo test test-sqlglot docs bench bench-quick lint types clean java
.DELETE_ON_ERROR:

demo: java $(DATA)
	@$(JAVA) && $(BIN)/winsql -f examples/flights.sql
	@$(JAVA) && $(BIN)/winsql -f examples/flights_stream.sql

test: java test-sqlglot
	@$(JAVA) && $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(ARGS)

test-sqlglot: $(C_SQLGLOT)/.ready $(LOWEST_SQLGLOT)/.ready
	@PYTHONPATH=$(C_SQLGLOT) $(BIN)/python -c 'import sqlglot.parser as p; assert p.__file__.endswith((".so", ".pyd")), p'
	@PYTHONPATH=$(C_SQLGLOT) $(BIN)/python -m pytest -q -m "not spark" $(SQLGLOT_TESTS)
	@PYTHONPATH=$(LOWEST_SQLGLOT) $(BIN)/python -m pytest -q -m "not spark" -k "stream or cascades" $(SQLGLOT_TESTS)

docs: $(VENV)/.docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the pages are in build/site/index.html"

bench: java $(READY)
	@$(JAVA) && $(BIN)/python tests/bench $(ARGS)

bench-quick: java $(READY)
	@$(JAVA) && $(BIN)/python tests/bench --quick $(ARGS)

java:  # first of all, so that a missing one is said before anything is downloaded
	@sh .ci/java-home.sh >/dev/null

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

clean:
	rm -rf $(VENV) data build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "winsql: PySpark 4.3 needs Python 3.11 or newer, this is %s; try make PYTHON=python3.12" % sys.version.split()[0])'
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev,demo]"
	@touch $@

$(VENV)/.docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

$(C_SQLGLOT)/.ready: $(READY)
	@rm -rf $(C_SQLGLOT)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $(C_SQLGLOT) \
	    "$$($(BIN)/python -c 'from importlib.metadata import version; print("sqlglot[c]==" + version("sqlglot"))')"
	@touch $@

$(LOWEST_SQLGLOT)/.ready: $(READY)
	@rm -rf $(LOWEST_SQLGLOT)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $(LOWEST_SQLGLOT) "sqlglot==30.8.0"
	@touch $@

$(DATA): examples/prepare_flights.py | $(READY)
	$(BIN)/python examples/prepare_flights.py data
	@touch $@
