import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tracesIn } from "../../support/canaries.ts";
import { tool } from "../../support/running.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/observability.md"), "utf8");

test("with the settings of docs/observability.md, no span over nodeTransport contains a key, a card, a token or a signature", async () => {
  const [, options = ""] = /new HttpInstrumentation\((.*)\);$/m.exec(page) ?? [];
  const json = options.replaceAll(/(\w+):/g, '"$1":');

  const { stdout, stderr } = await tool("node", [join(import.meta.dirname, "traced-calls.ts"), json]);
  const { token, refused, spans } = JSON.parse(stdout);

  const [server, client] = [1, 2] as const; // SpanKind
  const attributes = (kind: number) =>
    spans.flatMap((span: { kind: number; attributes: object }) =>
      span.kind === kind ? [span.attributes] : [],
    );
  expect(stderr).toBe("");
  expect(attributes(client)).toMatchObject([
    { "url.full": expect.stringMatching(/card-token\?publicKey=REDACTED$/) },
    { "url.full": expect.stringMatching(/transactions$/), "http.response.status_code": 201 },
  ]);
  expect(attributes(server)).toMatchObject([
    { "url.query": "pbsig=REDACTED" },
    { "url.query": "stsig=REDACTED" },
  ]);
  expect(tracesIn(JSON.stringify(spans))).toEqual([]);
  expect(JSON.stringify(spans)).not.toContain(token);
  expect(refused).toBe("not_sent"); // still proven with instrumentation
});
