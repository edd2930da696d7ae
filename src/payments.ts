#!/usr/bin/env node
// A command runs for a moment: compiling it takes as long. Bun and Deno have no such cache.
process.getBuiltinModule("node:module").enableCompileCache?.();
const { run } = await import("./cli/run.ts");

await run(process.argv.slice(2), new URL("../package.json", import.meta.url));
