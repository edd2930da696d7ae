import { TEST_CARDS } from "payments-sdk/sandbox";
import { expect, test } from "vitest";
import { resolveOptions } from "../../src/sandbox/gateway-options.ts";

test("without options the sandbox has the defaults of its documentation", () => {
  expect(resolveOptions({})).toMatchObject({
    ...{ secretKey: "sk_sandbox_secret", publicKey: "pk_sandbox_public", environment: "sandbox" },
    ...{ pixFields: "guide", outsideLimits: "refused", alphanumericCnpj: false },
    postbacks: { retries: 4, backoffMs: 1_000, timeoutMs: 10_000, duplicates: 0, onCreation: false },
  });
});

test("each test card that is refused has the reason that docs/refused-cards.md explains", () => {
  const reasons = TEST_CARDS.map(({ refusedReason, later }) => refusedReason ?? later?.refusedReason);

  expect(reasons.filter((reason) => reason !== undefined)).toEqual([
    "Not authorized by the card issuer",
    "Insufficient limit",
    "Wrong data: the security code does not match",
    "Wrong data: the card has expired",
    "Refused by the anti-fraud rules",
    "The card was reported stolen",
    "The card was reported lost",
    "The card was used too often",
    "The card issuer did not answer",
    "Refused by the anti-fraud rules",
  ]);
});
