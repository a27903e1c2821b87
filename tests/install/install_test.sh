#!/usr/bin/env bash
# Installs a build under a fresh prefix, builds examples/embedded and examples/client against it as
# an outsider would, with nothing of this tree in sight but the prefix, and runs what comes out: the
# client against the installed palenad.
#   install_test.sh BUILD_DIR SOURCE_DIR VERSION
set -euo pipefail
build=$1 source=$2 version=$3
scratch=$(mktemp -d)
node=
trap '[[ -z $node ]] || { kill "$node" && wait "$node"; }; rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

fail() {
  echo "install: $1" >&2
  exit 1
}
expect() { # what it is, what it should be
  [[ $1 == "$2" ]] || fail "expected: $2"$'\n'"got: $1"
}
configure() { # example
  cmake -S "$scratch/$1" -B "$scratch/build/$1" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
}
build_example() { # example
  cp -r "$source/examples/$1" "$scratch/$1"
  configure "$1" >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
  cmake --build "$scratch/build/$1" >"$scratch/log" || fail "$(cat "$scratch/log")"
}

cmake --install "$build" --prefix "$prefix" >"$scratch/log" || fail "$(cat "$scratch/log")"
expect "$(ls "$prefix/include")" palena
for program in palenad palena palena-bench; do
  "$prefix/bin/$program" --help >"$scratch/log" || fail "$program: $(cat "$scratch/log")"
done

build_example embedded
expect "$("$scratch/build/embedded/rate_limiter")" 'ada: allowed
ada: allowed
bob: allowed
ada: allowed
ada: refused
bob: allowed'
expect "$("$scratch/build/embedded/two_limits")" "ada: allowed
ada: allowed
ada: refused by the user's limit
bob: allowed
bob: refused by the tenant's"

build_example client
coproc palenad { exec "$prefix/bin/palenad" --listen 127.0.0.1:0 --data-dir "$scratch/data"; }
node=$palenad_PID
read -r ready <&"${palenad[0]}"
address=${ready#*listen=}
lock() { "$scratch/build/client/lock" "${address%% *}" nightly "$1" || echo "exit status $?"; }
expect "$(lock ada)" 'nightly is held by ada'
expect "$(lock bob)" 'nightly is held by ada
exit status 1'

# The package knows its version, and refuses to stand in for another.
grep -q "PACKAGE_VERSION \"$version\"" "$prefix"/lib*/cmake/palena/palenaConfigVersion.cmake \
  "$prefix"/lib/*/cmake/palena/palenaConfigVersion.cmake 2>/dev/null || fail "is not version $version"
sed -i 's/find_package(palena [0-9.]*/find_package(palena 99.0/' "$scratch/embedded/CMakeLists.txt"
if configure embedded >"$scratch/log" 2>&1; then fail "version 99.0 was found"; fi
echo "installed, found, built and run: palena $version"
