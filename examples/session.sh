#!/bin/sh
# A session with curl: come in, open a table, play a turn, look at what happened, give up.
#
#     sh examples/session.sh [BASE_URL]
#
# Nothing but POSIX sh, curl and sed. Every call is shown before its answer. A real client reads
# JSON with a JSON reader; sed will do for the four words that are needed here.
set -eu

api=${1:-http://127.0.0.1:8080}/v1
token=

# call METHOD PATH [CURL ARGUMENTS]: shows the call; its answer is kept in $answer.
call() {
    method=$1 path=$2
    shift 2
    printf '\n> %s /v1/%s\n' "$method" "$path"
    answer=$(curl -sS --fail-with-body --retry 3 --retry-all-errors --max-time 60 -X "$method" \
        -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@" "$api/$path") || {
        printf '%s\n' "$answer" >&2
        exit 1
    }
}

# word NAME: the first string, or number, of that name in $answer.
word() {
    printf '%s' "$answer" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" | head -n 1
}

# A key that nobody had before: this process, this second, this call.
calls=0
key() {
    calls=$((calls + 1))
    printf 'session-%s-%s-%s' "$$" "$(date +%s)" "$calls"
}

show() { printf '%s\n' "$answer" | cut -c 1-300; }

call POST players -d '{"name": "Curl", "bot": true}'
token=$(word token)
echo "the token is secret; it is not shown"

key=$(key)
call POST games -H "Idempotency-Key: $key" \
    -d '{"variant": "botifarra", "seats": [{"kind": "human"}, {"kind": "ai", "level": "casual"},
         {"kind": "ai", "level": "casual"}, {"kind": "ai", "level": "casual"}]}'
game=$(printf '%s' "$answer" | sed 's/^{"id":"\([^"]*\)".*/\1/')
show

after=0
while :; do
    call GET "games/$game/commands"
    case $answer in *'"commands":[]'*) ;; *) break ;; esac
    # Not our turn: wait until something happens, thirty seconds at most.
    call GET "games/$game/events?after=$after&wait=30&limit=500"
    after=$(printf '%s' "$answer" | sed 's/.*"next":"\([^"]*\)".*/\1/')
done
show

# The first thing that may be done. `[^{}]*` is enough for botifarra, whose commands are flat.
version=$(word version)
command=$(printf '%s' "$answer" | sed 's/.*"commands":\[\({[^{}]*}\).*/\1/')
key=$(key)
call POST "games/$game/commands" -H "If-Match: \"$version\"" -H "Idempotency-Key: $key" -d "$command"
show

# The same once more, as if the answer had been lost: nothing is done twice.
call POST "games/$game/commands" -H "If-Match: \"$version\"" -H "Idempotency-Key: $key" -d "$command"
show

call GET "games/$game"
show

call POST "games/$game/commands" -d '{"type": "resign"}'
show

# When it is over, the whole game is a file that proves itself: ./run audit game.ndjson
printf '\n> GET /v1/games/%s/record\n' "$game"
curl -sS --fail-with-body -H "Authorization: Bearer $token" "$api/games/$game/record" | wc -l |
    sed 's/ //g; s/$/ lines of record/'
