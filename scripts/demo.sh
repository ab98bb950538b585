#!/usr/bin/env bash
# Play the turns of the sample campaign "crossing" in ./demo/, and show the result.
set -u
say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; "$@"; }

rm -rf demo
mkdir demo
say turnwright new demo/crossing --template crossing
say turnwright process demo/crossing
code=$?
echo "(exit code $code: some of these turns are meant to fail, and say why)"
say turnwright show demo/crossing
say turnwright map demo/crossing
say turnwright map demo/crossing --svg demo/crossing.svg
say turnwright verify demo/crossing || exit 1
printf '\nThe campaign is in demo/crossing: one record a turn in log.jsonl, one reply a turn in results/.\n'
