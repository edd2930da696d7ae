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
 * Writes a document. Arguments: state, version, text, `end` or `claim`, then nothing or `PX` and milliseconds. Returns an error, or
 * `false`.
 *
 * At its memory limit Redis refuses SET and SADD, but only as the first write of a script: it does not stop a script that has
 * begun to write. PERSIST needs no memory, and the SET after it overwrites what it changes. A Redis user
 * without permission for PERSIST gets the out-of-memory error. It is for an `end` only: claims are refused.
 *
 * A document may have an index: the set of the open documents, as second key. An open document is added to it before it is
 * written: if the user may not do that, nothing is written. A document that is not in its index would never be listed.
 */
const WRITE = `
local function has_version(value, version)
  return string.sub(value, 6, 6 + #version) == version .. ' '
end
local function refused(purpose, ...)
  local reply = redis.pcall(...)
  if type(reply) ~= 'table' or not reply.err then return false end
  if purpose == 'claim' or not string.find(reply.err, '^%-?OOM') then return reply end
  redis.pcall('PERSIST', KEYS[1])
  reply = redis.pcall(...)
  return type(reply) == 'table' and reply.err and reply
end
local function write(state, version, text, purpose, ...)
  local is_open = state == 'open'
  local error = KEYS[2] and is_open and refused(purpose, 'SADD', KEYS[2], KEYS[1])
    or refused(purpose, 'SET', KEYS[1], state .. ' ' .. version .. ' ' .. now .. ' ' .. text, ...)
  if KEYS[2] and not is_open and not error then redis.call('SREM', KEYS[2], KEYS[1]) end
  return error
end
`;

/**
 * KEYS: the document, and its index. ARGV: as for {@link WRITE}. Returns the time, and `added` or an existing document.
 *
 * A client that lost its connection may send it again, and then finds its own document.
 */
export const ADD = `${NOW}${WRITE}
local found = redis.call('GET', KEYS[1])
if found and not has_version(found, ARGV[2]) then return { now, found } end
return not found and write(unpack(ARGV)) or { now, 'added' }
`;

/** KEYS: the document, and its index. ARGV: the version to replace, then as for {@link WRITE}. */
export const REPLACE = `${NOW}${WRITE}
local found = redis.call('GET', KEYS[1])
if found and has_version(found, ARGV[3]) then return 'replaced' end
if not found or not has_version(found, ARGV[1]) then return 'kept' end
return write(unpack(ARGV, 2)) or 'replaced'
`;

/** KEYS: a set. Returns the time, its name with the prefix that the client may add, and its members. */
export const READ_SET = `${NOW}return { now, KEYS[1], redis.call('SMEMBERS', KEYS[1]) }`;

/** KEYS: a set. ARGV: SADD or SREM, and members. */
export const CHANGE_SET = `
for place = 2, #ARGV do redis.call(ARGV[1], KEYS[1], ARGV[place]) end
return 'changed'
`;

/**
 * KEYS: documents, each followed by its index if ARGV[2] is 2. ARGV: `open` for only those that are open, or `all`.
 *
 * Returns the time, `corrected` if every open document is in its index, and the documents. An index also has
 * documents that a client without the index has ended, and lacks those that it has opened: both are corrected.
 */
export const READ_MANY = `${NOW}
local page = { now, ARGV[2] == '2' and 'corrected' or '' }
for place = 1, #KEYS, tonumber(ARGV[2]) do
  local value = redis.pcall('GET', KEYS[place])
  if type(value) == 'table' then
    if not string.find(value.err, 'WRONGTYPE') then return value end
    value = ''
  end
  local is_open = value and string.sub(value, 1, 5) ~= 'done '
  if ARGV[2] == '2' then
    local reply = redis.pcall(is_open and 'SADD' or 'SREM', KEYS[place + 1], KEYS[place])
    if is_open and type(reply) == 'table' then page[2] = '' end
  end
  page[#page + 1] = (is_open or ARGV[1] == 'all') and value
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
 * KEYS: a key that does not exist. Returns what the user may not do, as the command and the error of Redis. No command changes
 * anything. Redis 6 cannot say whether the user may run those that would.
 */
export const CHECK = `
local refused = {}
local function try(command, ...)
  local reply = redis.pcall(command, ...)
  if type(reply) == 'table' and reply.err then refused[#refused + 1] = command .. ': ' .. reply.err end
end
try('TIME')
try('GET', KEYS[1])
try('SET', KEYS[1], '', 'XX')
try('SMEMBERS', KEYS[1])
try('SREM', KEYS[1], '1')
try('PERSIST', KEYS[1])
try('SCAN', '0', 'COUNT', '1')
try('INFO', 'server')
if redis.acl_check_cmd then
  for _, command in ipairs({ 'SADD', 'EVAL', 'EVALSHA' }) do
    if not redis.acl_check_cmd(command, command == 'SADD' and KEYS[1] or '', '0') then
      refused[#refused + 1] = command .. ': NOPERM'
    end
  end
end
return refused
`;

/**
 * Runs {@link ADD} or {@link REPLACE} for the postbacks of an order, and if they are written, replaces the order's record.
 *
 * KEYS: as for the script, then the record. ARGV: the record's expected version, version, text and milliseconds to keep it,
 * then as for the script.
 *
 * Returns `both` or `first`, and what the script returns. A record that is open, or that becomes open, may have an index, and
 * is not replaced; nor is one at the memory limit.
 */
const toBoth = (script: string) => `
local order = { unpack(ARGV, 1, 4) }
local function run(ARGV)
${script}
end
local reply = run({ unpack(ARGV, 5) })
if type(reply) == 'table' and reply.err then return reply end
if reply ~= 'replaced' and (type(reply) ~= 'table' or reply[2] ~= 'added') then return { 'first', reply } end
local found = redis.call('GET', KEYS[#KEYS])
local head = 'done ' .. order[1] .. ' '
if not found or string.sub(found, 1, #head) ~= head then return { 'first', reply } end
${NOW}
local value = 'done ' .. order[2] .. ' ' .. now .. ' ' .. order[3]
local set = redis.pcall('SET', KEYS[#KEYS], value, 'PX', order[4])
return { set.err and 'first' or 'both', reply }
`;

export const ADD_BOTH = toBoth(ADD);
export const REPLACE_BOTH = toBoth(REPLACE);
