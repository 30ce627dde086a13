# make run    the app on http://localhost:8501
# make class  the same for pupils in this machine's network, at the address that it prints
# make tiny   a real, small language model for the app and the tests, 127 MB
# make check  for every edit: lint, types, and the quick tests
# make test   every check and test
# make lock   the versions and hashes of what the container installs, anew
# make soak   260,000 damaged files, which every reader reads or refuses in words
# make reliability  what comes of faulty servers and databases, into docs/reliability.md
# make recordings  applications of four frameworks, recorded in environments of their own
# make bench  ours beside llama-index-core
# make bench-bounds  how tight the bounds of a plan are, over 10,000 random runs
# make bench-history  what saving runs and finding them costs
# make bench-bill  what plans say that questions cost, beside what servers with caches bill
# make bench-facts  how many facts the offline model's answers hold, mode by mode
# make bench-page  how long the page takes to follow an edit, in Chromium
# make bench-load  how many people a server holds, and two of them, over their websockets
# make bench-receive  1,000 spans a second from an application, and what sending costs it
# make bench-beside  what others see beside hostile visitors and files, into docs/reliability.md
# make bench-tokenizers  plans with families' tokenizers beside cl100k_base, into docs/speed.md
# make bench-memory  whether memory levels off while people come and go, into docs/reliability.md
# Each sets up what it needs in .venv first.

PYTHON ?= python3
BIN := .venv/bin

# Else every process of the tests compiles all modules and test files anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run class tiny lint check test lock soak reliability recordings bench bench-bounds bench-bill bench-facts \
	bench-page bench-load bench-receive bench-history bench-beside bench-tokenizers bench-memory

run: .venv/installed
	SYNTH_OWN_MACHINE=1 $(BIN)/streamlit run server.py --server.address 127.0.0.1 --server.headless true

class: .venv/installed
	$(BIN)/synth app --class

tiny: .venv/installed
	scripts/tiny_model.sh $(BIN)/python

lint: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/biome check --error-on-warnings ui synth
	$(BIN)/mypy

check: lint
	$(BIN)/python -m pytest -n logical tests --ignore tests/browser --ignore tests/connections -m "not slow" \
		--hypothesis-profile check

test: lint .venv/wheel
	scripts/chromium.sh $(BIN)/python
	scripts/haproxy.sh
	scripts/tiny_model.sh $(BIN)/python
	scripts/tokenizers.sh
	$(BIN)/python -m pytest -n auto --dist worksteal

lock: .venv/installed-dev
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
		--no-annotate --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make lock" --extra hosting pyproject.toml -o requirements.lock

soak: .venv/installed-dev
	$(BIN)/python -m pytest -n logical tests/soak --hypothesis-profile deep

reliability: .venv/installed-dev
	$(BIN)/python -m tests.llms.reliability
	$(BIN)/python -m tests.ui.store.troubles

recordings: .venv/installed-dev
	$(BIN)/python -m tests.traces.recordings make

bench: .venv/installed-dev
	$(BIN)/python -m benchmarks.packing

bench-bounds: .venv/installed-dev
	$(BIN)/python -m benchmarks.bounds

bench-history: .venv/installed-dev
	$(BIN)/python -m benchmarks.history

bench-bill: .venv/installed-dev
	$(BIN)/python -m benchmarks.bill

bench-facts: .venv/installed-dev
	$(BIN)/python -m benchmarks.facts

bench-page: .venv/installed-dev
	scripts/chromium.sh $(BIN)/python
	$(BIN)/python -m benchmarks.page

bench-load: .venv/installed-dev
	scripts/haproxy.sh
	$(BIN)/python -m benchmarks.load

bench-receive: .venv/installed-dev
	$(BIN)/python -m benchmarks.receive

bench-beside: .venv/installed-dev
	scripts/chromium.sh $(BIN)/python
	$(BIN)/python -m benchmarks.beside

bench-tokenizers: .venv/installed-dev
	scripts/tokenizers.sh
	$(BIN)/python -m benchmarks.tokenizers

bench-memory: .venv/installed-dev
	$(BIN)/python -m benchmarks.memory

# The wheel is tried again once something has changed of what is in it, or of its examples.
.venv/wheel: .venv/installed-dev $(shell find app.py server.py pages synth ui pyproject.toml README.md \
		docs/library.md scripts/wheel.sh tests/page_examples.py -not -path '*__pycache__*')
	scripts/wheel.sh $(BIN)/python
	touch $@

.venv/installed: requirements.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

.venv/installed-dev: requirements-dev.txt requirements.txt pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "This needs Python 3.11 or later: make PYTHON=python3.12, say." >&2; exit 1; }
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }
