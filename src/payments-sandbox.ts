#!/usr/bin/env node
import { commandLine } from "./sandbox/server/command-line.ts";

await commandLine(process.argv.slice(2), new URL("../package.json", import.meta.url));
