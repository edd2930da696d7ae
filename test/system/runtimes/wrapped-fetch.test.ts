import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  closedBaseUrl,
  type HttpServer,
  json,
  type Reply,
  startServer,
  text,
} from "../../support/http-server.ts";
import { freePort, run, tool } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { npmInstall, succeed } from "../support/consumer.ts";
import { useProject, withMatrix } from "../support/matrix.ts";

const project = useProject();

const printsOutcome = join(import.meta.dirname, "../support/prints-outcome.ts");

/** A tool, the code that starts it, and a header that only its requests have. */
type Tool = readonly [name: string, code: string, header: string, value: RegExp];
const DD_TRACE: Tool = [
  "dd-trace@6.21.0",
  'import "dd-trace/initialize.mjs";',
  "x-datadog-trace-id",
  /^\d+$/,
];
const UNDICI = ["undici@7.30.2", "undici@8.12.4"].map(
  (name): Tool => [name, 'import { install } from "undici"; install();', "user-agent", /^undici$/],
);

test.each(withMatrix([DD_TRACE], UNDICI))(
  "behind %s, a create call is not_sent if no server listens, and sent once if it gets a 421",
  async (name, code, header, value) => {
    vi.stubEnv("DD_TRACE_AGENT_URL", await closedBaseUrl());
    for (const part of ["INSTRUMENTATION_TELEMETRY", "REMOTE_CONFIGURATION"])
      vi.stubEnv(`DD_${part}_ENABLED`, "false");
    const folder = temporaryFolder();
    await npmInstall(folder, "--prefix", folder, "--omit=optional", name);
    writeFileSync(join(folder, "preload.mjs"), code);
    const { baseUrl, arrivals } = await startServer(text(421, ""));
    const outcomeAt = async (url: string) => {
      const args = [`--import=${join(folder, "preload.mjs")}`, printsOutcome, url];
      return (await tool(process.execPath, args)).stdout.trim();
    };

    const outcomes = [await outcomeAt(await closedBaseUrl()), await outcomeAt(baseUrl)];

    expect(outcomes).toEqual(["not_sent", "unknown"]);
    expect(arrivals.map(({ headers }) => headers[header])).toEqual([expect.stringMatching(value)]);
  },
);

/** The values of `fetchCache`. Some make Next.js cache requests that have a body. */
const FETCH_CACHE = "auto default-cache only-cache force-cache default-no-store force-no-store".split(" ");
const SETTINGS = [
  ...FETCH_CACHE.map((mode) => `export const fetchCache = "${mode}";`),
  'export const fetchCache = "force-cache"; export const runtime = "edge";',
];

/** Makes two identical create calls and two identical reads, and returns the ids or outcomes of the first ones. */
const ROUTE = `
import { PaymentsClient } from "payments-sdk";

const document = { type: "cpf", number: "52998224725" };
const order = { amount: 1990, customer: { name: "Maria Exemplo", email: "maria@example.com", document } };

export async function POST(request) {
  const { baseUrl } = await request.json();
  const payments = new PaymentsClient({ baseUrl, secretKey: "sk_1", publicKey: "pk_1", maxRetries: 0 });
  const reads = [1, 2].map(() => payments.company.retrieve().catch(() => undefined));
  const calls = [1, 2].map(() => payments.transactions.createPix(order).then((data) => data.id, (error) => error.outcome));
  const results = await Promise.all(calls);
  await Promise.all(reads);
  return Response.json(results);
}
`;

const LAYOUT = "export default function Layout({ children }) { return children; }";

/** Responds with another transaction each time. The status is 200, the only one that Next.js caches. */
function newTransaction(): Reply {
  let id = 0;
  return (exchange) => {
    id += exchange.request.method === "POST" ? 1 : 0;
    const data = { id, status: "pending", amount: 1990, pix: { qrcodeText: "0" } };
    return json(200, { success: true, data })(exchange);
  };
}

test.each(withMatrix([], ["16.4.6"]))(
  "in a production build of Next.js %s, create calls are proven not_sent, sent once, and never cached or merged",
  async (version) => {
    vi.stubEnv("NODE_ENV", "production");
    vi.stubEnv("NEXT_TELEMETRY_DISABLED", "1");
    const packages = [`next@${version}`, "react@19.3.1", "react-dom@19.3.1", project.tarball];
    const folder = await project.installTools(...packages);
    for (const [index, settings] of SETTINGS.entries()) {
      mkdirSync(join(folder, `app/${index}`), { recursive: true });
      writeFileSync(join(folder, `app/${index}/route.js`), settings + ROUTE);
    }
    writeFileSync(join(folder, "app/layout.js"), LAYOUT);
    const next = join(folder, "node_modules/.bin/next");
    await succeed(next, ["build"], folder);
    const port = await freePort();
    const server = run(next, ["start", "--port", String(port)], folder);
    onTestFinished(server.kill);
    await server.printed(/Ready/);
    const down = await closedBaseUrl();

    for (const [index, settings] of SETTINGS.entries()) {
      const misdirected = await startServer(text(421, ""));
      const service = await startServer(newTransaction());
      const results = [];
      for (const baseUrl of [down, misdirected.baseUrl, service.baseUrl, service.baseUrl]) {
        const init = { method: "POST", body: JSON.stringify({ baseUrl }) };
        const response = await fetch(`http://127.0.0.1:${port}/${index}`, init);
        results.push(((await response.json()) as unknown[]).toSorted());
      }

      expect(results, settings).toEqual([
        ["not_sent", "not_sent"],
        ["unknown", "unknown"],
        [1, 2],
        [3, 4],
      ]);
      const count = (method: string, { arrivals }: HttpServer) =>
        arrivals.filter((arrival) => arrival.method === method).length;
      expect(count("POST", misdirected), settings).toBe(2);
      expect(count("POST", service), settings).toBe(4);
      expect(count("GET", service), settings).toBe(4);
    }
  },
);
