import { RequestProgress, transports } from "../../../src/http/transport.ts";
import { nodeTransport } from "../../../src/node.ts";

// A process that sends requests one after the other, prints the result of the last one, and ends when it is idle.
const maxSockets = Number(process.env["MAX_SOCKETS"] ?? 256);
const transport = transports.get(nodeTransport({ idleTimeout: 600_000, maxSockets }));
if (transport === undefined) throw new Error("the transport is not registered");
const url = process.argv[2] ?? "";
const progress = new RequestProgress();
const request = { method: "POST", headers: { authorization: "Basic key" }, body: "{}" };
let result: { text: string; code?: string | undefined } = { text: "" };
const problem = transport.findProblem(url);
const times = problem === undefined ? Number(process.env["TIMES"] ?? 1) : 0;
for (let sent = 0; sent < times; sent += 1) {
  result = await transport
    .send(url, request, new AbortController().signal, progress)
    .catch((error: NodeJS.ErrnoException) => ({ code: error.code, text: "" }));
}
console.log(JSON.stringify({ isSent: !progress.withdraw(), text: result.text, code: result.code, problem }));
