// The options of curl that docs/curl.md uses, so that its commands run on machines without curl.
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string", short: "d" },
    header: { type: "string", short: "H", multiple: true, default: [] },
    request: { type: "string", short: "X" },
    silent: { type: "boolean", short: "s" },
    user: { type: "string", short: "u" },
  },
});
const { data, header, request, user } = values;
const file = data?.startsWith("@") && data !== "@-" ? readFileSync(data.slice(1), "utf8") : undefined;
const body = data === "@-" ? await text(process.stdin) : (file ?? data);
const headers = new Headers(header.map((line) => line.split(/: */, 2) as [string, string]));
if (user !== undefined) headers.set("authorization", `Basic ${btoa(user)}`);

const method = request ?? (body === undefined ? "GET" : "POST");
const response = await fetch(positionals[0] ?? "", { method, headers, body: body ?? null });
process.stdout.write(await response.text());
