import { directSendOf, RequestProgress } from "../../../../src/http/transport.ts";
import { nodeTransport } from "../../../../src/node.ts";

/** A process of its own: sends requests in turn, tells what became of the last, and ends when nothing holds it. */
const maxSockets = Number(process.env["MAX_SOCKETS"] ?? 256);
const send = directSendOf(nodeTransport({ idleTimeout: 600_000, maxSockets }));
if (send === undefined) throw new Error("the transport offers no direct way");
const progress = new RequestProgress();
const request = { method: "POST", headers: { authorization: "Basic key" }, body: "{}" };
let ending: { text: string; code?: string | undefined } = { text: "" };
const times = Number(process.env["TIMES"] ?? 1);
for (let sent = 0; sent < times; sent += 1) {
  ending = await send(process.argv[2] ?? "", request, new AbortController().signal, progress).catch(
    (error: NodeJS.ErrnoException) => ({ code: error.code, text: "" }),
  );
}
console.log(JSON.stringify({ left: !progress.withdraw(), text: ending.text, code: ending.code }));
