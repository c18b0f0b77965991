# make demo   environment, install, real data, the main job
# make test   environment, install, the tests of an hour's work: fourteen minutes
# make test-all  the others: kills, clusters, long suites, the newest pandas; more than an hour
# make test-tools   dbt, SQLMesh, declarative pipelines, pyspark-client: those of test-all that need environments of their own
# make test-versions   the core tests on the older versions of Spark, each in an environment of its own
# make versions-table  the same on the newest too, and the table of docs/versions.md
# make dist            wheel and source distribution, checked
# make chaos  crash points, full disks, hostile tables, mutated statements, random queries: two hours, ARGS="--points 100 --hostile 0" for less
# make soak   five streams for an hour, and what they take: build/soak.svg; ARGS="--minutes 5" for less
# make bench | bench-quick   winsql beside Flink and Spark on this machine
# make docs   these pages as a site in build/site, links checked
# make environments   all that the tests install, which each target installs for itself: with -j2 it is done sooner
# make lint | types | clean
#
# PYTHON=python3.12 chooses the interpreter, ARGS="-k sessions" goes to pytest, ARGS=--help to the benchmark.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DATA   := data/.ready
# sqlglot with its compiled modules, which may come out some days after a release, and its lowest release, beside the
# environment's; these tests must pass on all
C_SQLGLOT := $(VENV)/compiled
LOWEST_SQLGLOT := $(VENV)/lowest-sqlglot
SQLGLOT_TESTS  := tests/syntax tests/test_golden.py
# the newest pandas that is allowed, beside the environment's, and the tests whose functions get frames
NEWEST_PANDAS := $(VENV)/newest-pandas
PANDAS_TESTS  := tests/columnar/test_broken_state.py tests/spark/test_window_joins.py::test_co_group \
    tests/spark/test_streams.py::test_clock_rows_apply_and_one_global_key tests/spark/test_errors.py
# dbt and SQLMesh, and Spark Connect's client without a JVM, for tests/tools
TOOLS  := $(VENV)/tools
CLIENT := $(VENV)/client
# the older versions of Spark that are supported, the newest patch of each; the newest version is in $(VENV)
SPARKS  ?= 4.0 4.1 4.2
RESULTS := $(VENV)/versions
# Spark's Java classes as a JVM has read and checked them: with this file those of the tests start in half the time, and
# without it they run too
CLASSES := $(VENV)/java-classes.jsa
# processes that run tests, each with a Spark session of its own; 0 runs them in the process of make
WORKERS ?= 2
# found anew for every recipe: the first one may have installed it
JAVA    = JAVA_HOME="$$(sh .ci/java-home.sh)" && export JAVA_HOME

.PHONY: environments demo test test-all test-tools run-tests test-sqlglot test-pandas test-versions versions-table run-versions dist docs chaos soak bench bench-quick lint types clean java
.DELETE_ON_ERROR:

environments: $(READY) $(C_SQLGLOT)/.ready $(LOWEST_SQLGLOT)/.ready $(NEWEST_PANDAS)/.ready $(TOOLS)/.ready $(CLIENT)/.ready
environments: $(SPARKS:%=$(VENV)/spark-%/.ready) $(CLASSES)

demo: java $(DATA)
	@$(JAVA) && $(BIN)/winsql -f examples/flights.sql
	@$(JAVA) && $(BIN)/winsql -f examples/flights_stream.sql

test: PART = not slow
test: java test-sqlglot run-tests

test-all: PART = slow
test-all: java $(TOOLS)/.ready $(CLIENT)/.ready test-pandas run-tests

test-tools: java $(READY) $(TOOLS)/.ready $(CLIENT)/.ready
	@$(JAVA) && $(BIN)/python -m pytest -q tests/tools

run-tests: $(READY) $(CLASSES)
	@$(JAVA) && $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "$(PART)" $(ARGS)

test-sqlglot: $(C_SQLGLOT)/.ready $(LOWEST_SQLGLOT)/.ready
	@PYTHONPATH=$(C_SQLGLOT) $(BIN)/python -c 'import sqlglot.parser as p; assert p.__file__.endswith((".so", ".pyd")), p'
	@PYTHONPATH=$(C_SQLGLOT) $(BIN)/python -m pytest -q -n $(WORKERS) -m "not spark" $(SQLGLOT_TESTS) tests/spellings/test_stream_plans.py
	@PYTHONPATH=$(LOWEST_SQLGLOT) $(BIN)/python -m pytest -q -n $(WORKERS) -m "not spark" -k "stream or cascades" $(SQLGLOT_TESTS)

docs: $(VENV)/.docs
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the pages are in build/site/index.html"

test-pandas: java $(NEWEST_PANDAS)/.ready
	@PYTHONPATH=$(NEWEST_PANDAS) $(BIN)/python -c 'import pandas; assert pandas.__version__.startswith("3."), pandas'
	@$(JAVA) && PYTHONPATH=$(NEWEST_PANDAS) $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --disable-warnings $(PANDAS_TESTS)

test-versions: run-versions
	@$(BIN)/python tests/versions check $(RESULTS)

versions-table: NEWEST = $(BIN)/python
versions-table: run-versions
	@$(BIN)/python tests/versions table $(RESULTS)

run-versions: java $(READY) $(SPARKS:%=$(VENV)/spark-%/.ready)
	@rm -rf $(RESULTS)
	@$(JAVA) && $(BIN)/python tests/versions all $(RESULTS) $(SPARKS:%=$(VENV)/spark-%/bin/python) $(NEWEST)

# the oldest Spark with the lowest releases that pyproject.toml allows, the others with the newest
$(VENV)/spark-4.0/.ready: LIBRARIES = "numpy==1.26.*" "pandas==2.2.0" "pyarrow==19.0.*" "sqlglot==30.8.0" \
    "grpcio==1.76.*" "grpcio-status==1.76.*" "googleapis-common-protos==1.71.*" "zstandard==0.25.*" "prompt_toolkit==3.0.40" "rich==13.0.*"
$(VENV)/spark-%/.ready: pyproject.toml
	@test -x $(@D)/bin/pip || $(PYTHON) -m venv $(@D) || { rm -rf $(@D); exit 1; }
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -e ".[test]" "pyspark==$*.*" $(LIBRARIES)
	@touch $@

$(TOOLS)/.ready: pyproject.toml
	@test -x $(@D)/bin/pip || $(PYTHON) -m venv $(@D) || { rm -rf $(@D); exit 1; }
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -e ".[spark,tools]"
	@touch $@

$(CLIENT)/.ready: pyproject.toml
	@test -x $(@D)/bin/pip || $(PYTHON) -m venv $(@D) || { rm -rf $(@D); exit 1; }
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -e ".[notebook]" pyspark-client
	@touch $@

dist: $(READY)
	@rm -rf dist
	$(BIN)/python -m build --no-isolation
	$(BIN)/python -m twine check --strict dist/*

chaos: java $(READY)
	@$(JAVA) && $(BIN)/python tests/chaos $(ARGS) 2>$(VENV)/chaos.log

soak: java $(READY)
	@$(JAVA) && $(BIN)/python tests/chaos/soak.py $(ARGS) 2>$(VENV)/soak.log

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
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "winsql needs Python 3.11 or newer, this is %s; try make PYTHON=python3.12" % sys.version.split()[0])'
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev,demo]"
	@touch $@

$(CLASSES): $(READY)
	@rm -f $@
	-@$(JAVA) && PYTHONPATH=tests $(BIN)/python tests/java_options.py >/dev/null 2>$(VENV)/java-classes.log

$(VENV)/.docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

$(C_SQLGLOT)/.ready: $(READY)
	@rm -rf $(C_SQLGLOT)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $(C_SQLGLOT) \
	    "$$($(BIN)/python -c 'from importlib.metadata import version; print("sqlglot[c]<=" + version("sqlglot"))')"
	@touch $@

$(LOWEST_SQLGLOT)/.ready: $(READY)
	@rm -rf $(LOWEST_SQLGLOT)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --target $(LOWEST_SQLGLOT) "sqlglot==30.8.0"
	@touch $@

$(NEWEST_PANDAS)/.ready: $(READY)
	@rm -rf $(NEWEST_PANDAS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $(NEWEST_PANDAS) "pandas==3.*"
	@touch $@

$(DATA): examples/prepare_flights.py | $(READY)
	$(BIN)/python examples/prepare_flights.py data
	@touch $@
