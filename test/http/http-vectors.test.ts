import { describe, expect, test } from "vitest";
import { httpResponse, startRaw } from "../node/support/raw-server.ts";
import { aGate } from "../support/http-server.ts";
import { aPix, type Merchant } from "../support/merchant.ts";
import { aPixData, envelope } from "../support/service-responses.ts";
import { TRANSPORTS } from "../support/transports.ts";

/**
 * HTTP/1.1 as servers and proxies write it. Everything that is not valid leaves the outcome open, whatever the parsers of
 * the two transports make of it.
 */

const CREATED = ["201 Created", JSON.stringify(envelope(aPixData()))] as const;
const REFUSED = ["400 No", JSON.stringify({ success: false, message: "No", errors: [] })] as const;

/** A response with a status and a body. */
type Vector = (status: string, body: string) => string;

const lengthOf = (body: string) => `content-length: ${body.length}\r\n`;
const start =
  (line: (status: string) => string): Vector =>
  (status, body) =>
    `${line(status)}${lengthOf(body)}\r\n${body}`;
const header = (lines: string) => start((status) => `HTTP/1.1 ${status}\r\n${lines}`);
const length =
  (value: (length: number) => unknown): Vector =>
  (status, body) =>
    `HTTP/1.1 ${status}\r\ncontent-length: ${value(body.length)}\r\n\r\n${body}`;
const chunks =
  (write: (body: string, size: string) => string, headers = "transfer-encoding: chunked\r\n"): Vector =>
  (status, body) =>
    `HTTP/1.1 ${status}\r\n${headers}\r\n${write(body, body.length.toString(16))}`;
const oneChunk = (body: string, size: string) => `${size}\r\n${body}\r\n0\r\n\r\n`;

/** One vector for each form of a part. */
const each = (name: string, forms: readonly string[], toVector: (form: string) => Vector) =>
  Object.fromEntries(forms.map((form) => [name + JSON.stringify(form), toVector(form)]));

const VALID: Record<string, Vector> = {
  "a chunk extension": chunks((body, size) => oneChunk(body, `000${size.toUpperCase()};x;q="a;\\"b"`)),
  trailers: chunks((body, size) => oneChunk(body, size).replace(/\r\n$/, "x-a: 1\r\nx-b: 2\r\n\r\n")),
  "no length": (status, body) => `HTTP/1.1 ${status}\r\n\r\n${body}`,
  "HTTP/1.0": (status, body) => `HTTP/1.0 ${status}\r\n\r\n${body}`,
  "no reason": start((status) => `HTTP/1.1 ${status.slice(0, 3)}\r\n`),
  "informational responses": start(
    (status) => `${"HTTP/1.1 103 Hints\r\nlink: <a>\r\n\r\n".repeat(5)}HTTP/1.1 ${status}\r\n`,
  ),
};

const INVALID: Record<string, Vector> = {
  ...each("the chunk size ", ["0xS", "-S", "", "g", "1000000000000000S", "2"], (form) =>
    chunks((body, size) => oneChunk(body, form.replace("S", size))),
  ),
  "chunks without their line ends": chunks((body, size) => `${size}\r\n${body}0\r\n\r\n`),
  "chunks with bare line feeds": chunks((body, size) => oneChunk(body, size).replaceAll("\r", "")),
  "no last chunk": chunks((body, size) => `${size}\r\n${body}\r\n`),
  ...each("transfer-encoding: ", ["chunked, identity", "xchunked", "gzip, x-chunked"], (coding) =>
    chunks(oneChunk, `transfer-encoding: ${coding}\r\n`),
  ),
  "a length and chunks": chunks(oneChunk, "content-length: 5\r\ntransfer-encoding: chunked\r\n"),
  "chunks and a length": chunks(oneChunk, "transfer-encoding: chunked\r\ncontent-length: 5\r\n"),
  ...each("content-length: ", ["-N", "0xN", "N, N", "18446744073709551616N", ""], (form) =>
    length((n) => form.replaceAll("N", String(n))),
  ),
  "two different lengths": length((n) => `${n}\r\ncontent-length: 3`),
  "a length that is too short": length((n) => n - 1),
  "a length that is too long": length((n) => n + 1),
  "a status line that ends with LF": start((status) => `HTTP/1.1 ${status}\n`),
  "only an informational response": () => "HTTP/1.1 100 Continue\r\n\r\n",
  "another protocol": start((status) => `HTTP/1.1 101 Go\r\nupgrade: x\r\n\r\nHTTP/1.1 ${status}\r\n`),
  ...each("the header ", ["x: 1\n", "x: 1\ry: 2\r\n", "x: 1\r\n 2\r\n", "x\r\n"], header),
  "20,000 bytes of headers": header(`x: ${"v".repeat(20_000)}\r\n`),
  "headers that do not end": (status) => `HTTP/1.1 ${status}\r\nx: 1\r\n`,
  ...each(
    "with a body, ",
    ["204 None", "205 Reset", "304 Same"],
    (line) => (_, body) => header("")(line, body),
  ),
};

describe.each(TRANSPORTS)("over $name", ({ merchantAt }) => {
  const outcomeOf = ({ payments }: Merchant, externalRef = "order-1") =>
    payments.transactions.createPix(aPix({ externalRef })).then(
      ({ id }) => `result ${id}`,
      ({ outcome, transactionId = "" }) => `${outcome} ${transactionId}`.trim(),
    );

  async function outcomesOf(vector: Vector): Promise<string[]> {
    const { baseUrl } = await startRaw((socket) =>
      socket.once("data", (request) => {
        const [status, body] = request.includes("/refused/") ? REFUSED : CREATED;
        socket.end(Buffer.from(vector(status, body), "latin1"));
      }),
    );
    return Promise.all([outcomeOf(merchantAt(baseUrl)), outcomeOf(merchantAt(`${baseUrl}/refused/`))]);
  }

  test.each(Object.keys(VALID))("a response is read: %s", async (name) => {
    expect(await outcomesOf(VALID[name] as Vector)).toEqual(["result 4021", "rejected"]);
  });

  test.each(Object.keys(INVALID))("a response proves no more than its readable part: %j", async (name) => {
    const [created = "", refused] = await outcomesOf(INVALID[name] as Vector);

    expect(["result 4021", "created 4021", "unknown"]).toContain(created);
    expect(refused).toBe("unknown");
  });

  const LEFTOVER = httpResponse(JSON.stringify(envelope(aPixData({ id: 9999, externalId: undefined }))));

  test.each<[string, (response: Buffer) => [Buffer, Buffer | undefined]]>([
    ["in the same packet", (response) => [Buffer.concat([response, LEFTOVER]), undefined]],
    ["a little later", (response) => [response, LEFTOVER]],
    ["behind a 204", () => [Buffer.concat([Buffer.from("HTTP/1.1 204 None\r\n\r\n"), LEFTOVER]), undefined]],
    ["behind a 304", () => [Buffer.from("HTTP/1.1 304 Same\r\ncontent-length: 9\r\n\r\n"), LEFTOVER]],
  ])("a response that nobody requested is not the response to the next call: %s", async (_when, write) => {
    let requests = 0;
    const written = aGate();
    const { baseUrl } = await startRaw((socket) =>
      socket.on("data", (request) => {
        if (!request.includes("POST ")) return; // the rest of a request
        requests += 1;
        const data = aPixData({ id: requests, externalId: `order-${requests}` });
        const [now, later] = write(httpResponse(JSON.stringify(envelope(data)), "", "201 Created"));
        socket.write(now, () => setTimeout(() => socket.write(later ?? "", () => written.open()), 5));
      }),
    );
    const merchant = merchantAt(baseUrl);

    const first = await outcomeOf(merchant);
    await written.passed;
    // The client has received it after a few turns of the event loop.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    const second = await outcomeOf(merchant, "order-2");

    expect(["result 1", "unknown"]).toContain(first);
    expect(["result 2", "unknown"]).toContain(second);
  });
});
