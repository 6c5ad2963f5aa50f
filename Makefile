# Every target sets up what it needs first; `make demo` and `make test` work on a fresh machine.
.PHONY: demo test test-fast test-room test-all test-mysql test-matrix nightly fuzz bench bench-check soak soak-cutover lint \
	changelog changelog-check dist docs sbom lock setup clean

demo: setup ## the main job from nothing to the verdict; DEMO_SECONDS and DEMO_ORDERS change its size, DEMO_RESCALE=1 adds the next migration
	@.venv/bin/python examples/shop/demo.py

test: setup ## all checks and the test suite, a third of the tests marked in_turn; PYTEST_ARGS="-k name" for a part
	@.ci/test $(PYTEST_ARGS)

test-fast: setup ## the tests that need neither a server nor Spark, and no checks
	@.ci/test --fast $(PYTEST_ARGS)

test-room: setup ## the tests that the page of a room names: ROOM=runtime/mysql; PYTEST_ARGS as for test
	@tests=$$(.venv/bin/python -m tests.rooms $(ROOM)) && .venv/bin/python -m pytest -m "not long" $$tests $(PYTEST_ARGS)

test-all: setup ## the tests that take many minutes each, too; then the demo
	@SHARDWRIGHT_FUZZ_EXAMPLES=$${SHARDWRIGHT_FUZZ_EXAMPLES:-200} .ci/test --all $(PYTEST_ARGS)
	@$(MAKE) --no-print-directory demo

test-mysql: setup ## the tests that need a server, on MySQL 9.7 instead of MariaDB; fetched once a machine
	@server=$$(tests/servers/fetch_server mysql-9.7) && SHARDWRIGHT_SERVER=$$server .ci/test --servers $(PYTEST_ARGS)

nightly: setup ## random statements at the source against a run; ROUNDS (500), SHARDWRIGHT_SEED repeats, SHARDWRIGHT_SERVER as for test-mysql
	@SHARDWRIGHT_ROUNDS=$${ROUNDS:-500} .venv/bin/python -m pytest -s -p no:xdist tests/field/test_random_statements.py

fuzz: setup ## hostile specs and schemas for the compiler, spoiled logs and messages for the stream; SHARDWRIGHT_FUZZ_EXAMPLES (10000), FUZZ_SEED repeats a run
	@seed=$${FUZZ_SEED:-$$(date +%s)}; echo "seed $$seed: repeat with FUZZ_SEED=$$seed make fuzz"; \
	SHARDWRIGHT_FUZZ_EXAMPLES=$${SHARDWRIGHT_FUZZ_EXAMPLES:-10000} .venv/bin/python -m pytest -q tests/fuzz --hypothesis-seed=$$seed

bench: setup ## the benchmarks and what they compare with; ROUNDS (5); JSON files in .build/bench; results belong in tests/bench/results
	@.ci/setup --bench
	@.venv/bin/python tests/bench/run.py --rounds $${ROUNDS:-5}

bench-check: setup ## the short benchmarks; fails when a ratio is above its limit in tests/bench/limits.yaml. ONLY=compile,copy for some
	@.venv/bin/python -m tests.bench.check $${ONLY:+--only $$ONLY}

soak: setup ## an hour of 1,000 rows/s; fails when memory grows. DURATION (seconds) changes it
	@.venv/bin/python -m tests.bench.stream.steady --soak --warm 60 --seconds $${DURATION:-3600}

soak-cutover: setup ## cutovers and rollbacks while all parts are killed, on both kinds of server; DURATION (180 s) a seed, SEEDS (10)
	@export SHARDWRIGHT_SOAK_SECONDS=$${DURATION:-180} SHARDWRIGHT_SOAK_SEEDS=$${SEEDS:-10} && \
	.venv/bin/python -m pytest -s -p no:xdist tests/cutover/test_soak.py && \
	server=$$(tests/servers/fetch_server mysql-9.7) && \
	SHARDWRIGHT_SERVER=$$server .venv/bin/python -m pytest -s -p no:xdist tests/cutover/test_soak.py

test-matrix: setup ## the main job, kills, types, DDL, cutovers, way back and verify on MariaDB 10.5, 10.11, 11.8 and MySQL 9.7
	@.ci/matrix $(PYTEST_ARGS)

lint: setup ## the checks without the tests
	@.ci/test --lint-only

changelog: setup ## what the next release would say of the files in changelog.d
	@.venv/bin/towncrier build --draft 2>/dev/null

changelog-check: setup ## does this branch bring a file of changelog.d? BASE (origin/main) is the branch that it is merged into
	@.ci/changelog $${BASE:-origin/main}

dist: setup ## the sdist, and the wheel that is built from it, in dist/
	@.venv/bin/python -m build --no-isolation --outdir dist . >/dev/null && ls dist

docs: setup ## the pages of docs/ as a site with a search, in .build/site: open its index.html
	@NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --strict && echo .build/site/index.html

sbom: setup ## what is installed, with hashes, licences and Spark's jars: CycloneDX in .build/sbom.json
	@mkdir -p .build && .venv/bin/python .ci/sbom .build/sbom.json && echo .build/sbom.json

lock: ## new versions into requirements.lock
	@.ci/lock

setup:
	@.ci/setup

clean: ## everything that was made here, .venv included
	@rm -rf .venv dist .build build shardwright.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
