import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ShopService } from "payments-sdk/testing";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { root } from "../../support/running.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { createLojaFolder } from "../docs/loja-folder.ts";
import { nextPort, startProgram } from "../rehearsals/support/program.ts";
import { startRoutesShop } from "../rehearsals/support/shop-routes.ts";
import { startAlteredService } from "../support/altered-service.ts";
import { tokenFor } from "../support/card-token.ts";

afterEach(() => vi.unstubAllEnvs());

const APPROVED = "4111111111111111";
const PENDING = "4000000000009235";
const DECLINED = "4000000000009995";
const FORM = "application/x-www-form-urlencoded";

/** A sample that runs. */
interface SampleServer {
  readonly url: string;
  printed(): string;
  readonly folder?: string;
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

function lojaSample(change?: (code: string) => string): Sample {
  return {
    async start(service) {
      const folder = createLojaFolder(change);
      vi.stubEnv("NODE_ENV", "production"); // in a test, Express logs no errors
      onTestFinished(() => rmSync(folder, { recursive: true }));
      return { ...(await run(["loja.mjs"], service, folder)), folder };
    },
    order: async ({ url }) => `${(await fetch(url, { method: "POST" })).url}cartao`,
    type: FORM,
    encode: (token) => String(new URLSearchParams({ token })),
  };
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
  "loja.mjs": lojaSample(),
};

/** A response of the service whose text quotes the customer's data. */
const QUOTE = JSON.stringify({
  errors: [{ field: "customer.document.number", message: "CPF 529.982.247-25 of Maria <maria@example.com>" }],
});

/** Starts a sample in front of a service whose responses to create calls a test can change. */
async function attack({ start, order, type, encode }: Sample) {
  const { gateway, service, keys } = await startAlteredService();
  const server = await start(keys);
  return {
    gateway,
    service,
    server,
    order: () => order(server),
    token: (number: string) => tokenFor(keys, number),
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

  test("counts a refused card once, however often the buyer clicks", async () => {
    const { service, order, token, post } = await attack(sample);
    const url = await order();
    const value = await token(DECLINED);
    const isSending = Promise.withResolvers<void>();
    const duplicates = Promise.withResolvers<void>();
    service.before = async () => {
      isSending.resolve();
      await duplicates.promise;
      return undefined;
    };
    const first = post(url, value);
    await isSending.promise;
    for (let click = 0; click < 6; click += 1) await post(url, value);
    duplicates.resolve();
    await first;

    for (let card = 0; card < 4; card += 1) await post(url, await token(DECLINED));

    expect(service.created).toBe(3);
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
    await fetch(url, {
      method: "POST",
      headers: { "content-type": sample.type },
      body: `token=${value}${"&x".repeat(1_100)}`, // too many for Express
    });
    service.before = async () => [400, QUOTE];
    await post(url, value);
    service.before = async (body) => [500, body];

    await post(url, value);

    await expect.poll(server.printed).toMatch(/server_error/);
    expect(server.printed()).toMatch(/validation_failed.*customer\.document\.number/);
    expect(server.printed()).not.toMatch(/Maria|maria@|529\.?982|99999|eyJ|4111/);
  });
});

test.each([
  ["checkout-server.mjs", "pix"],
  ["checkout-server.mjs", "pay"],
  ["shop-routes.ts", "pix"],
  ["shop-routes.ts", "pay"],
])(
  "%s ships nothing for a payment over another amount by /%s, and asks for no other payment",
  async (name, path) => {
    const { gateway, server, token, post } = await attack(SAMPLES[name] as Sample);
    await post(`${server.url}/${path}`, await token(PENDING));
    const { id = 0, postBackUrl = "", externalId: externalRef } = gateway.transactions[0] ?? {};
    const body = JSON.stringify({ id, externalRef, status: "approved", amount: 500 });
    await fetch(postBackUrl, { method: "POST", headers: { "content-type": "application/json" }, body });

    for (const next of ["pix", "pay"]) {
      const response = await post(`${server.url}/${next}`, await token(APPROVED));
      expect(await response.json()).toEqual({ text: expect.stringContaining("checking") });
    }

    await expect.poll(server.printed).toContain(`Check ${externalRef}`);
    expect(server.printed()).not.toContain("ship it");
    expect(gateway.transactions).toHaveLength(1);
    gateway.pay(id);
    await expect.poll(server.printed).toContain("ship it");
  },
);

/** loja.mjs behind a proxy. */
const proxied = lojaSample((code) => code.replace("express();", 'express().set("trust proxy", 1);'));

test.each([
  ["IPv4 address", () => "203.0.113.7"],
  ["IPv6 network", (index: number) => `2001:db8:0:1::${index}`],
])(
  "loja.mjs sends five of 40 declined cards of an %s, and a page without the card form then",
  async (_of, addressOf) => {
    const { service, order, token, post } = await attack(proxied);
    const cards = await Promise.all(
      Array.from({ length: 40 }, async () => [await order(), await token(DECLINED)] as const),
    );
    const from = (index: number) => ({ "x-forwarded-for": addressOf(index) });

    await Promise.all(cards.map(([url, value], index) => post(url, value, from(index))));

    expect(service.created).toBe(5);
    const page = await (await fetch((await order()).replace(/cartao$/, ""), { headers: from(41) })).text();
    expect(page).toContain("pague com Pix");
    expect(page).not.toContain("<payment-card-form");
  },
);

test("a page of another site creates no order in loja.mjs, and neither does a GET", async () => {
  const { server } = await attack(proxied);
  const database = new DatabaseSync(join(server.folder ?? "", "pedidos.db"));
  onTestFinished(() => database.close());

  const page = await fetch(server.url, { redirect: "manual" });
  const headers = { "sec-fetch-site": "cross-site" };
  const stranger = await fetch(server.url, { method: "POST", headers, redirect: "manual" });

  expect([page.status, stranger.status]).toEqual([200, 403]);
  expect(await page.text()).toContain('<form method="post">');
  expect(database.prepare("SELECT * FROM pedidos").all()).toEqual([]);
});

test("a buyer of loja.mjs whose card is approved sees that, although another process locks or has broken its database", async () => {
  const { server, service, order, token, post } = await attack(proxied);
  const database = new DatabaseSync(join(server.folder ?? "", "pedidos.db"));
  onTestFinished(() => database.close());
  const url = await order();
  service.before = async () => {
    database.exec("DROP TABLE cartoes; BEGIN IMMEDIATE");
    setTimeout(() => database.exec("COMMIT"), 200);
    return undefined;
  };

  const response = await post(url, await token(APPROVED));

  expect(response.status).toBe(303);
  expect(server.printed()).toMatch(/pago: pode enviar/);
  expect(server.printed()).toContain("no such table: cartoes");
});
