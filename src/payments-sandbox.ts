#!/usr/bin/env node
import { run } from "./cli/run.ts";

// The same as `payments sandbox`.
await run(["sandbox", ...process.argv.slice(2)], new URL("../package.json", import.meta.url));
