# Two commands do all the set-up: `make demo` shows the main job (with the extras that the live page and PDF need),
# `make test` runs every test.
# A make inside a make would otherwise say so among what the demo shows.
MAKEFLAGS += --no-print-directory
PYTHON ?= python3
BIN := .venv/bin
DEMO := out/demo
INSTALLED := .venv/installed
TESTED := .venv/installed-for-tests

.PHONY: demo demo-only test check fuzz lint elasticsearch containers reproduce clean

demo: $(INSTALLED) demo-only

demo-only:
	@echo "1. Index a sample textbook and its glossary (41 paragraphs): $(DEMO)/index"
	@$(BIN)/classical-qa index textbook samples/textbook-en.jsonl --terms samples/glossary-en.csv --index $(DEMO)/index
	@echo; echo "2. Answer a sample exam (20 questions): $(DEMO)/run.xml, with the evidence in $(DEMO)/trace.jsonl"
	@$(BIN)/classical-qa answer ntcir-mc samples/sample-exam-en.xml --index $(DEMO)/index \
		-o $(DEMO)/run.xml --trace $(DEMO)/trace.jsonl
	@echo; echo "3. Score it: all, and by shape of question"
	@$(BIN)/classical-qa evaluate ntcir-mc samples/sample-exam-en.gold.xml $(DEMO)/run.xml \
		--trace $(DEMO)/trace.jsonl --by shape
	@echo; echo "4. Ask the book a question"
	@$(BIN)/classical-qa ask "In which town did Shah Jahan build the Taj Mahal?" --index $(DEMO)/index
	@echo; echo "5. See why every question was answered so: $(DEMO)/report.html"
	@$(BIN)/classical-qa evaluate report ntcir-mc samples/sample-exam-en.gold.xml $(DEMO)/run.xml \
		--trace $(DEMO)/trace.jsonl -o $(DEMO)/report.html
	@echo; echo "6. Find the wrong key of a quiz: $(DEMO)/check.html"
	@$(BIN)/classical-qa check-quiz samples/quiz-en.txt --index $(DEMO)/index -o $(DEMO)/check.html
	@echo; echo "Open $(DEMO)/check.html and $(DEMO)/report.html in a browser."
	@echo; echo "Next: source .venv/bin/activate, then check a quiz against its book, as README.md says."

test: $(TESTED) lint
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

# What needs no server, no browser and no process: two minutes on two cores.
check: $(TESTED) lint
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not server and not browser and not process"

# Changed inputs for every reader and every command (docs/operators.md); `make fuzz SEED=1` makes others.
fuzz: $(TESTED)
	$(BIN)/python -m tests.fuzz.run --count 200000 --seed $(or $(SEED),0)

# The published collections' figures again, from the data in $QA_DATA: docs/reproduction.md.
reproduce: $(TESTED)
	$(BIN)/python benchmarks/reproduce.py

lint: $(TESTED)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# A real Elasticsearch without Docker: Elastic's minimal server from Maven Central (needs Java 17 and Maven);
# `make elasticsearch PORT=9300` listens to another port.
elasticsearch: $(TESTED)
	@$(BIN)/python -m tests.server --port $(or $(PORT),9200)

# The three documented ways with Docker, really run (docs/engines.md); needs a daemon and Compose 2.
containers: $(TESTED)
	CLASSICAL_QA_CONTAINERS=1 $(BIN)/python -m pytest tests/test_containers.py

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12 …")'
	@echo "Installing into .venv (once; a minute or two) …"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[web,documents,pdf,ir-measures]'
	touch $@

# Errors alone: repro_eval asks for an extra that ir-measures no longer has, and pip warns of it.
$(TESTED): $(INSTALLED)
	$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

clean:
	rm -rf .venv out build *.egg-info
