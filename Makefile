# Every target is a script in .ci/; run them directly for more options.
.DEFAULT_GOAL := help
.PHONY: build test test-python test-race test-long lint generate bench balance train fuzz golden signature clean ci help

build: ## bin/myriant, with vector code where the toolchain has it
	@bash .ci/build

test: ## all tests
	@bash .ci/test

test-python: ## the Python package: its wheel, installed in clean environments, and all suites there
	@bash .ci/python

test-race: ## packages with goroutines, under the race detector
	@bash .ci/test race

test-long: ## the long versions of the suites, then long fuzzing (hours)
	@bash .ci/test long
	@bash .ci/fuzz 2m

lint: ## gofmt, go vet, golangci-lint and the import rules
	@bash .ci/check

generate: ## write the generated files again and tell whether they changed
	@bash .ci/generate

abi: ## the shared library, used from C
	@bash .ci/abi

bench: ## Go benchmarks, n=10, into bench/results
	@bash .ci/bench

balance: ## Formica's balance gates, some thousand games
	@bash .ci/balance

train: ## the PPO example of the Python package, a quarter of an hour
	@bash .ci/train $(ARGS)

fuzz: ## every fuzz target for 20 s
	@bash .ci/fuzz 20s

golden: ## the golden files, with how many were checked
	@bash .ci/golden

signature: ## the behaviour signature of every rule set
	@bash .ci/signature

clean: ## what builds and tests left in the tree
	@bash .ci/clean

ci: ## everything that CI runs
	@bash .ci/run

help: ## this list
	@bash .ci/help
