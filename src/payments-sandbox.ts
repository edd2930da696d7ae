#!/usr/bin/env node
import { runCommand } from "./sandbox/server/command-line.ts";

await runCommand(process.argv.slice(2), new URL("../package.json", import.meta.url));
