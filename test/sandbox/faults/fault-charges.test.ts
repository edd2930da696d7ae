import { createGateway, type FaultKind } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import { codeOf, goodRequest } from "../support/good-calls.ts";
import { aPix, merchantOf } from "../support/wire.ts";

describe("what really happened", () => {
  test.each<[FaultKind, number]>([
    ["charged_then_reset", 1],
    ["charged_then_500", 1],
    ["truncated_json", 1],
    ["unknown_status", 1],
    ["drifted_body", 1],
    ["redirect_307", 0],
    ["html_502", 0],
    ["rate_limited", 0],
    ["refused_connection", 0],
  ])("%s: %i charge", async (kind, charges) => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind });

    await codeOf(gateway.fetch(goodRequest("transactions.create", gateway)));

    expect(gateway.chargesFor("order-1")).toHaveLength(charges);
    expect(gateway.transactions).toHaveLength(charges);
  });

  test.each<FaultKind>(["charged_then_stalled", "stalled_body"])("%s: 1 charge", async (kind) => {
    const gateway = createGateway();
    const patience = new AbortController();
    gateway.faults.add({ on: "transactions.create", kind });

    const call = codeOf(
      gateway.fetch(goodRequest("transactions.create", gateway, { signal: patience.signal })),
    );
    await vi.waitFor(() => expect(gateway.transactions).toHaveLength(1), 10_000);
    patience.abort();

    expect(await call).toMatch(kind === "stalled_body" ? /^answered 201$/ : /^AbortError/);
    expect(gateway.chargesFor("order-1")).toHaveLength(1);
  });

  test("whoever follows a redirect is charged once", async () => {
    const gateway = createGateway();
    gateway.faults.add({ on: "transactions.create", kind: "redirect_307" });
    const response = await merchantOf(gateway).create(aPix());

    const location = response.headers.get("location") ?? "";
    const followed = await gateway.fetch(
      new Request(gateway.baseUrl + location, goodRequest("transactions.create", gateway)),
    );

    expect(followed.status).toBe(201);
    expect(gateway.chargesFor("order-1")).toHaveLength(1);
  });
});
