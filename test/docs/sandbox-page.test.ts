import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createGateway, FAULT_KINDS, MOVES, TEST_CARDS } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";

const page = readFileSync(join(import.meta.dirname, "../../docs/sandbox.md"), "utf8");

/** The rows of the table under a heading, as cells without their code marks. */
function tableOf(heading: string): string[][] {
  const [, section = ""] = page.split(`## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  const rows = text.split("\n").filter((line) => line.startsWith("|") && !line.startsWith("|---"));
  return rows.slice(1).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
}

describe("the page of the sandbox", () => {
  test("names every card of the table, with what becomes of it", () => {
    const cards = TEST_CARDS.map(({ number, scenario, status, refusedReason, later }) => [
      number,
      scenario,
      status,
      later ? `${later.status} after ${later.afterMs / 1000} s` : "",
      refusedReason ?? later?.refusedReason ?? "",
    ]);

    expect(tableOf("Cards choose what happens")).toEqual(cards);
  });

  test("names every move", () => {
    const moves = tableOf("Moves").map(([call = ""]) => /gateway\.(\w+)/.exec(call)?.[1]);

    expect(moves.sort()).toEqual([...MOVES].sort());
  });

  test("names every fault", () => {
    const kinds = tableOf("Faults").map(([kind]) => kind);

    expect(kinds.sort()).toEqual([...FAULT_KINDS].sort());
  });

  test.each(tableOf("Faults"))("is right about %s: charged? %s", async (kind, charged) => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: kind as (typeof FAULT_KINDS)[number] });
    const call = gateway.fetch(`${gateway.baseUrl}/api/v1/transactions`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${gateway.secretKey}:${gateway.publicKey}`)}` },
      body: JSON.stringify({
        paymentMethod: "pix",
        amount: 1990,
        customer: { name: "Ana", email: "a@b", document: { type: "cpf", number: "52998224725" } },
        externalRef: "order-1",
      }),
      signal: AbortSignal.timeout(500),
    });
    await call.catch(() => undefined);

    expect(gateway.chargesFor("order-1")).toHaveLength(charged === "yes" ? 1 : 0);
  });

  test.each([
    ["Options", (name: string) => ({ [name]: undefined })],
    ["Postbacks", (name: string) => ({ postbacks: { [name]: undefined } })],
  ])("names no option that does not exist: %s", (heading, optionsOf) => {
    const names = tableOf(heading).flatMap(([cell = ""]) => cell.split(", "));

    expect(names.length).toBeGreaterThan(6);
    for (const name of names) expect(() => createGateway(optionsOf(name))).not.toThrow();
  });

  test("names routes that the control API knows", async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const rows = tableOf("The dashboard").flatMap(([cell = ""]) => cell.split(", "));
    const routes = rows.filter((route) => /^(GET|POST|DELETE) /.test(route) && route !== "GET events");

    for (const route of routes) {
      const [method = "", path = ""] = route.split(" ");
      const url = `${sandbox.baseUrl}/sandbox/${path.replace("<id>", "7").replace("<reference>", "x")}`;
      const { status } = await fetch(url.replace(/before=.*/, "before=7"), { method });
      const { message } = status === 404 ? await (await fetch(url, { method })).json() : { message: "" };

      expect([status, message], route).not.toEqual([405, ""]);
      expect(message, route).not.toBe("Not Found");
    }
    expect(routes.length).toBeGreaterThan(12);
  });
});
