/**
 * Scripts that Redis runs as one step. A value is `open` or `done`, the version, when it was written, and the text,
 * with a space between them:
 *
 *     open 2b0e5f5c-8a4e-4d0e-9a53-0d8a52e0c4c1 1795267200123 {"amount":1990}
 *
 * Nothing in here is ever a Lua number, which would be rounded where it is written out.
 */

/** Milliseconds since 1970 by the clock of Redis, as text. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] .. string.sub(string.format('%06d', time[2]), 1, 3)
`;

/** What begins a value of a version, behind its first word. */
const HAS_VERSION = `
local function has_version(value, version)
  return string.sub(value, 6, 6 + #version) == version .. ' '
end
`;

/**
 * KEYS: the document. ARGV: state, version, text, then nothing or `PX` and milliseconds.
 *
 * A client that lost its connection may send it again: what is there is its own then.
 */
export const ADD = `${NOW}${HAS_VERSION}
local value = ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. now .. ' ' .. ARGV[3]
if redis.call('SET', KEYS[1], value, 'NX', unpack(ARGV, 4)) then return { now } end
local found = redis.call('GET', KEYS[1])
if has_version(found, ARGV[2]) then return { now } end
return { now, found }
`;

/** KEYS: the document. */
export const READ = `${NOW}
local found = redis.call('GET', KEYS[1])
if found then return { now, found } end
return { now }
`;

/** KEYS: the document. Gives it only where it is open: most are not, and may be large. */
export const READ_OPEN = `${NOW}
local found = redis.call('GET', KEYS[1])
if found and string.sub(found, 1, 5) ~= 'done ' then return { now, found } end
return { now }
`;

/** KEYS: the document. ARGV: the version to replace, then as for {@link ADD}. */
export const REPLACE = `${NOW}${HAS_VERSION}
local found = redis.call('GET', KEYS[1])
if not found then return 'kept' end
if has_version(found, ARGV[3]) then return 'replaced' end
if not has_version(found, ARGV[1]) then return 'kept' end
local value = ARGV[2] .. ' ' .. ARGV[3] .. ' ' .. now .. ' ' .. ARGV[4]
redis.call('SET', KEYS[1], value, unpack(ARGV, 5))
return 'replaced'
`;

/** KEYS: a key, which comes back as Redis knows it: the client may put a prefix in front. */
export const NAME = "return KEYS[1]";
