/// <reference types="node" />

/**
 * Node's own modules, asked for by name: an `import` of `node:http` reads all that it exports, and with it loads Node's
 * `fetch`, which doubles the time to start.
 */
export const http = process.getBuiltinModule("node:http");
export const https = process.getBuiltinModule("node:https");
