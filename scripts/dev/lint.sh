#!/usr/bin/env bash
# Every check that needs no build: format, then the project checks, which ctest runs too. All of
# them run, so that one look shows everything that is wrong; fails when one failed.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

failed=0
check() {
  echo "lint: $1"
  "${@:2}" || failed=1
}

check "format" scripts/dev/clang_format.sh --dry-run --Werror
for script in tests/project/check_*.py; do
  check "$(basename "$script" .py)" python3 -B "$script"
done
if [[ $failed -ne 0 ]]; then echo "lint: failed" >&2; fi
exit $failed
