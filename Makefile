# Two commands do all the set-up: `make demo` shows the main job, `make test` runs every test.
PYTHON ?= python3
BIN := .venv/bin
DEMO := demo
INSTALLED := .venv/installed
TESTED := .venv/installed-for-tests

.PHONY: demo demo-only test lint elasticsearch clean

demo: $(INSTALLED) demo-only

demo-only:
	$(BIN)/python -m indexer textbook samples/textbook-en.jsonl --index $(DEMO)/textbook-en
	$(BIN)/python -m answerer ntcir-mc samples/sample-exam-en.xml --index $(DEMO)/textbook-en \
		-o $(DEMO)/run.xml --trace $(DEMO)/trace.jsonl
	$(BIN)/python -m evaluation ntcir-mc samples/sample-exam-en.gold.xml $(DEMO)/run.xml --trace $(DEMO)/trace.jsonl

test: $(TESTED) lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: $(TESTED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A real Elasticsearch without Docker: Elastic's minimal server from Maven Central (needs Java 17 and Maven).
elasticsearch: $(TESTED)
	$(BIN)/python -m tests.server

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(TESTED): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test,lambdamart]'
	touch $@

clean:
	rm -rf .venv $(DEMO) build *.egg-info
