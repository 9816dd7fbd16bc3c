#!/bin/sh
# install.sh: an installed evalhost works elsewhere, without the tree.
#   sh tests/house/install.sh CMAKE BUILD_DIR
set -eu
cmake=$1
build=$2

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/elsewhere"
"$cmake" --install "$build" --prefix "$tmp/prefix" >"$tmp/install.log"

# The binary is moved after its installation: it may not remember its prefix.
mv "$tmp/prefix" "$tmp/moved"
cd "$tmp/elsewhere"
PATH=$tmp/moved/bin:/usr/bin:/bin
export PATH
unset OPENAI_API_KEY OPENAI_BASE_URL

case $(command -v evalhost) in
"$tmp"/*) ;;
*)
  echo 'no evalhost was installed' >&2
  exit 1
  ;;
esac
evalhost --version | grep '^evalhost [0-9]'
evalhost "$tmp/moved/share/evalhost/suites/finagent/suite.lua" -o run.json
grep -q '"schema": *"evalhost.run/1"' run.json
test -e .evalhost/store.db
