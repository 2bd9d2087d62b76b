"""The Lua scripts: what must be looked at and written in one go, on keys of one slot each.

All of them may be sent twice (an answer may have got lost) and then change nothing more. What is
asked for all the time names one key only: while a slot of a cluster moves, a command for two keys
is refused (TRYAGAIN) unless both are there.
"""

from typing import Final

# The tail is compared, not only the id: XADD would accept 19-0 after 17-0, and after a failover
# a process might go on from a history that is gone. A refused write looks for itself, since
# its first answer may have been lost (redis/redis-py#1186). It then sets the stream's last id to
# what it is: a write that changes nothing, since WAIT counts only behind a write of its connection.
# Only a first entry comes with the key of the compact form, which must not be there.
# Whoever waits for the game is told (`hearing`); an entry does not depend on whether that can be.
APPEND: Final = """#!lua
local function field(entry, name)
  for i = 1, #entry[2], 2 do
    if entry[2][i] == name then return entry[2][i + 1] end
  end
end
local key, version, prev, line, hash, attempt, meta = KEYS[1], unpack(ARGV)
local tail = redis.call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
local ends, head = 0, ''
if tail then
  ends, head = tonumber(string.match(tail[1], '^(%d+)-0$')), field(tail, 'h')
  if not ends or not head then return 'damaged' end
elseif KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then
  return 'conflict'
end
if ends + 1 == tonumber(version) and head == prev then
  redis.call('XADD', key, version .. '-0', 'l', line, 'h', hash, 'a', attempt, 'm', meta)
  redis.pcall('SPUBLISH', key, version)
  return 'added'
end
local there = redis.call('XRANGE', key, version .. '-0', version .. '-0')[1]
if there and field(there, 'a') == attempt and field(there, 'h') == hash then
  redis.call('XSETID', key, tail[1])
  return 'added'
end
return 'conflict'
"""

# The clock and the entries in one go.
READ: Final = """#!lua flags=no-writes
local now = redis.call('TIME')
return {now[1], now[2], redis.call('XRANGE', KEYS[1], ARGV[1], ARGV[2], 'COUNT', ARGV[3])}
"""

# The entries come as arguments, four each. An entry refused half way would leave a torso, so
# whoever calls sees to the versions.
PLANT: Final = """#!lua
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then return 'there' end
for i = 1, #ARGV, 4 do
  redis.call('XADD', KEYS[1], string.format('%d-0', (i + 3) / 4),
    'l', ARGV[i], 'h', ARGV[i + 1], 'a', ARGV[i + 2], 'm', ARGV[i + 3])
end
redis.pcall('SPUBLISH', KEYS[1], #ARGV / 4)
return 'planted'
"""

# Both keys change or neither, in the append-only file and on a replica too.
CHILL: Final = """#!lua
local log, cold, last, hash, form = KEYS[1], KEYS[2], unpack(ARGV)
local tail = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local there = redis.call('GET', cold)
if not tail then return there == form and 'moved' or 'none' end
local same = false
for i = 1, #tail[2], 2 do
  if tail[2][i] == 'h' then same = tail[2][i + 1] == hash end
end
if there or tail[1] ~= last or not same then return 'none' end
redis.call('SET', cold, form)
redis.call('UNLINK', log)
return 'moved'
"""

# Each is filed later than all before it, also when the clock was set back or another server's
# took over: so the millisecond alone is a place in the order.
FILE: Final = """#!lua
if redis.call('ZSCORE', KEYS[1], ARGV[1]) then return end
local now, last = redis.call('TIME'), redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
local at = now[1] * 1000 + math.floor(now[2] / 1000)
if last and at <= tonumber(last) then at = tonumber(last) + 1 end
redis.call('ZADD', KEYS[1], 'NX', string.format('%d', at), ARGV[1])
"""

# Games filed from `first` to `before` (excluded) and not within the last `age` milliseconds.
FILED: Final = """#!lua flags=no-writes
local first, before, age, limit = unpack(ARGV)
local now = redis.call('TIME')
before = math.min(tonumber(before), now[1] * 1000 + math.floor(now[2] / 1000) - age)
return redis.call('ZRANGEBYSCORE', KEYS[1], first, string.format('(%d', before),
  'WITHSCORES', 'LIMIT', 0, limit)
"""
