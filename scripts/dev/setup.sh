#!/usr/bin/env bash
# scripts/dev/setup.sh [LIST]
#
# Makes sure that everything a build needs is there: on Debian installs the packages of
# packages.txt (or of LIST, a file beside it) that are missing, on any other system names what it
# did not find. Quiet and quick when nothing is missing, so every make target may begin with it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
list=${1:-packages.txt}

# Lines "package[|package] probe" out of the list.
requirements() {
  sed -n 's/^\([a-z][^#]*\)#.*\[\(.*\)\]$/\1 \2/p' "$list" | sed 's/ *| */|/; s/  */ /g'
}

is_installed() {
  [[ $'\n'$installed == *$'\n'"$1 ii "* ]]
}

# Of "a|b" the first one that apt can install.
pick() {
  local package
  for package in ${1//|/ }; do
    if [[ -n $(apt-cache policy "$package" 2>/dev/null | sed -n '/Candidate: [^(]/p') ]]; then
      echo "$package"
      return
    fi
  done
  echo "${1%%|*}" # let apt-get say that it does not know it
}

as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "setup: not root and no sudo; as root run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
}

missing_packages() {
  local packages package probe found
  while read -r packages probe; do
    found=
    for package in ${packages//|/ }; do
      if is_installed "$package"; then found=yes; fi
    done
    if [[ -z $found ]]; then echo "$packages"; fi
  done < <(requirements)
}

setup_debian() {
  installed=$(dpkg-query -W -f '${Package} ${db:Status-Abbrev} \n')$'\n'
  mapfile -t wanted < <(missing_packages)
  if [[ ${#wanted[@]} -eq 0 ]]; then return; fi

  missing=("${wanted[@]}")
  echo "setup: missing packages: ${missing[*]}"
  local env=(env DEBIAN_FRONTEND=noninteractive) wait=(-o DPkg::Lock::Timeout=300)
  as_root "${env[@]}" apt-get "${wait[@]}" -q update
  missing=()
  for package in "${wanted[@]}"; do missing+=("$(pick "$package")"); done
  echo "setup: installing: ${missing[*]}"
  as_root "${env[@]}" apt-get "${wait[@]}" -q -y --no-install-recommends install "${missing[@]}"
}

has_header() {
  echo "#include <$1>" | "${CXX:-g++}" -std=c++20 -E -x c++ - >/dev/null 2>&1
}

setup_elsewhere() {
  local packages probe absent=()
  while read -r packages probe; do
    case $probe in
      *.h | *.hpp) has_header "$probe" || absent+=("$packages ($probe)") ;;
      *) command -v "$probe" >/dev/null || absent+=("$packages ($probe)") ;;
    esac
  done < <(requirements)
  if [[ ${#absent[@]} -eq 0 ]]; then return; fi
  echo "setup: this is not a Debian system; please install what these Debian packages hold:" >&2
  printf '  %s\n' "${absent[@]}" >&2
  exit 1
}

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
  setup_debian
else
  setup_elsewhere
fi
