// Stands in for curl where a machine has none. Knows the flags that docs/curl.md uses, and refuses all others.
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
const [url, ...more] = positionals;
if (url === undefined || more.length > 0) throw new Error("One address, please.");

const { data, header, request, user } = values;
const body = data === "@-" ? (await text(process.stdin)).replaceAll(/[\r\n]/g, "") : data;
const headers = new Headers();
if (body !== undefined) headers.set("content-type", "application/x-www-form-urlencoded");
if (user !== undefined) headers.set("authorization", `Basic ${btoa(user)}`);
for (const line of header) headers.set(line.split(":")[0] ?? "", line.replace(/^[^:]*: */, ""));

const method = request ?? (body === undefined ? "GET" : "POST");
const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
process.stdout.write(await response.text());
