import { describe, expect, test } from "vitest";
import { jsonLines } from "./support/run-example.ts";
import { idOf, watch } from "./support/watch-pix.ts";

describe("pix --watch", () => {
  test("says how it can be paid, and ends with 0 when it was", async () => {
    const { running, sandbox } = await watch();
    const [, id] = await running.printed(
      /curl -X POST http:\S+\/sandbox\/transactions\/(\d+)\/pay\n(?:.*\n)*.*Waiting for the payment\./,
    );

    await fetch(`${sandbox.baseUrl}/sandbox/transactions/${id}/pay`, { method: "POST" });

    expect(await running.ended).toBe(0);
    expect(running.stdout()).toMatch(/ +Status +approved, \d{4}-.+Z\n$/);
    expect(running.stderr()).toBe("");
  });

  test("prints the transaction and its last postback as JSON", async () => {
    const { running, gateway } = await watch("--json");
    const id = await idOf(running);

    gateway.pay(id);

    expect(await running.ended).toBe(0);
    expect(jsonLines(running.stdout())).toMatchObject([
      { id, status: "pending" },
      { id, status: "approved", externalRef: "order-1", amount: 1990 },
    ]);
    expect(gateway.transactions[0]?.postBackUrl).toContain("pbsig=");
    expect(running.stdout()).not.toContain("pbsig");
  });

  test.each(["expire", "cancel"] as const)(
    "ends with 1 where the pix comes to an end by %s",
    async (move) => {
      const { running, gateway } = await watch("--json");
      const id = await idOf(running);

      const { status } = gateway[move](id);

      expect(await running.ended).toBe(1);
      expect(jsonLines(running.stdout())).toMatchObject([{ id }, { id, status }]);
      expect(running.stderr()).toBe(`The pix is ${status}: nobody was charged.\n`);
    },
  );

  test("gives up after its timeout, and says until when it may still be paid", async () => {
    const { running, gateway } = await watch("--timeout", "1");

    const code = await running.ended;

    const [pix] = gateway.transactions;
    expect(code).toBe(1);
    expect(running.stderr()).toContain(`until ${pix?.pix?.expirationDate}.\n`);
    expect(running.stderr()).toMatch(/^[^\n]+\n$/);
  });

  test("does not believe a postback that came without the signature of its URL", async () => {
    const { running, gateway } = await watch("--json");
    const id = await idOf(running);
    const [{ postBackUrl = "" } = {}] = gateway.transactions;
    const body = JSON.stringify({ id, status: "approved", externalRef: "order-1", amount: 1990 });

    const { status } = await fetch(postBackUrl.replace(/\?.*/, ""), { method: "POST", body });
    gateway.expire(id);

    expect(status).toBe(401);
    expect(await running.ended).toBe(1);
    expect(jsonLines(running.stdout())).toMatchObject([{ id }, { status: "expired" }]);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends quietly with %s", async (signal, code) => {
    const { running } = await watch();
    await running.printed(/Waiting for the payment\./);

    running.signal(signal);

    expect(await running.ended).toBe(code);
    expect(running.stderr()).toBe("");
  });
});
