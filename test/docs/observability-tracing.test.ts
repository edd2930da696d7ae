import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { tool } from "../support/tool.ts";
import { pageOf } from "./support/documented-site.ts";
import type { Traced } from "./support/traced-calls.ts";

/** What every span of a call has that was answered, by what makes it. */
const ATTRIBUTES = {
  fetch: [
    ...["http.request.method", "http.request.method_original", "http.response.status_code"],
    ...[
      "network.peer.address",
      "network.peer.port",
      "network.protocol.version",
      "server.address",
      "server.port",
    ],
    ...["url.full", "url.path", "url.query", "url.scheme", "user_agent.original"],
  ],
  nodeTransport: [
    ...["http.request.method", "http.response.status_code"],
    ...[
      "network.peer.address",
      "network.peer.port",
      "network.protocol.version",
      "server.address",
      "server.port",
    ],
    ...["url.full", "user_agent.original"],
  ],
};
type Sender = keyof typeof ATTRIBUTES;
const SENDERS = Object.keys(ATTRIBUTES) as Sender[];

/** In a process of its own: a tool that watches what is sent watches all that is in its process. */
async function trace(sender: Sender, settings = "{}"): Promise<Traced> {
  const calls = join(import.meta.dirname, "support/traced-calls.ts");
  const folder = mkdtempSync(join(tmpdir(), "payments-sdk-traced-"));
  try {
    const file = join(folder, "settings.ts");
    writeFileSync(file, `export default ${settings};\n`);
    const { stdout, stderr } = await tool("node", [calls, sender, file]);
    expect(stderr).toBe("");
    return JSON.parse(stdout) as Traced;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The settings that the page gives an instrumentation. */
function settingsOfPage(sender: Sender): string {
  const page = pageOf("observability.md");
  const [hook = ""] = /^function startSpanHook.*?^}$/ms.exec(page) ?? [];
  const [, options = ""] = /new HttpInstrumentation\((.*)\);$/m.exec(page) ?? [];
  return sender === "fetch" ? `{ startSpanHook: ${hook} }` : options;
}

const asItComes = new Map<Sender, Traced>();
const withSettings = new Map<Sender, Traced>();
beforeAll(async () => {
  for (const sender of SENDERS) {
    const both = await Promise.all([trace(sender), trace(sender, settingsOfPage(sender))]);
    asItComes.set(sender, both[0]);
    withSettings.set(sender, both[1]);
  }
});

describe.each(SENDERS)("as it comes, over %s, the instrumentation", (sender) => {
  const of = (path: string) => asItComes.get(sender)?.spans.filter((span) => span.path === path) ?? [];

  test("makes a span of a create and of a read, with these attributes and no other", () => {
    const [create] = of("/api/v1/transactions");
    const read = of("/api/v1/company").at(-1);

    expect(create?.attributes).toMatchObject({
      "http.request.method": "POST",
      "http.response.status_code": 201,
    });
    expect(read?.attributes).toMatchObject({
      "http.request.method": "GET",
      "http.response.status_code": 200,
    });
    for (const span of [create, read]) {
      expect(Object.keys(span?.attributes ?? {}).sort()).toEqual(ATTRIBUTES[sender]);
    }
  });

  test("records the public key in the address of a tokenization, and nothing else that is secret", () => {
    expect(asItComes.get(sender)?.leaks).toEqual(["key"]);
    expect(of("/api/v1/card-token")[0]?.attributes["url.full"]).toMatch(/\?publicKey=pk_/);
  });

  test("makes the span of a create a child of the merchant's own", () => {
    const [create] = of("/api/v1/transactions");

    expect([create?.hasParent, of("/api/v1/card-token")[0]?.hasParent]).toEqual([true, false]);
  });

  test("makes a span of each try of a read", () => {
    const statuses = of("/api/v1/company").map(({ attributes }) => attributes["http.response.status_code"]);

    expect(statuses).toEqual([502, 200]);
  });

  test("makes of a time-out a span with an error, and without a status", () => {
    const [, late] = of("/api/v1/transactions");

    expect(late).toMatchObject({ isError: true });
    expect(late?.attributes).not.toHaveProperty("http.response.status_code");
  });

  test("takes no proof away: where nobody listens, nothing was sent", () => {
    expect(asItComes.get(sender)?.unheard).toBe("not_sent");
  });
});

test.each(SENDERS)(
  "with the settings of the page, over %s no span holds a key, a card or its token",
  (sender) => {
    const { spans: [tokenization, create] = [], leaks } = withSettings.get(sender) ?? {};

    expect(leaks).toEqual([]);
    expect(tokenization?.attributes["url.full"]).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/card-token(\?publicKey=REDACTED)?$/,
    );
    expect(create?.path).toBe("/api/v1/transactions");
  },
);

test("the span of a signed postback that came holds its signature, but for the settings of the page", () => {
  const taken = [asItComes, withSettings].map((traced) => traced.get("nodeTransport")?.taken);

  expect(taken).toEqual([expect.stringMatching(/^pbsig=eyJ/), "pbsig=REDACTED"]);
});

test("with source maps a stack names the lines of the sources, which are shipped", async () => {
  const code = `import { PaymentsClient } from "payments-sdk";
    const account = { baseUrl: "http://127.0.0.1:1", secretKey: "sk_a", publicKey: "pk_a" };
    new PaymentsClient(account).transactions.createPix({}).catch(({ stack }) => console.log(stack));`;

  const { stdout } = await tool("node", ["--enable-source-maps", "--input-type=module", "--eval", code]);

  const [, file = ""] = /\(([^\s()]+\/prepare-transaction\.ts):\d+:\d+\)/.exec(stdout) ?? [];
  expect(file).toBe(join(import.meta.dirname, "../../src/client/prepare-transaction.ts"));
});
