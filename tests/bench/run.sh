#!/bin/sh
# run.sh [SECTION...]: measures evalhost against bare libcurl on this machine and prints ratios.
#
# Sections: cpu wall memory start inprocess scale (all of them by default), and node, a peer.
#   BUILD=DIR     an optimised build of evalhost (the tree's build/); programs are built there
#   EVALHOST=FILE another binary than BUILD's
#   ROUNDS=N      pairs of runs taken in turn (5)
#   QUICK=1       smaller sizes and 3 rounds: the shape, not the figures
# What the figures mean is in README.md.
# shellcheck disable=SC2016  # what stands in single quotes is awk's
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
BUILD=${BUILD:-$root/build}
EVALHOST=${EVALHOST:-$BUILD/evalhost}
if [ -n "${QUICK:-}" ]; then
  ROUNDS=${ROUNDS:-3} many=2000 lots=20000
else
  ROUNDS=${ROUNDS:-5} many=10000 lots=100000
fi
tools=$BUILD/tests/bench
work=$BUILD/bench # on the disk of the build, so that the store's fsync costs what it costs

export OPENAI_API_KEY=bench no_proxy='*' NO_PROXY='*'
unset OPENAI_BASE_URL OPENAI_MODEL || :

say() {
  echo "$*" >&2
}

die() {
  say "run.sh: $*"
  exit 1
}

# --- one run: prints "wall cpu peak_kb" -------------------------------------------------------

# measured COMMAND...: the command must succeed.
measured() {
  figures=$("$tools/bench_measure" 300 "$work/output" "$@")
  case $figures in
    *' 0') echo "${figures% 0}" ;;
    *) tail -n 20 "$work/output" >&2; die "failed: $*" ;;
  esac
}

cases_file() {
  [ -s "$work/cases-$1.jsonl" ] ||
    awk -v n="$1" -f "$here/cases.awk" >"$work/cases-$1.jsonl"
  echo "$work/cases-$1.jsonl"
}

served() {
  "$tools/bench_floor" stats "$base" | sed 's/.*"requests": \([0-9]*\).*/\1/'
}

# http CASES IN_FLIGHT DELAY: evalhost; two requests a case, no more and no less.
http() {
  file=$(cases_file "$1")
  rm -f "$work"/store.db*
  before=$(served)
  export BENCH_BASE="$base" BENCH_DELAY="$3"
  measured "$EVALHOST" run "$here/http_suite/suite.lua" \
    --cases "$file" -j "$2" --judge openai --store "$work/store.db" --quiet
  [ $(($(served) - before)) -eq $((2 * $1)) ] ||
    die "$(($(served) - before)) requests for $1 cases: expected $((2 * $1))"
}

# floor CASES IN_FLIGHT DELAY: the same requests by libcurl alone.
floor() {
  measured "$tools/bench_floor" "$base" "$3" "$1" "$2"
}

# inprocess CASES: no network; results to JSONL.
inprocess() {
  rm -f "$work"/store.db* "$work/results.jsonl"
  export BENCH_CASES="$1"
  measured "$EVALHOST" run "$here/inprocess_suite/suite.lua" -j 16 \
    --store "$work/store.db" -o "$work/results.jsonl" --quiet
  [ "$(wc -l <"$work/results.jsonl")" -ge "$1" ] || die "fewer results than cases"
}

node_loop() {
  measured node "$here/nodeloop.mjs" "$(cases_file "$1")" "$2" "$base" "$3" "$work/node.jsonl"
}

node_empty() {
  measured node -e 0
}

# --- several runs -----------------------------------------------------------------------------

# turns 'A' 'B' [...]: every command once to warm up, then ROUNDS times in turn. Leaves one line
# a round in $work/turns: the figures of A, then of B, ... (three columns each).
turns() {
  say "  $*"
  : >"$work/turns"
  round=0
  while [ "$round" -le "$ROUNDS" ]; do
    line=
    for command in "$@"; do
      # A failure inside $(...) must end the script: no pipeline, no `local`.
      figures=$($command) || exit 1
      line="$line $figures"
    done
    [ "$round" -eq 0 ] || echo "$line" >>"$work/turns"
    round=$((round + 1))
  done
}

# median 'AWK EXPRESSION' over the lines of turns.
median() {
  awk "{ printf \"%.9g\\n\", $1 }" "$work/turns" | sort -g |
    awk '{ v[NR] = $1 } END { printf "%.6g", (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'
}

# row GOAL OURS YARDSTICK FIGURE MUST AIM: FIGURE is what MUST and AIM bound from above.
row() {
  grade=$(awk -v x="$4" -v must="$5" -v aim="$6" 'BEGIN {
    print must == "-" ? "" : x + 0 <= aim + 0 ? "aim met" : x + 0 <= must + 0 ? "met" : "MISSED" }')
  echo "$1|$2|$3|$4|$5|$6|$grade" >>"$work/table"
}

fixed() { # fixed DIGITS NUMBER
  awk -v d="$1" -v x="$2" 'BEGIN { printf "%.*f", d, x }'
}

# --- the sections -----------------------------------------------------------------------------

section_cpu() {
  turns "http $many 50 d0" "floor $many 50 d0"
  row "CPU a case, $many cases, 50 in flight (floor's = 1)" \
    "$(fixed 0 "$(median "\$2 / $many * 1e6")") us" "$(fixed 0 "$(median "\$5 / $many * 1e6")") us" \
    "$(fixed 2 "$(median '$2 / $5')")" 5 3
  turns "http 1000 50 d0"
  row "peak memory, 1,000 cases, 50 in flight, MB" "$(fixed 1 "$(median '$3 / 1024')") MB" "" \
    "$(fixed 1 "$(median '$3 / 1024')")" 24 16
}

section_wall() {
  for shape in '200 d50' '1000 d500'; do
    turns "http 1000 $shape" "floor 1000 $shape"
    row "wall, 1,000 cases, ${shape% *} in flight, ${shape#* d} ms (floor's = 1)" \
      "$(fixed 3 "$(median '$1')") s" "$(fixed 3 "$(median '$4')") s" \
      "$(fixed 3 "$(median '$1 / $4')")" 1.15 1.08
  done
}

section_memory() {
  turns 'http 1000 1000 d500' 'http 1000 10 d5' 'floor 1000 1000 d500' 'floor 1000 10 d5'
  row "memory a case in flight (1,000 against 10), KB" \
    "$(fixed 1 "$(median '($3 - $6) / 990')") KB" "$(fixed 1 "$(median '($9 - $12) / 990')") KB" \
    "$(fixed 1 "$(median '($3 - $6) / 990')")" 40 28
}

section_start() {
  command -v node >/dev/null || { say "  start: no node here, skipped"; return; }
  turns 'http 1 1 d0' node_empty
  row "one case, whole process (node -e 0 = 1)" \
    "$(fixed 1 "$(median '$1 * 1e3')") ms" "$(fixed 1 "$(median '$4 * 1e3')") ms" \
    "$(fixed 2 "$(median '$1 / $4')")" 1 0.5
}

section_inprocess() {
  turns "inprocess $lots" 'inprocess 1000'
  row "growth, $lots finished cases against 1,000, MB" \
    "$(fixed 1 "$(median '$3 / 1024')") MB" "$(fixed 1 "$(median '$6 / 1024')") MB" \
    "$(fixed 1 "$(median '($3 - $6) / 1024')")" 8 2
  row "$lots in-process cases, three metrics, JSONL, us a case" \
    "$(fixed 1 "$(median "\$1 / $lots * 1e6")") us" "" \
    "$(fixed 1 "$(median "\$1 / $lots * 1e6")")" - -
}

section_scale() {
  turns 'http 5000 5000 d500' 'http 5000 200 d50'
  row "CPU a case, 5,000 in flight (its own at 200 = 1)" \
    "$(fixed 0 "$(median '$2 / 5000 * 1e6')") us" "$(fixed 0 "$(median '$5 / 5000 * 1e6')") us" \
    "$(fixed 2 "$(median '$2 / $5')")" 4 2
}

section_node() {
  command -v node >/dev/null || { say "  node: no node here, skipped"; return; }
  turns "http $many 50 d0" "node_loop $many 50 d0" "floor $many 50 d0"
  row "CPU a case, hand-written Node loop (floor's = 1)" \
    "$(fixed 0 "$(median "\$5 / $many * 1e6")") us" "$(fixed 0 "$(median "\$8 / $many * 1e6")") us" \
    "$(fixed 2 "$(median '$5 / $8')")" - -
  row "CPU a case, evalhost (the Node loop's = 1)" \
    "$(fixed 0 "$(median "\$2 / $many * 1e6")") us" "$(fixed 0 "$(median "\$5 / $many * 1e6")") us" \
    "$(fixed 3 "$(median '$2 / $5')")" - -
}

print_table() {
  awk -F '|' '
    { for (i = 1; i <= 7; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
    END {
      for (r = 1; r <= NR; r++) {
        line = sprintf("%-*s", width[1], cell[r, 1])
        for (i = 2; i <= 6; i++) line = line sprintf("  %*s", width[i], cell[r, i])
        print line "  " cell[r, 7]
      }
    }' "$work/table"
}

# --- main -------------------------------------------------------------------------------------

sections=${*:-cpu wall memory start inprocess scale}
for section in $sections; do
  case $section in
    cpu | wall | memory | start | inprocess | scale | node) ;;
    *) die "unknown section $section: cpu wall memory start inprocess scale node" ;;
  esac
done

[ -f "$BUILD/CMakeCache.txt" ] || die "no build in $BUILD: run ./setup.sh first"
! grep -q '^EVALHOST_SANITIZE:.*=.' "$BUILD/CMakeCache.txt" || die "$BUILD has sanitizers on"
! grep -q '^CMAKE_BUILD_TYPE:.*=Debug' "$BUILD/CMakeCache.txt" || die "$BUILD is not optimised"
cmake --build "$BUILD" --target bench >&2
mkdir -p "$work"
rm -f "$work"/cases-*.jsonl "$work/port"

"$tools/bench_mock" 0 3600 >"$work/port" &
mock=$!
trap 'kill "$mock" 2>/dev/null || :' EXIT
trap 'exit 130' INT TERM HUP
until [ -s "$work/port" ]; do sleep 0.1; kill -0 "$mock" || die "the mock did not start"; done
base=http://127.0.0.1:$(cat "$work/port")

echo "goal|evalhost|yardstick|figure|must|aim|" >"$work/table"
for section in $sections; do
  say "$section"
  "section_$section"
done
print_table
