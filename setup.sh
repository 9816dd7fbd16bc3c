#!/bin/sh
# setup.sh: makes a bare machine able to build evalhost, and builds it.
#
#   ./setup.sh          installs the packages that are missing, configures and
#                       builds; leaves build/evalhost
#   ./setup.sh --dev    the same, and what .ci/run needs besides: linters, Node,
#                       and the npm package of the tests
#
# It may be run again at any time: what is there already is left alone.
set -eu
cd "$(dirname "$0")"

# To build and run: compiler, build system, the libraries of
# cmake/dependencies.cmake, Check for the unit tests, and the certificates that
# HTTPS endpoints are checked against.
packages='gcc libc6-dev cmake ninja-build pkg-config git ca-certificates
  liblua5.4-dev lua-cjson-dev libcurl4-openssl-dev libuv1-dev libsqlite3-dev
  libpcre2-dev libutf8proc-dev check'

# To develop. The LLVM tools are pinned to one version: formatting and findings
# differ from one to the next.
dev_packages='clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14
  lua-check'

say() {
  printf 'setup: %s\n' "$*"
}

die() {
  say "$@" >&2
  exit 1
}

usage() {
  sed -n '2,/^$/ { /^set /q; s/^# \{0,1\}//p; }' "$0"
}

# Prints those of its arguments that are not installed.
missing_of() {
  installed=$(dpkg-query -W -f '${Package} ${Status}\n' "$@" 2>/dev/null |
    sed -n 's/ install ok installed$//p') || true
  for package in "$@"; do
    printf '%s\n' "$installed" | grep -qxF -- "$package" ||
      printf '%s ' "$package"
  done
}

# Runs a command as root.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "neither root nor sudo here; as root: apt-get install $missing"
  fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
    -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 "$@"
}

install_packages() {
  # shellcheck disable=SC2086  # lists of words
  missing=$(missing_of $packages)
  if [ -z "$missing" ]; then
    say 'packages: all there'
    return
  fi
  say "installing: $missing"
  apt update || die 'apt-get update failed'
  # shellcheck disable=SC2086
  apt install --no-install-recommends $missing || die 'apt-get install failed'
}

configure_and_build() {
  stamp=build/setup.stamp
  if [ ! -e build/build.ninja ] || [ ! -e $stamp ] ||
    [ -n "$(find CMakePresets.json setup.sh -newer $stamp)" ]; then
    say 'configuring: cmake --preset default'
    cmake --preset default
    touch $stamp
  fi
  say 'building: cmake --build --preset default'
  cmake --build --preset default
  say 'ready: build/evalhost'
}

# The OpenAI-compatible mock from npm; its version is in package-lock.json.
install_mock() {
  lock=tests/server/package-lock.json
  stamp=tests/server/node_modules/.package-lock.json
  if [ -e $stamp ] && [ -z "$(find $lock -newer $stamp)" ]; then
    return
  fi
  say 'installing the npm package of the tests: npm ci'
  (cd tests/server && npm ci --no-audit --no-fund) || die 'npm ci failed'
}

dev=no
case "$#:${1-}" in
0:) ;;
1:--dev) dev=yes ;;
1:-h | 1:--help)
  usage
  exit 0
  ;;
*)
  usage >&2
  exit 2
  ;;
esac

if [ $dev = yes ]; then
  packages="$packages $dev_packages"
  command -v node >/dev/null || packages="$packages nodejs"
  command -v npm >/dev/null || packages="$packages npm"
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say 'this system is not Debian or Ubuntu; it needs what these packages hold:'
  # shellcheck disable=SC2086
  printf '  %s\n' $packages
  say 'then: cmake --preset default && cmake --build --preset default'
  exit 1
fi

install_packages
configure_and_build
if [ $dev = yes ]; then
  install_mock
fi
