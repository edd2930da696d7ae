import { expect, test } from "vitest";
import { resolveOptions } from "../../src/sandbox/gateway-options.ts";

test("without options, the sandbox has its documented defaults", () => {
  expect(resolveOptions({})).toMatchObject({
    ...{ secretKey: "sk_sandbox_secret", publicKey: "pk_sandbox_public", environment: "sandbox" },
    ...{ pixFields: "guide", outsideLimits: "by_method", alphanumericCnpj: false, suspendedPays: true },
    ...{ pixCancelledAs: "canceled", echo: "all", envelopeStatus: 201, sellersPath: "/sellers" },
    retryAfter: true,
    postbacks: {
      ...{ retries: 4, backoffMs: 1_000, timeoutMs: 10_000, duplicates: 0 },
      ...{ onCreation: false, expired: true, onlyConfiguredEvents: false },
    },
  });
});
