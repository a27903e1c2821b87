#!/usr/bin/env bash
# The isolation and fairness suite in its long form: each load in rounds, with other seeds and other
# options of the node, for ISOLATION_SECONDS (120); each fairness test for 20 s. With the usual capacities first,
# then once more in hostile mode. ISOLATION_FILTER picks tests as --gtest_filter does; ISOLATION_BUILD
# another build than release. Fails when a round fails, and says which one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

program=build/${ISOLATION_BUILD:-release}/bin/isolation_test
export ISOLATION_SECONDS=${ISOLATION_SECONDS:-120}
export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp"
"$program" --gtest_filter="${ISOLATION_FILTER:-*}"
echo "isolation: once more, in hostile mode"
PALENA_HOSTILE=1 "$program" --gtest_filter="${ISOLATION_FILTER:-*}"
