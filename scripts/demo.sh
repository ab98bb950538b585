#!/usr/bin/env bash
# Play a short story in ./demo/ with a scripted game master, who cheats, and show what the engine made of it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
COLUMNS=${COLUMNS:-80}
export COLUMNS

tell() { printf '\n\033[1m%s\033[0m\n' "$*"; }
show() {
	printf '\n\033[1m$ %s\033[0m\n' "$*"
	"$@"
}

rm -rf demo
mkdir demo

tell 'A hero, a village and a trouble, in one line:'
show turnwright new demo/oxbow --hero "Greta, halfling rogue 2" --place Oxbow --trouble "giant rats in the mill" \
	--seed demo

tell 'Someone plays, and a scripted model is the game master. It asks for dice; the engine rolls them.'
tell 'In the end it heals Greta without a call. Watch what becomes of that text.'
cp "$here/demo_story.jsonl" demo/story.jsonl
show turnwright play demo/oxbow --model script:demo/story.jsonl <<'END'
I ask around about the mill.
We go to the mill.
I listen at the door.
I push the door open.
I run up to the nearest rat and stab it.
I look for something useful behind the sacks.
END

show turnwright map demo/oxbow
show turnwright map demo/oxbow --svg demo/oxbow.svg
show turnwright verify demo/oxbow

tell 'Next:'
cat <<'END'
  turnwright play demo/oxbow                  go on; without a model you are the game master
  turnwright log demo/oxbow                   everything that was asked, rolled, done and told
  turnwright mcp demo/oxbow --print-config claude-desktop
END
