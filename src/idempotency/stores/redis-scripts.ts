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

/** Whether a value has a version, which follows its first word. */
const HAS_VERSION = `
local function has_version(value, version)
  return string.sub(value, 6, 6 + #version) == version .. ' '
end
`;

/**
 * At its memory limit Redis refuses SET, but only as the first write of a script: it does not stop a script that has
 * begun to write. PERSIST needs no memory, and the SET after it overwrites what it changes. A Redis user
 * without permission for PERSIST gets the out-of-memory error.
 */
const SET_AT_MEMORY_LIMIT = `
local function is_out_of_memory(reply)
  return type(reply) == 'table' and reply.err and string.find(reply.err, '^%-?OOM')
end
local function set_at_memory_limit(...)
  redis.pcall('PERSIST', KEYS[1])
  return redis.pcall('SET', KEYS[1], ...)
end
`;

/**
 * A document may have an index: the set of the open documents, as second key. An open document is added to it before it is
 * written: if the user may not do that, nothing is written. A document that is not in its index would never be listed.
 */
const UPDATE_INDEX = `
local function add_to_index(state, at_memory_limit)
  if not KEYS[2] or state ~= 'open' then return nil end
  local reply = redis.pcall('SADD', KEYS[2], KEYS[1])
  if is_out_of_memory(reply) and at_memory_limit then
    redis.pcall('PERSIST', KEYS[1])
    reply = redis.pcall('SADD', KEYS[2], KEYS[1])
  end
  return type(reply) == 'table' and reply.err and reply or nil
end
local function remove_from_index(state)
  if KEYS[2] and state ~= 'open' then redis.call('SREM', KEYS[2], KEYS[1]) end
end
`;

/**
 * KEYS: the document, and its index. ARGV: state, version, text, `end` or `claim`, then nothing or `PX` and milliseconds.
 *
 * Returns the time, and `added` or an existing document. At the memory limit it adds an end, and returns an existing
 * document; a claim of a new document is refused.
 *
 * A client that lost its connection may send it again, and then finds its own document.
 */
export const ADD = `${NOW}${HAS_VERSION}${SET_AT_MEMORY_LIMIT}${UPDATE_INDEX}
local found = redis.call('GET', KEYS[1])
if found and has_version(found, ARGV[2]) then return { now, 'added' } end
if found then return { now, found } end
local refusal = add_to_index(ARGV[1], ARGV[4] == 'end')
if refusal then return refusal end
local value = ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. now .. ' ' .. ARGV[3]
local reply = redis.pcall('SET', KEYS[1], value, unpack(ARGV, 5))
if is_out_of_memory(reply) and ARGV[4] == 'end' then
  reply = set_at_memory_limit(value, unpack(ARGV, 5))
end
if reply.err then return reply end
return { now, 'added' }
`;

/** KEYS: the document. Returns the time, and the document or `missing`. */
export const READ = `${NOW}
local found = redis.call('GET', KEYS[1])
if found then return { now, found } end
return { now, 'missing' }
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

/**
 * KEYS: the document, and its index. ARGV: the version to replace, then as for {@link ADD}.
 *
 * It also replaces at the memory limit: the outcome of a claimed payment must not be lost.
 */
export const REPLACE = `${NOW}${HAS_VERSION}${SET_AT_MEMORY_LIMIT}${UPDATE_INDEX}
local found = redis.call('GET', KEYS[1])
if not found then return 'kept' end
if has_version(found, ARGV[3]) then return 'replaced' end
if not has_version(found, ARGV[1]) then return 'kept' end
local refusal = add_to_index(ARGV[2], true)
if refusal then return refusal end
local value = ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. now .. ' ' .. ARGV[4]
local reply = redis.pcall('SET', KEYS[1], value, unpack(ARGV, 6))
if is_out_of_memory(reply) then reply = set_at_memory_limit(value, unpack(ARGV, 6)) end
if reply.err then return reply end
remove_from_index(ARGV[2])
return 'replaced'
`;

/** KEYS: a key. Returns it with the prefix that the client may add. */
export const NAME = "return KEYS[1]";

/** KEYS: a key, which selects the server. Returns the output of INFO, or nothing if the user may not run it. */
export const SETTINGS = `
local shown = ''
for _, section in ipairs({ 'memory', 'persistence' }) do
  local reply = redis.pcall('INFO', section)
  if type(reply) == 'string' then shown = shown .. reply end
end
return shown
`;

/** KEYS: a key that does not exist. Returns what the user may not do, as the command and the error of Redis. */
export const CHECK = `
local refused = {}
local function try(command, ...)
  local reply = redis.pcall(command, ...)
  if type(reply) == 'table' and reply.err then refused[#refused + 1] = command .. ': ' .. reply.err end
end
try('TIME')
try('GET', KEYS[1])
try('SET', KEYS[1], '', 'XX')
try('SADD', KEYS[1], '1')
try('SMEMBERS', KEYS[1])
try('SREM', KEYS[1], '1')
try('PERSIST', KEYS[1])
try('SCAN', '0', 'COUNT', '1')
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
local function write(ARGV)
${script}
end
local reply = write({ unpack(ARGV, 5) })
if type(reply) == 'table' and reply.err then return reply end
if reply ~= 'replaced' and (type(reply) ~= 'table' or reply[2] ~= 'added') then return { 'first', reply } end
local found = redis.call('GET', KEYS[#KEYS])
local head = 'done ' .. order[1] .. ' '
if not found or string.sub(found, 1, #head) ~= head then return { 'first', reply } end
local time = redis.call('TIME')
local now = time[1] .. string.sub(string.format('%06d', time[2]), 1, 3)
local value = 'done ' .. order[2] .. ' ' .. now .. ' ' .. order[3]
local set = redis.pcall('SET', KEYS[#KEYS], value, 'PX', order[4])
return { set.err and 'first' or 'both', reply }
`;

export const ADD_BOTH = toBoth(ADD);
export const REPLACE_BOTH = toBoth(REPLACE);
