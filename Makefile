# One word for each thing that is done often. Uses the active environment, else .venv, which `make install` makes.

ifndef VIRTUAL_ENV
export VIRTUAL_ENV := $(CURDIR)/.venv
export PATH := $(VIRTUAL_ENV)/bin:$(PATH)
endif

.DEFAULT_GOAL := help
.PHONY: help install check test coverage update bench clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: ## install the project, editable, with all that development needs
	bash .ci/run --install

check: ## everything that CI checks
	bash .ci/run --no-install

test: ## the tests, without the slow ones
	pytest -n auto

coverage: ## the tests in one process, with a report of what they do not reach
	coverage run -m pytest
	coverage report

update: ## write golden files anew; read the diff before committing it
	GDL_UPDATE=1 pytest -n auto

bench: ## ratios against peers
	"$(VIRTUAL_ENV)/bin/python" -m pip install --quiet -c constraints.txt -e '.[bench]'
	"$(VIRTUAL_ENV)/bin/python" -m benchmarks.run

clean: ## remove caches and build output
	rm -rf build dist .coverage htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache .grimp_cache .import_linter_cache
	find gdl interpreter validators tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
