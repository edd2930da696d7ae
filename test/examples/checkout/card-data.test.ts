import { expect, test, vi } from "vitest";
import { useBrowser } from "../../support/browsing.ts";
import { goShopping, type Shopping } from "./support/shopping.ts";

useBrowser();

const NUMBER = "4539148803436467";
const GROUPED = "4539 1488 0343 6467";
const HOLDER = "ZULMIRA CANARIO";
const CVV = "8317";

/** The forms in which card data travels: as it is, in groups, and as base64 at each of its three offsets. */
const traces: readonly RegExp[] = [
  /4539(?:%20|\D){0,6}1488(?:%20|\D){0,6}0343(?:%20|\D){0,6}6467/,
  /ZULMIRA/i,
  /(?<![\w.-])8317(?![\w.-])/, // a longer number or a token may have it by chance
  ...[NUMBER, GROUPED, HOLDER].flatMap((text) =>
    ["", "x", "xx"].map(
      (before) =>
        new RegExp(
          Buffer.from(before + text)
            .toString("base64")
            .slice(4, -4),
        ),
    ),
  ),
];

const tracesIn = (text: string) => traces.filter((trace) => trace.test(text)).map(String);

/** The ways that a payment can go, and what the page says at their ends. */
const WAYS: readonly (readonly [string, (shopping: Shopping) => unknown, string, RegExp])[] = [
  ["is approved", () => undefined, "12/39", /Pagamento confirmado/],
  ["is refused", () => undefined, "01/20", /Pagamento recusado/],
  [
    "is not taken by the service",
    ({ sandbox }) => sandbox.gateway.faults.add({ on: "transactions.create", kind: "rate_limited" }),
    "12/39",
    /Não foi possível fazer o pagamento/,
  ],
  [
    "loses its answer",
    ({ sandbox }) => sandbox.gateway.faults.add({ on: "transactions.create", kind: "charged_then_reset" }),
    "12/39",
    /Verificando o pagamento/,
  ],
  [
    "gets no token",
    ({ sandbox }) => sandbox.gateway.faults.add({ on: "cardTokens.create", kind: "html_502", times: 3 }),
    "12/39",
    /não conseguimos receber cartões/,
  ],
  [
    "comes with a token that is too old",
    ({ page, sandbox }) =>
      page.route(
        "**/card",
        (route) => {
          sandbox.gateway.clock.advance(6 * 60_000);
          return route.continue();
        },
        { times: 1 },
      ),
    "12/39",
    /Pagamento confirmado/,
  ],
];

test.each(WAYS)(
  "a payment that %s sends the merchant's server no card data, and writes none",
  async (_what, prepare, expiry, end) => {
    const written: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((chunk) => {
        written.push(String(chunk));
        return true;
      });
    }
    for (const level of ["log", "info", "warn", "error", "debug"] as const) {
      vi.spyOn(console, level).mockImplementation((...args) => void written.push(args.map(String).join(" ")));
    }
    const shopping = await goShopping();
    await prepare(shopping);

    await shopping.typeCard(NUMBER, { holderName: HOLDER, cvv: CVV, expiry });
    await shopping.pay();
    await shopping.page.getByText(end).first().waitFor({ timeout: 20_000 });

    vi.restoreAllMocks();
    const said = [...shopping.log, ...written].join("\n");
    expect(shopping.arrived()).toContain("GET /orders/"); // what was recorded is the visit
    expect(tracesIn(shopping.arrived())).toEqual([]);
    expect(tracesIn(said)).toEqual([]);
    expect(said).not.toMatch(/eyJ|pbsig|sk_|pk_/);
  },
);

test.each([
  ["a form", `number=4539+1488+0343+6467`],
  ["JSON", JSON.stringify({ cvv: CVV })],
  ["a name in JSON", JSON.stringify({ holder: HOLDER })],
  ["base64", Buffer.from(`{"card":{"number":"${NUMBER}"}}`).toString("base64")],
  ["base64, in groups", Buffer.from(JSON.stringify({ n: GROUPED })).toString("base64")],
  ["an address", `/pay?n=4539%201488%200343%206467`],
])("the search would find it in %s", (_where, text) => {
  expect(tracesIn(text)).not.toEqual([]);
});

test("a form without its script has no way to send a card", async () => {
  const { page, ...shopping } = await goShopping({ context: {} });

  const names = await page
    .locator("form input, form select")
    .evaluateAll((inputs) => inputs.map((input) => input.getAttribute("name")));
  const html = await (await fetch(page.url().replace(/\?.*/, ""))).text();

  expect(names.length).toBeGreaterThan(3);
  expect(new Set(names)).toEqual(new Set([null]));
  expect(html).toMatch(/<button class="primary" id="pay-card" disabled>/);
  expect(html).not.toContain(shopping.sandbox.secretKey);
});
