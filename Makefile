# The commands of this project; `make` alone lists them. Everything they need they set up
# themselves, and nothing they make lies outside build/.

SHELL := /bin/bash
JOBS ?= $(shell nproc)
LIMIT ?= 10
FUZZ_SECONDS ?= 60
ISOLATION_SECONDS ?= 120
TWIN_SCRIPTS ?= 5000000
TWIN_SEED ?= 1000000
LIMITS_TAKES ?= 2000000

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-asan test-tsan isolation-long twin-long limits-long pictures fuzz-setup fuzz bench \
  compare-setup compare-build bench-compare bench-latency bench-connections bench-limits lint format clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-17s %s\n", $$1, $$2}' Makefile

setup: ## install the Debian packages that are missing (elsewhere: name them)
	@scripts/dev/setup.sh

# Ninja configures again by itself when a CMakeLists.txt changes, but knows nothing of presets.
build/%/build.ninja: CMakePresets.json | setup
	cmake --preset $*

build: setup build/release/build.ninja ## build everything into build/release
	cmake --build --preset release -j $(JOBS)

demo: setup build/release/build.ninja ## start a node and run the recipes over TCP (LIMIT=10)
	cmake --build --preset release -j $(JOBS) --target palenad palena palena-bench
	@LIMIT=$(LIMIT) scripts/demo.sh

# Some tests need programs that nothing built needs: packages_test.txt.
.PHONY: test-setup
test-setup: setup
	@scripts/dev/setup.sh packages_test.txt

test: setup test-setup lint build ## lint, build and run every test
	ctest --preset release -j2

test-asan: setup test-setup build/asan/build.ninja ## the tests under address and undefined sanitizers
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j2

test-tsan: setup test-setup build/tsan/build.ninja ## the tests under the thread sanitizer
	cmake --build --preset tsan -j $(JOBS)
	ctest --preset tsan -j2

isolation-long: setup build/release/build.ninja ## isolation and fairness under load, ISOLATION_SECONDS=120 each
	cmake --build --preset release -j $(JOBS) --target isolation_test
	@ISOLATION_SECONDS=$(ISOLATION_SECONDS) scripts/dev/isolation.sh

twin-long: setup build/release/build.ninja ## random scripts through engine and twin, TWIN_SCRIPTS=5000000
	cmake --build --preset release -j $(JOBS) --target twin_stories
	build/release/bin/twin_stories --scripts $(TWIN_SCRIPTS) --seed $(TWIN_SEED)

limits-long: setup build/release/build.ninja ## random calls of each limiter beside its model, LIMITS_TAKES=2000000
	cmake --build --preset release -j $(JOBS) --target limits_test
	LIMITS_TAKES=$(LIMITS_TAKES) build/release/bin/limits_test

pictures: setup build/release/build.ninja ## draw docs/pictures anew, from runs of the limiters
	cmake --build --preset release -j $(JOBS) --target limit_pictures
	build/release/bin/limit_pictures

# Fuzzing needs clang: packages_fuzz.txt, for this target only.
fuzz-setup: setup
	@scripts/dev/setup.sh packages_fuzz.txt

build/fuzz/build.ninja: | fuzz-setup

fuzz: build/fuzz/build.ninja ## look for inputs that break a promise (FUZZ_SECONDS=60 a target)
	cmake --build --preset fuzz -j $(JOBS) --target fuzz_targets
	@FUZZ_SECONDS=$(FUZZ_SECONDS) scripts/dev/fuzz.sh

bench: build ## run the benchmarks and print the end-to-end table
	scripts/dev/bench.sh

# The comparison needs Redis: packages_compare.txt, for these targets only.
compare-setup: setup
	@scripts/dev/setup.sh packages_compare.txt

compare-build: compare-setup build/release/build.ninja
	cmake --build --preset release -j $(JOBS) --target palenad palena-bench

bench-compare: compare-build ## compare with Redis: depths 1, 16, 64 (about 7 minutes)
	scripts/dev/bench_compare.py

bench-latency: compare-build ## the same, latency of an open loop at half the peak
	scripts/dev/bench_compare.py --latency

bench-connections: compare-build ## the same, 1 to 10,000 connections
	scripts/dev/bench_compare.py --connections

bench-limits: setup build/release/build.ninja ## each limiter over TCP beside the seed's recipe, depths 1 and 16
	cmake --build --preset release -j $(JOBS) --target palenad palena-bench limits_bench
	build/release/bin/limits_bench --benchmark_min_time=0.2
	scripts/dev/bench_limits.py

# wrk: packages_bench.txt, for this target only.
.PHONY: bench-http-setup bench-http
bench-http-setup: setup
	@scripts/dev/setup.sh packages_bench.txt

bench-http: bench-http-setup build/release/build.ninja ## takes over HTTP beside the native protocol
	cmake --build --preset release -j $(JOBS) --target palenad palena-bench
	scripts/dev/bench_http.py

lint: setup ## check format, layers, sizes and documents
	scripts/dev/lint.sh

format: setup ## format the sources in place
	scripts/dev/clang_format.sh -i

clean: ## remove everything built
	rm -rf build
