#!/usr/bin/env bash
# Installs a build under a fresh prefix, builds examples/embedded against it as an outsider would,
# with nothing of this tree in sight but the prefix, and runs what comes out.
#   install_test.sh BUILD_DIR SOURCE_DIR VERSION
set -euo pipefail
build=$1 source=$2 version=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

fail() {
  echo "install: $1" >&2
  exit 1
}
expect() { # what it is, what it should be
  [[ $1 == "$2" ]] || fail "expected: $2"$'\n'"got: $1"
}
configure() { # arguments of cmake
  cmake -S "$scratch/example" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" "$@"
}

cmake --install "$build" --prefix "$prefix" >"$scratch/log" || fail "$(cat "$scratch/log")"
cp -r "$source/examples/embedded" "$scratch/example"
expect "$(ls "$prefix/include")" palena
for program in palenad palena palena-bench; do
  "$prefix/bin/$program" --help >"$scratch/log" || fail "$program: $(cat "$scratch/log")"
done

configure >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
cmake --build "$scratch/build" >"$scratch/log" || fail "$(cat "$scratch/log")"
expect "$("$scratch/build/rate_limiter")" 'ada: allowed
ada: allowed
bob: allowed
ada: allowed
ada: refused
bob: allowed'

# The package knows its version, and refuses to stand in for another.
grep -q "PACKAGE_VERSION \"$version\"" "$prefix"/lib*/cmake/palena/palenaConfigVersion.cmake \
  "$prefix"/lib/*/cmake/palena/palenaConfigVersion.cmake 2>/dev/null || fail "is not version $version"
sed -i 's/find_package(palena [0-9.]*/find_package(palena 99.0/' "$scratch/example/CMakeLists.txt"
if configure >"$scratch/log" 2>&1; then fail "version 99.0 was found"; fi
echo "installed, found, built and run: palena $version"
