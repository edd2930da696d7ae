// In a fresh process: which files an import loads, and whether Node's own fetch is among them.
import { registerHooks } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const [entry = ""] = process.argv.slice(2);
const files: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith("file:")) files.push(relative(process.cwd(), fileURLToPath(url)));
    return nextLoad(url, context);
  },
});
await import(entry);
const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] };
const loadsFetch = moduleLoadList.some((name) => name.endsWith("internal/deps/undici/undici"));
console.log(JSON.stringify({ files, loadsFetch }));
