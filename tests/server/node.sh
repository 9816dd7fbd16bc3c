#!/bin/sh
# node.sh: runs node with these arguments; exits with 77 (a skipped test) where
# there is none, or one older than 18.
if ! command -v node >/dev/null; then
  echo 'skipped: node is not installed'
  exit 77
fi
if ! node -e 'process.exit(parseInt(process.versions.node, 10) < 18 ? 1 : 0)'; then
  echo 'skipped: node is older than 18'
  exit 77
fi
exec node "$@"
