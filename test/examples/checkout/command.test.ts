import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../support/running.ts";
import { tool } from "../../support/tool.ts";
import { BUYER } from "./support/open-shop.ts";

function start(...flags: readonly string[]) {
  const shop = run("node", ["examples/checkout.ts", ...flags]);
  onTestFinished(shop.kill);
  return shop;
}

describe("the example", () => {
  test("prints where shop and dashboard are, and both answer", async () => {
    const shop = start("--port", "0");

    const [, page = ""] = await shop.printed(/Shop +(http:\S+)\n/);
    const [, dashboard = ""] = await shop.printed(/Dashboard +(http:\S+)\n/);

    expect(await (await fetch(page)).text()).toContain("Finalizar compra");
    expect(await (await fetch(dashboard)).text()).toContain("sandbox");
  });

  test("takes the postback of a pix that is paid on the dashboard, and prints no address that it came to", async () => {
    const shop = start("--port", "0");
    const [, page = ""] = await shop.printed(/Shop +(http:\S+)\n/);
    const [, dashboard = ""] = await shop.printed(/Dashboard +(http:\S+)\n/);
    const order = (await fetch(page)).url.split("?")[0] ?? "";
    await fetch(`${order}/pix`, {
      method: "POST",
      headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ revision: 0, buyer: BUYER }),
    });

    await fetch(`${dashboard}/sandbox/transactions/latest/pay`, { method: "POST" });
    await shop.printed(/approved, says a postback/);
    await fetch(`${new URL(page).origin}/postbacks?pbsig=forged`, { method: "POST", body: "{}" });
    await shop.printed(/a postback got 400/);

    expect(await (await fetch(`${order}/state`)).json()).toMatchObject({ state: { kind: "paid" } });
    expect(shop.stdout() + shop.stderr()).not.toMatch(/pbsig|eyJ|forged/);
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "ends well with %s, also while a page is listening",
    async (signal) => {
      const shop = start("--port", "0");
      const [, page = ""] = await shop.printed(/Shop +(http:\S+)\n/);
      const order = await fetch(page);
      const events = await fetch(`${order.url.split("?")[0]}/events`);
      await shop.printed(/Ctrl-C/);

      shop.signal(signal);

      expect(await shop.ended).toBe(0);
      expect(shop.stderr()).toBe("");
      await events.body?.cancel().catch(() => undefined);
    },
  );

  test("takes another port where the usual one is taken", async () => {
    const taken = createServer()
      .listen(3000, "127.0.0.1")
      .on("error", () => undefined);
    onTestFinished(() => void taken.close());

    const [, port] = await start().printed(/Shop +http:\/\/127\.0\.0\.1:(\d+)/);

    expect(port).not.toBe("3000");
  });

  test("says so where the port that was asked for is taken", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;

    const { code, stderr } = await tool("node", ["examples/checkout.ts", "--port", String(port)]);

    expect(code).toBe(1);
    expect(stderr).toContain("EADDRINUSE");
  });

  describe("at a service that is no sandbox", () => {
    function nameTheService(): void {
      onTestFinished(() => void vi.unstubAllEnvs());
      vi.stubEnv("PAYMENTS_BASE_URL", "https://payments.example.com");
      vi.stubEnv("PAYMENTS_SECRET_KEY", "sk_live_1");
      vi.stubEnv("PAYMENTS_PUBLIC_KEY", "pk_live_1");
    }

    test("has to be told where its postbacks can come to", async () => {
      nameTheService();

      const { code, stderr } = await tool("node", ["examples/checkout.ts", "--port", "0"]);

      expect(code).toBe(1);
      expect(stderr).toContain("--public-url is missing");
    });

    test("has to be told the secret that signs their addresses, before it asks anything", async () => {
      nameTheService();
      vi.stubEnv("PAYMENTS_POSTBACK_SECRET", "");
      const flags = ["--port", "0", "--public-url", "https://shop.example.com"];

      const { code, stdout, stderr } = await tool("node", ["examples/checkout.ts", ...flags]);

      expect(code).toBe(1);
      expect(stdout).toBe("");
      expect(stderr).toContain("PAYMENTS_POSTBACK_SECRET is not set");
    });

    test("stays closed where nobody can be asked", async () => {
      nameTheService();
      vi.stubEnv("PAYMENTS_POSTBACK_SECRET", "a secret of the tests, which is long enough");
      const flags = ["--port", "0", "--public-url", "https://shop.example.com"];

      const { code, stdout, stderr } = await tool("node", ["examples/checkout.ts", ...flags]);

      expect(code).toBe(1);
      expect(stderr).toMatch(/^Nothing was charged: .+--yes.+\n$/);
      expect(stdout).not.toContain("The shop is open");
    });
  });

  test.each([
    [["--help"], 0, /^A small shop/],
    [["--prot", "1"], 1, /--prot[\s\S]*Usage/],
    [["--port", "x"], 1, /--port must be a whole number/],
    [["--public-url", "shop"], 1, /--public-url must be a URL/],
  ])("%j ends with %i", async (flags, code, printed) => {
    const ran = await tool("node", ["examples/checkout.ts", ...flags]);

    expect(ran.code).toBe(code);
    expect(ran.stdout + ran.stderr).toMatch(printed);
  });
});
