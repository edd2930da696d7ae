import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CardTokenizer } from "payments-sdk/browser";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import type { Page } from "playwright";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { fillCard, useBrowser, visit } from "../../support/browsing.ts";
import { freePort, type Running, root, run } from "../../support/running.ts";
import { npmInstall, succeed } from "../support/consumer.ts";
import { useProject, withMatrix } from "../support/matrix.ts";

const APPROVED = "4111111111111111";
const DECLINED = "4000000000009995";
const POSTBACK_SECRET = "for this test only, never in a shop";
const CARD = {
  number: APPROVED,
  holderName: "Maria Exemplo",
  expirationMonth: 3,
  expirationYear: 2039,
  cvv: "123",
};
const CHECKING = "We are checking your payment";

describe.each(withMatrix([], ["16.4.6"]))("the app in examples/next, with Next.js %s", (version) => {
  useBrowser();
  const project = useProject();
  const folder = join(project.folder, "app");
  const next = join(folder, "node_modules/.bin/next");
  let sandbox: Sandbox;

  beforeAll(async () => {
    vi.stubEnv("NODE_ENV", undefined);
    vi.stubEnv("NEXT_TELEMETRY_DISABLED", "1");
    cpSync(join(root, "examples/next"), folder, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    Object.assign(manifest.dependencies, { next: version, "payments-sdk": project.tarball });
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    await npmInstall(folder);
    await succeed(next, ["build"], folder); // without keys, and checks the types
    sandbox = await startSandbox();
    return () => sandbox.close();
  }, 600_000);

  describe.each(["start", "dev"])("next %s", (command) => {
    let shop: Running & { url: string };

    beforeAll(async () => {
      const port = await freePort();
      const url = `http://localhost:${port}`;
      const settings = {
        PAYMENTS_BASE_URL: sandbox.baseUrl,
        PAYMENTS_SECRET_KEY: sandbox.secretKey,
        PAYMENTS_PUBLIC_KEY: sandbox.publicKey,
        PAYMENTS_POSTBACK_URL: `${url}/postbacks`,
        PAYMENTS_POSTBACK_SECRET: POSTBACK_SECRET,
        CRON_SECRET: POSTBACK_SECRET,
        NEXT_MANUAL_SIG_HANDLE: "true",
        SHOP_DATABASE: join(project.folder, `${command}.db`),
      };
      const running = run(next, [command, "--port", String(port)], folder, settings);
      await running.printed(/Ready/);
      for (const path of ["", "/orders/none"]) await fetch(url + path); // `next dev` compiles them
      shop = { ...running, url };
      return running.kill;
    }, 120_000);

    async function openOrder() {
      const { page, browserErrors } = await visit(shop.url);
      page.setDefaultTimeout(30_000); // `next dev` compiles each page
      await page.getByRole("button", { name: "Order" }).click();
      await page.waitForURL(/\/orders\//);
      const id = page.url().split("/").at(-1) ?? "";
      return { page, id, browserErrors };
    }

    const shows = (page: Page, text: string) => page.getByText(text).waitFor();
    const chargesFor = (id: string) =>
      [`${id}-pix`, `${id}-card`].flatMap((ref) => sandbox.gateway.chargesFor(ref));
    const tokenizer = () => new CardTokenizer({ baseUrl: sandbox.baseUrl, publicKey: sandbox.publicKey });
    const shipmentsOf = (id: string) => shop.stdout().split(`Order ${id} is paid: ship it.`).length - 1;

    const payByCard = (page: Page) => page.getByRole("button", { name: "Pay by card" });
    const payWithPix = (page: Page) => page.getByRole("button", { name: "Pay with pix" });

    test("a pix is still there after a reload, and the page shows that it is paid, and the order ships once", async () => {
      const { page, id, browserErrors } = await openOrder();

      await payWithPix(page).click();
      const code = page.locator("payment-pix .payment-pix-code");
      const first = await code.inputValue();
      await page.reload();
      expect(await code.inputValue()).toBe(first);
      sandbox.gateway.pay(chargesFor(id)[0]?.id ?? 0);
      await shows(page, "Your order is paid");
      await page.reload();
      await shows(page, "Your order is paid");

      expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
      expect(chargesFor(id)).toHaveLength(1);
      expect(shipmentsOf(id)).toBe(1);
      expect(browserErrors).toEqual([]);
    });

    test("after a declined card the fields keep the card without its code, and another card pays with a double click", async () => {
      const { page, id, browserErrors } = await openOrder();

      await fillCard(page, DECLINED);
      await payByCard(page).click();
      await shows(page, "Your card was declined");
      await expect.poll(() => page.getByLabel("CVV").inputValue()).toBe("");
      expect(await page.getByLabel("Name on card").inputValue()).toBe("Maria Exemplo");
      await fillCard(page, APPROVED);
      await payByCard(page).dblclick();
      await shows(page, "Your order is paid");

      expect(chargesFor(id)).toHaveLength(1);
      expect(shipmentsOf(id)).toBe(1);
      expect(browserErrors).toEqual([]);
    });

    test("if a response is lost, the page says not to pay again, also after a reload, and nothing can charge again", async () => {
      const { page, id, browserErrors } = await openOrder();
      sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" });

      await fillCard(page, APPROVED);
      await payByCard(page).click();
      await shows(page, CHECKING);
      await page.reload();
      await shows(page, CHECKING);
      for (const method of ["pix", "card"]) {
        const response = await page.request.post(`${page.url()}/${method}`, { data: { token: "another" } });
        expect(await response.json()).toMatchObject({
          text: expect.stringContaining(CHECKING),
          canPayByCard: false,
        });
      }

      expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
      expect(chargesFor(id)).toHaveLength(1);
      expect(shipmentsOf(id)).toBe(0);
      expect(browserErrors).toEqual([]);
    });

    test("if the browser gets no response, the page shows what the server knows", async () => {
      const { page, id } = await openOrder();
      await page.route("**/orders/*", async (route) => {
        if (route.request().method() !== "POST") return route.continue();
        await route.fetch();
        await route.abort();
      });

      await fillCard(page, APPROVED);
      await payByCard(page).click();

      await shows(page, "Your order is paid");
      expect(chargesFor(id)).toHaveLength(1);
    });

    test("the route creates a pix, then charges a card, for clients that are not another site's page", async () => {
      const { page, id } = await openOrder();
      const post = (
        path: string,
        init: { data?: object; form?: Record<string, string>; headers?: Record<string, string> } = {},
      ) => page.request.post(`${shop.url}/orders/${path}`, { data: init.form ? undefined : {}, ...init });

      const refused = [
        await post(`${id}/pix`, { headers: { origin: "https://evil.example" } }),
        await post(`${id}/pix`, { headers: { "sec-fetch-site": "cross-site" } }),
        await post(`${id}/pix`, { form: { any: "1" } }),
        await post(`${id}/cash`),
        await post("unknown/pix"),
      ];
      expect(refused.map((response) => response.status())).toEqual([403, 403, 415, 400, 404]);
      expect(chargesFor(id)).toEqual([]);
      const pix = await post(`${id}/pix`);
      expect(await pix.json()).toMatchObject({ pix: { code: expect.stringMatching(/^000201/) } });
      const token = (await tokenizer().tokenize(CARD)).value;
      const card = await post(`${id}/card`, { data: { token } });
      expect(await card.json()).toMatchObject({ text: expect.stringContaining("is paid") });
      expect(shipmentsOf(id)).toBe(1);
    });

    test("only the cron job can run what failed", async () => {
      const statusFor = async (authorization: string) =>
        (await fetch(`${shop.url}/recover`, { headers: { authorization } })).status;

      expect(await statusFor("Bearer undefined")).toBe(401);
      expect(await statusFor(`Bearer ${POSTBACK_SECRET}`)).toBe(204);
    });

    test("each page has its own nonce", async () => {
      const { page, browserErrors } = await openOrder();
      const responses = [await page.reload(), await page.reload()];
      const html = await responses[1]?.text();
      await page.getByLabel("Card number").waitFor();

      const policies = responses.map((response) => response?.headers()["content-security-policy"] ?? "");
      const nonces = policies.map((policy) => /script-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1]);
      expect(new Set(nonces).size).toBe(2);
      expect(policies[1]?.includes("unsafe")).toBe(command === "dev");
      expect(html).toContain("payment-card-form-placeholder");
      expect(browserErrors).toEqual([]);
    });

    test.each(["/status-page", "/recover-password", "/postbacks-info", "/_next/none"])(
      "%s, which only begins like a path without a page, has a policy",
      async (path) => {
        const { headers } = await fetch(shop.url + path);

        expect(headers.get("content-security-policy") ?? "").toContain("'nonce-");
      },
    );

    test("the server prints no key, no signature of a URL and no card token", async () => {
      const { page, id } = await openOrder();
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST") sent.push(request.postData() ?? "");
      });
      await payWithPix(page).click();
      await page.locator("payment-pix .payment-pix-code").waitFor();
      await page.waitForResponse(/\/status\?stsig=/);
      await fillCard(page, APPROVED);
      await payByCard(page).click();
      await shows(page, "Your order is paid");
      const [, token = ""] = JSON.parse(sent.find((body) => body.startsWith(`["${id}","`)) ?? "[]");
      sandbox.gateway.pay(sandbox.gateway.chargesFor(`${id}-pix`)[0]?.id ?? 0);
      await expect.poll(shop.stderr).toContain("refund one"); // its postback has arrived

      const printed = shop.stdout() + shop.stderr();
      expect(token).not.toBe("");
      for (const secret of [token, "pbsig", "stsig", sandbox.secretKey, POSTBACK_SECRET])
        expect(printed).not.toContain(secret);
    });

    // The last test, because it ends the server. `next dev` ends its process itself.
    if (command === "start") {
      test("SIGTERM closes the client and the handler before the process ends", async () => {
        shop.signal("SIGTERM");

        expect(await shop.ended).toBe(0);
        expect(shop.stdout()).toContain(
          'Closed: [{"aborted":0,"unrecorded":0},{"aborted":0,"unrecorded":0}]',
        );
      });
    }
  });
});
