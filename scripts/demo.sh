#!/usr/bin/env bash
# Play a short story in ./demo/ with a scripted game master, who cheats, and show what the engine made of it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
COLUMNS=${COLUMNS:-80}
export COLUMNS
turnwright=${TURNWRIGHT:-turnwright} # the path of the program, where a shell does not find it by its name

tell() { printf '\n\033[1m%s\033[0m\n' "$*"; }
# An argument as it can be pasted: in quotes where a shell would take it apart.
quoted() {
	case $1 in
	'' | *[!A-Za-z0-9_./:=-]*) printf "'%s'" "${1//\'/\'\\\'\'}" ;;
	*) printf '%s' "$1" ;;
	esac
}
show() {
	printf '\n\033[1m$'
	for word in "$turnwright" "$@"; do
		printf ' %s' "$(quoted "$word")"
	done
	printf '\033[0m\n'
	"$turnwright" "$@"
}

rm -rf demo
mkdir demo

tell 'A hero, a village and a trouble, in one line:'
show new demo/oxbow --hero "Greta, halfling rogue 2" --place Oxbow --trouble "giant rats in the mill" \
	--seed demo

tell 'Someone plays, and a scripted model is the game master. It asks for dice; the engine rolls them.'
tell 'In the end it heals Greta without a call. Watch what becomes of that text.'
cp "$here/demo_story.jsonl" demo/story.jsonl
show play demo/oxbow --model script:demo/story.jsonl <<'END'
I ask around about the mill.
We go to the mill.
I listen at the door.
I push the door open.
I run up to the nearest rat and stab it.
I look for something useful behind the sacks.
END

show map demo/oxbow
show map demo/oxbow --svg demo/oxbow.svg
show verify demo/oxbow

tell 'Next:'
cat <<END
  $turnwright play demo/oxbow
      go on; without a model you are the game master
  $turnwright log demo/oxbow
      everything that was asked, rolled, done and told
END
