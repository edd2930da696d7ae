import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createGateway } from "payments-sdk/sandbox";
import type { ShopService } from "payments-sdk/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../support/http-server.ts";
import { root } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createLojaFolder } from "../docs/loja-folder.ts";
import { nextPort, startProgram } from "../rehearsals/support/program.ts";
import { startRoutesShop } from "../rehearsals/support/shop-routes.ts";
import { tokenFor } from "../support/card-token.ts";

const APPROVED = "4111111111111111";
const DECLINED = "4000000000009995";
const FORM = "application/x-www-form-urlencoded";

/** A sample that runs. */
interface SampleServer {
  readonly url: string;
  printed(): string;
}

/** A sample, how it starts, and how its page pays by card. */
interface Sample {
  start(service: ShopService): Promise<SampleServer>;
  /** URL of a new order, or of the only one. */
  order(server: SampleServer): Promise<string>;
  readonly type: string;
  encode(token: string): string;
}

const json = {
  order: async ({ url }: SampleServer) => `${url}/pay`,
  type: "application/json",
  encode: (token: string) => JSON.stringify({ token }),
};

async function run(args: string[], service: ShopService, folder: string): Promise<SampleServer> {
  const program = await startProgram(args, service, { port: await nextPort(), folder });
  onTestFinished(program.stop);
  return { url: program.url, printed: () => program.stdout() + program.stderr() };
}

const SAMPLES: Record<string, Sample> = {
  "checkout-server.mjs": {
    ...json,
    start(service) {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "index.html"), "<h1>Checkout</h1>");
      return run([join(root, "docs/samples/checkout-server.mjs")], service, folder);
    },
  },
  "shop-routes.ts": {
    ...json,
    async start(service) {
      const shop = await startRoutesShop(service);
      onTestFinished(shop.stop);
      return shop;
    },
  },
  "loja.mjs": {
    async start(service) {
      const folder = createLojaFolder();
      onTestFinished(() => rmSync(folder, { recursive: true }));
      return run(["loja.mjs"], service, folder);
    },
    order: async ({ url }) => `${(await fetch(url)).url}cartao`,
    type: FORM,
    encode: (token) => String(new URLSearchParams({ token })),
  },
};

/** Starts a sample in front of a service that can fail with a body that repeats the request. */
async function attack({ start, order, type, encode }: Sample) {
  const gateway = createGateway();
  onTestFinished(() => gateway.close());
  const { secretKey, publicKey } = gateway;
  const service = { created: 0, isEchoing: false };
  const baseUrl = await listen(
    createServer(async (incoming, response) => {
      const { url = "", method = "", headers } = incoming;
      const body = await text(incoming);
      const isCreate = url.endsWith("/transactions");
      if (isCreate) service.created += 1;
      response.setHeader("content-type", "application/json");
      response.setHeader("access-control-allow-origin", "*");
      if (isCreate && service.isEchoing) return response.writeHead(500).end(body);
      const init = { method, headers: headers as HeadersInit, ...(body && { body }) };
      const answer = await gateway.fetch(gateway.baseUrl + url, init);
      return response.writeHead(answer.status).end(await answer.text());
    }),
  );
  const server = await start({ baseUrl, secretKey, publicKey });
  return {
    gateway,
    service,
    server,
    order: () => order(server),
    token: (number: string) => tokenFor({ baseUrl, publicKey }, number),
    post: (url: string, token: string, headers: Record<string, string> = {}) =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": type, ...headers },
        body: encode(token),
        redirect: "manual",
      }),
  };
}

describe.each(Object.entries(SAMPLES))("the sample %s", (_name, sample) => {
  test("charges for its own page, and not for pages of other sites", async () => {
    const { service, order, token, post } = await attack(sample);
    const url = await order();
    const value = await token(APPROVED);
    const strangers: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "cross-site", "content-type": "text/plain" },
      { "sec-fetch-site": "same-site", origin: "https://blog.shop.example" },
      { origin: "https://evil.example" }, // an old browser
      { origin: "null" }, // a sandboxed frame
    ];

    for (const headers of strangers) {
      for (const path of [url, url.replace(/\w+$/, "pix")]) {
        expect((await post(path, value, headers)).status).toBe(403);
      }
    }
    expect(service.created).toBe(0);

    const own = [{ "sec-fetch-site": "same-origin" }, { origin: new URL(url).origin }];
    for (const headers of own) expect((await post(url, value, headers)).status).toBeLessThan(400);
    expect(service.created).toBe(1);
  });

  test("sends at most three of 40 declined cards of an order at the same moment", async () => {
    const { service, order, token, post } = await attack(sample);
    const url = await order();
    const tokens = await Promise.all(Array.from({ length: 40 }, () => token(DECLINED)));

    await Promise.all(tokens.map((value) => post(url, value)));
    for (const value of tokens.slice(0, 4)) await post(url, value);

    expect(service.created).toBeGreaterThan(0);
    expect(service.created).toBeLessThanOrEqual(3);
  });

  test("sends no body of 100 MB to the service, and still responds", async () => {
    const { service, order, post } = await attack(sample);
    const url = await order();

    const response = await post(url, "x".repeat(100_000_000)).catch(() => undefined);

    expect(response?.status ?? 413).toBeGreaterThanOrEqual(400);
    expect(service.created).toBe(0);
    expect((await post(url, "")).status).toBeLessThan(400);
  });

  test("logs no personal data, card or token, whatever the service or a page sends", async () => {
    const { service, server, order, token, post } = await attack(sample);
    const url = await order();
    const value = await token(APPROVED);
    await fetch(`${url}?token=${value}`);
    await fetch(url, {
      method: "POST",
      headers: { "content-type": sample.type },
      body: `{"token":"${value}`,
    });
    service.isEchoing = true;

    await post(url, value);

    await expect.poll(server.printed).toMatch(/server_error|service failed/);
    expect(server.printed()).not.toMatch(/Maria|maria@|529\.?982|99999|eyJ|4111/);
  });
});

test("loja.mjs sends five of 40 declined cards of an IP address, and a page without the card form then", async () => {
  const { service, order, token, post } = await attack(SAMPLES["loja.mjs"] as Sample);
  const cards = await Promise.all(
    Array.from({ length: 40 }, async () => [await order(), await token(DECLINED)] as const),
  );

  await Promise.all(cards.map(([url, value]) => post(url, value)));

  expect(service.created).toBe(5);
  const page = await (await fetch((await order()).replace(/cartao$/, ""))).text();
  expect(page).toContain("pague com Pix");
  expect(page).not.toContain("<payment-card-form");
});
