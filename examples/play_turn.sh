#!/bin/sh
# A client without Python: write a turn file, run `turnwright process --json`, and read the reply.
#
#     sh examples/play_turn.sh my-campaign
set -eu
campaign=$1

turnwright new "$campaign" --template stage3 --seed example

write_turn() { # id of the turn, area to go to
    cat >"$campaign.turn.json" <<END
{"turn_id": "$1", "tool_calls": [{"id": "walk", "tool": "move",
  "args": {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "$2"}}]}
END
}

# Exit codes: 0 everything was applied, 1 a call failed, 2 and above the turn was refused.
hand_in() {
    status=0
    reply=$(turnwright process "$campaign" "$campaign.turn.json" --json) || status=$?
    [ "$status" -le 1 ] || { echo "refused: $reply" >&2; exit "$status"; }
}

write_turn first area_2
hand_in
if [ "$status" -eq 1 ]; then
    # A JSON library belongs here; this finds "allowed":["area_002"] in the one line.
    allowed=$(printf '%s' "$reply" | sed -n 's/.*"allowed":\["\([^"]*\)".*/\1/p')
    echo "failed; the hint allows: $allowed"
    write_turn second "$allowed"
    hand_in
fi
rm "$campaign.turn.json"
turnwright log "$campaign" | tail -n 1
