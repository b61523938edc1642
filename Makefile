# What a newcomer types. Every target sets up what it needs (once) and is safe to run again and to interrupt.
PYTHON ?= python3
RUN := scripts/run
ZULONG := $(RUN) zulong
TESTS ?=
# Tests that only compute run on all cores; those with processes and time limits run one at a time after them.
COMPUTING := test/agent/language test/agent/htn

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint up down status conformance bench soak build clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

setup: ## make .venv with everything in it and build the ROS interfaces (no root needed)
	@$(PYTHON) scripts/set_up.py

demo: setup ## bring everything up and do an errand (KEEP=1 leaves it running)
	@$(RUN) python -m zulong.cli.demo $(if $(filter 1,$(KEEP)),--keep)

test: lint ## lint, type check and run all tests (TESTS=path for a part)
ifeq ($(TESTS),)
	@$(RUN) python -m pytest -n auto --maxprocesses=4 --dist=worksteal $(COMPUTING)
	@$(RUN) python -m pytest $(COMPUTING:%=--ignore=%)
else
	@$(RUN) python -m pytest $(TESTS)
endif

lint: setup ## ruff, mypy and the interface linter
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(RUN) python scripts/lint_interfaces.py
	@$(RUN) mypy

up: setup ## bring every node up and supervise it until Ctrl-C
	@$(ZULONG) up $(ARGS)

down: setup ## take everything down
	@$(ZULONG) down

status: setup ## show the nodes and their states
	@$(ZULONG) status

conformance: setup ## run the conformance suites of the engines
	@$(RUN) python conformance/run.py
	@$(RUN) python conformance/checkpointers.py

bench: setup ## measure against the peers, JSON lines on standard output (QUICK=1; DATA=rhelm.tgz, GPSR=pairs.txt add two)
	@for each in stategraph memory agent; do \
	    echo "== bench/$$each.py" >&2; $(RUN) python bench/$$each.py $(if $(filter 1,$(QUICK)),--quick) || exit 1; done
	@$(if $(DATA),$(RUN) python bench/recall_quality.py $(DATA))
	@$(if $(GPSR),$(RUN) python bench/understanding.py $(GPSR))

soak: setup ## run the slow tests and a simulated year of memory (prints the curve, draws docs/memory-soak.svg)
	@$(RUN) python bench/memory_soak.py --plot docs/memory-soak.svg
	@$(RUN) python -m pytest -m slow

build: setup ## build the interfaces and a wheel of the engines
	@$(RUN) python -m pip wheel -q --no-deps -w dist . && ls dist

clean: ## remove what the targets made (.venv, .state, build outputs)
	rm -rf .venv .state build install log dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
