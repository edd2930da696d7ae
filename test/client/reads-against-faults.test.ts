import { PaymentsClient } from "payments-sdk";
import type { Fault, FaultKind } from "payments-sdk/sandbox";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { start } from "../sandbox/support/running.ts";
import { aCard, failureOf } from "../support/merchant.ts";
import { TRANSPORTS } from "../support/transports.ts";

type EndpointName = Fault["on"];

const CALLS: Readonly<Record<string, (payments: PaymentsClient) => Promise<unknown>>> = {
  "cardTokens.create": (payments) => payments.cardTokens.create(aCard()),
  "company.retrieve": (payments) => payments.company.retrieve(),
  "status.retrieve": (payments) => payments.status.retrieve(),
  "sellers.list": (payments) => payments.sellers.list(),
  "sellers.revenue": (payments) => payments.sellers.revenue(),
};
const ENDPOINTS = Object.keys(CALLS) as EndpointName[];

/** A delay is half of its step and a random part of the other half: this makes the first one 25 ms. */
function hurry(): void {
  vi.spyOn(Math, "random").mockReturnValue(-0.9);
}

describe.each(TRANSPORTS)("over $name", ({ fetch }) => {
  async function callWith(on: EndpointName, kind: FaultKind, options: object = {}) {
    const { baseUrl, secretKey, publicKey, gateway } = await start();
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, timeout: 5_000, fetch, ...options });
    gateway.faults.add({ on, kind });
    return { gateway, call: CALLS[on]?.(payments) ?? Promise.reject(new Error("no such call")) };
  }

  describe.each(ENDPOINTS)("%s", (on) => {
    beforeEach(hurry);

    test.each<[FaultKind, number]>([
      ["charged_then_reset", 5_000],
      ["charged_then_stalled", 250],
      ["charged_then_500", 5_000],
      ["stalled_body", 250],
      ["html_502", 5_000],
      ["drifted_body", 5_000], // by reading what can be read
    ])("gets over %s by itself", async (kind, timeout) => {
      const { gateway, call } = await callWith(on, kind, { timeout });

      await expect(call).resolves.toBeDefined();

      expect(gateway.faults.armed).toEqual([]);
    });

    test("does not follow a redirect, and is not tried again", async () => {
      const { call } = await callWith(on, "redirect_307");

      const error = await failureOf(call);

      expect(error).toMatchObject({ code: "redirected", outcome: "not_applicable", endpoint: on });
    });
  });

  test.each<EndpointName>(["company.retrieve", "status.retrieve", "sellers.list", "sellers.revenue"])(
    "half of the JSON of %s is told, and not taken for the whole",
    async (on) => {
      const { call } = await callWith(on, "truncated_json");

      const error = await failureOf(call);

      expect(error).toMatchObject({
        name: "UnexpectedResponseError",
        outcome: "not_applicable",
        status: 200,
      });
    },
  );

  test.each<[EndpointName, object]>([
    ["company.retrieve", { status: "PENDING_3DS" }],
    ["status.retrieve", { status: "PENDING_3DS" }],
    ["sellers.list", Array(3).fill({ status: "PENDING_3DS" })],
  ])("an unknown status of %s is kept as it came", async (on, expected) => {
    const { call } = await callWith(on, "unknown_status");

    expect(await call).toMatchObject(expected);
  });

  test("a 429 is waited out as it asks", async () => {
    const begin = performance.now();

    const started = await Promise.all(ENDPOINTS.map((on) => callWith(on, "rate_limited")));
    const results = await Promise.all(started.map(({ call }) => call));

    for (const result of results) expect(result).toBeDefined();
    expect(performance.now() - begin).toBeGreaterThanOrEqual(990);
  });

  test("a refused connection is tried again until somebody listens", async () => {
    const started = await Promise.all(
      ENDPOINTS.map((on) => callWith(on, "refused_connection", { maxRetries: 4 })),
    );
    const results = await Promise.all(started.map(({ call }) => call));

    for (const result of results) expect(result).toBeDefined();
  });
});
