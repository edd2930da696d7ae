import { memoryStore } from "payments-sdk/idempotency";
import { createStatusHandler } from "payments-sdk/postbacks";
import { expect, test, vi } from "vitest";
import { aPostback, createdAs, LEASE, ORDER, REF } from "../../idempotency/support/orders.ts";
import { aSigner } from "../../postbacks/support/signing.ts";
import { inEachEngine, type Tab } from "../support/engine.ts";
import { ELEMENTS, openShop } from "../support/engine-shop.ts";
import { axeViolations } from "../support/looks.ts";

const CODE =
  "00020126360014br.gov.bcb.pix0114+551199999000052040000530398654041.005802BR5903Ana6009Sao Paulo62070503***6304E8C3";

/** Opens a page with a pix that expires in so many milliseconds. */
async function openPix(tab: Tab, expiresInMs: number, code = CODE) {
  const expiresAt = new Date(Date.now() + expiresInMs).toISOString();
  const element = `<payment-pix code="${code}" expires-at="${expiresAt}"></payment-pix>`;
  return openShop(tab, ELEMENTS, () => element);
}

/** Opens a page with a pix whose status a handler of another origin shows. */
async function openWatchedPix(tab: Tab) {
  const signer = aSigner();
  const store = memoryStore();
  await store.claim(ORDER, LEASE);
  await store.recordOutcome(ORDER, createdAs());
  const { service, violations } = await openShop(tab, ELEMENTS, async (shop) => {
    shop.listener = createStatusHandler({ signer, store }).node;
    const url = await signer.statusUrl(`${shop.baseUrl}/status`, { externalRef: REF });
    return `<payment-pix code="${CODE}" status-url="${url}"></payment-pix>`;
  });
  const { arrivals } = service;
  await vi.waitUntil(() => arrivals.length >= 1, { timeout: 10_000 });
  return {
    violations,
    pay: () => store.recordPostback(REF, aPostback("approved")),
    /** Requests in more than the time between two. */
    async requestsFromNow() {
      const before = arrivals.length;
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      return arrivals.length - before;
    },
    setHidden: (hidden: boolean) =>
      tab.evaluate((value) => {
        Object.defineProperty(document, "hidden", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, hidden),
    shows: (text: string) =>
      tab.until(
        (shown) => document.querySelector("[role=status]")?.textContent?.includes(shown) ?? false,
        text,
      ),
  };
}

inEachEngine((tab) => {
  test("a hidden page asks nothing, asks at once when it is shown again, and not once it is paid", async () => {
    const pix = await openWatchedPix(tab);
    await tab.evaluate(() => {
      const pix = document.querySelector("payment-pix");
      pix?.addEventListener("payment-status", ({ detail }) => window.recorded.push(detail.status));
    });
    await pix.setHidden(true);
    expect(await pix.requestsFromNow()).toBe(0);
    await pix.pay();

    await pix.setHidden(false);
    await pix.shows("Pagamento confirmado");

    expect(await tab.evaluate(() => window.recorded)).toEqual(["approved"]);
    expect(await pix.requestsFromNow()).toBe(0);
    expect(await pix.violations()).toEqual([]);
  });

  test("the page polls until it is paid, and the countdown is right on a device whose clock is two hours ahead", async () => {
    const pix = await openWatchedPix(tab);

    await tab.evaluate(() => {
      const now = Date.now;
      const expiresAt = new Date(now() + 3_600_000);
      Date.now = () => now() + 7_200_000;
      document.querySelector("payment-pix")?.setAttribute("expires-at", expiresAt.toISOString());
    });

    await tab.until(() => /00:59:\d\d/.test(document.querySelector("[role=timer]")?.textContent ?? ""));
    expect(await pix.violations()).toEqual([]);
  });

  test.each([
    ["by the clipboard's own interface", CODE],
    ["also if the page may not use that", CODE.toLowerCase()], // not what the clipboard has from the other test
  ])("the button copies the code %s", async (_how, code) => {
    const shop = await openPix(tab, 3_600_000, code);
    await tab.evaluate((isForbidden) => {
      const refuse = () => Promise.reject(new DOMException("", "NotAllowedError"));
      if (isForbidden) Object.defineProperty(navigator, "clipboard", { value: { writeText: refuse } });
      document.body.append(document.createElement("textarea"));
    }, code !== CODE);

    await tab.engine.click("payment-pix button");
    await tab.until(() => document.querySelector("[role=status]")?.textContent !== "");
    await tab.engine.click("textarea");
    await tab.press("Control+v");

    expect(await tab.evaluate(() => document.querySelector("textarea")?.value)).toBe(code);
    const status = await tab.evaluate(() => document.querySelector("[role=status]")?.textContent);
    expect(status).toContain("Código copiado");
    expect(await shop.violations()).toEqual([]);
  });

  test("axe finds nothing in any look", async () => {
    const inAMinute = new Date(Date.now() + 59_000).toISOString();
    const charge = 'amount="1990" payee="Ana"';
    const looks = [charge, `${charge} expires-at="${inAMinute}"`, 'status="paid"', 'status="expired"'];
    const pix = (attributes: string) => `<payment-pix code="${CODE}" ${attributes}></payment-pix>`;
    await openShop(tab, ELEMENTS, () => looks.map(pix).join(""));
    await tab.engine.click("payment-pix button"); // copied, for some of the looks

    expect(await axeViolations(tab)).toEqual([]);
  });
});
