# SPDX-License-Identifier: Apache-2.0
# One spelling for people and CI over the presets of CMakePresets.json. `make run` and `make test` work alone
# on a fresh Debian 12: they install what is missing (tools/packages.txt), build, and run.

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
export FUZZ_SECONDS

# $(call build,PRESET,TARGET): configures when needed (cmake does nothing otherwise) and builds.
build = cmake --preset $(1) >/dev/null && cmake --build --preset $(1) -j $(JOBS) --target $(2)

.PHONY: help deps build run test test-long test-uml check bench bench-peers asan tsan fuzz fmt install clean

help:
	@echo "make run       build, then measure AES-128-CBC on the loopback device"
	@echo "make test      build, then run all tests but those of User Mode Linux"
	@echo "make test-long a million operations in place of 100,000 in the long runs"
	@echo "make test-uml  build the User Mode Linux kernel (minutes, once), then run its tests"
	@echo "make check     format, layers, headers, warnings with two compilers, clang-tidy, shellcheck"
	@echo "make bench-peers  sealaned beside DPDK's example, which it builds from Debian packages"
	@echo "make asan, make tsan, make fuzz, make bench"
	@echo "make deps, make build, make fmt, make install, make clean"

deps:
	@tools/deps.sh

build:
	@tools/deps.sh build
	$(call build,release,all)

run:
	@tools/deps.sh build
	$(call build,release,sealane)
	build/release/bin/sealane speed --algo aes-128-cbc --sizes 16,64,256,1024,4096,16384,65536 \
	  --seconds 1 --compare evp

test:
	@tools/deps.sh build test
	$(call build,release,all)
	tools/run_tests.sh release -LE uml

test-long:
	@tools/deps.sh build test
	$(call build,release,all)
	SEALANE_ENDURANCE_OPS=1000000 build/release/tests/loopback_test --gtest_filter='Endurance.*'

test-uml:
	@tools/deps.sh build test uml
	$(call build,release,all)
	tools/build_uml.sh build/cache
	tools/run_tests.sh release -L uml

check:
	@tools/deps.sh build check
	tools/check.sh

bench:
	@tools/deps.sh build
	$(call build,release,all)
	tools/bench.sh

bench-peers:
	@tools/deps.sh build peers
	$(call build,release,bench_peers sealaned)
	tools/build_dpdk_peer.sh build/cache
	build/release/peers/bench_peers

asan:
	@tools/deps.sh build check test
	$(call build,asan,all)
	tools/run_tests.sh asan -L '^(unit|faults|fuzz|loopback)$$'

tsan:
	@tools/deps.sh build check test
	$(call build,tsan,tests_unit tests_loopback sealane sealaned)
	tools/run_tests.sh tsan -L '^(unit|loopback)$$'

fuzz:
	@tools/deps.sh build check
	$(call build,fuzz,all)
	tools/fuzz.sh

fmt:
	@tools/deps.sh check
	tools/check_format.sh --fix

install: build
	cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build
