/**
 * Scripts that Redis runs atomically. A value is `open` or `done`, the version, when it was written, and the text,
 * separated by a space:
 *
 *     open 2b0e5f5c-8a4e-4d0e-9a53-0d8a52e0c4c1 1795267200123 {"amount":1990}
 *
 * No value is ever a Lua number, which would be rounded when it is written.
 */

/** Milliseconds since 1970 by the clock of Redis, as text. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] .. string.sub(string.format('%06d', time[2]), 1, 3)
`;

/**
 * Adds a document, or replaces a version of it, and then perhaps a version of an order's record.
 *
 * KEYS: the document; its index, which is the set of the open documents; perhaps the record. ARGV: the version to replace, or an
 * empty text to add the document; version, state and text; its name in the index; `end` or `claim`; milliseconds to keep what is
 * done; for the record the version to replace, version and text.
 *
 * Returns the time, and `both`, `first`, `kept` for a version that was not replaced, or the existing document; or an error. A
 * client that lost its connection may send it again, and then finds its own document. A record that is open, whose index would
 * change, is not replaced; nor is one at the memory limit.
 *
 * An open document is added to its index before it is written, so that the index has all of them: if the user may not do that,
 * nothing is written.
 *
 * At its memory limit Redis refuses SET and SADD, but only as the first write of a script: it does not stop a script that has
 * begun to write. PERSIST needs no memory, and the SET after it overwrites what it changes. A Redis user
 * without permission for PERSIST gets the out-of-memory error. It is for an `end` only: claims are refused.
 */
export const WRITE = `${NOW}
local expected, version, state, text, member, purpose, keep = unpack(ARGV)
local function has_version(value, wanted)
  return value and string.sub(value, 6, 6 + #wanted) == wanted .. ' '
end
local function refused(...)
  local reply = redis.pcall(...)
  if type(reply) ~= 'table' or not reply.err then return false end
  if purpose == 'claim' or not string.find(reply.err, '^%-?OOM') then return reply end
  redis.pcall('PERSIST', KEYS[1])
  reply = redis.pcall(...)
  return type(reply) == 'table' and reply.err and reply
end
local found = redis.call('GET', KEYS[1])
if not has_version(found, version) then
  if expected == '' and found then return { now, found } end
  if expected ~= '' and not has_version(found, expected) then return { now, 'kept' } end
  local value = state .. ' ' .. version .. ' ' .. now .. ' ' .. text
  local error
  if state == 'open' then
    error = refused('SADD', KEYS[2], member) or refused('SET', KEYS[1], value)
  else
    error = refused('SET', KEYS[1], value, 'PX', keep)
  end
  if error then return error end
  if state == 'done' then redis.call('SREM', KEYS[2], member) end
end
local record = KEYS[3] and redis.call('GET', KEYS[3])
if not has_version(record, ARGV[8] or '') or string.sub(record, 1, 5) ~= 'done ' then return { now, 'first' } end
local set = redis.pcall('SET', KEYS[3], 'done ' .. ARGV[9] .. ' ' .. now .. ' ' .. ARGV[10], 'PX', keep)
return { now, set.err and 'first' or 'both' }
`;

/** KEYS: a set. */
export const READ_SET = "return redis.call('SMEMBERS', KEYS[1])";

/** KEYS: a set. ARGV: a member. */
export const ADD_TO_SET = "return redis.call('SADD', KEYS[1], ARGV[1])";

/** KEYS: documents. ARGV: `open` for only those that are open, or `all`. Returns the time, and the documents. */
export const READ_MANY = `${NOW}
local page = { now }
for place = 1, #KEYS do
  local value = redis.pcall('GET', KEYS[place])
  if type(value) == 'table' then
    if not string.find(value.err, 'WRONGTYPE') then return value end
    value = ''
  end
  page[#page + 1] = (ARGV[1] == 'all' or value and string.sub(value, 1, 5) ~= 'done ') and value
end
return page
`;

/** KEYS: a key. Returns it with the prefix that the client may add. */
export const NAME = "return KEYS[1]";

/** KEYS: a key, which selects the server. Returns the output of INFO, or nothing if the user may not run it. */
export const SETTINGS = `
local reply = redis.pcall('INFO')
return type(reply) == 'string' and reply or ''
`;

/**
 * KEYS: a key that does not exist. Runs what a call needs, without a change: fails without a permission, on a replica, and
 * at the memory limit. Returns why {@link WRITE} cannot record an end at the memory limit, or an empty text.
 */
export const CHECK = `
redis.call('TIME')
redis.call('GET', KEYS[1])
redis.call('SMEMBERS', KEYS[1])
redis.call('SET', KEYS[1], '', 'XX')
redis.call('SREM', KEYS[1], '')
local reply = redis.pcall('PERSIST', KEYS[1])
return type(reply) == 'table' and reply.err or ''
`;
