import { PaymentsClient } from "payments-sdk";
import { createGateway, type GatewayOptions } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { failureOf } from "../support/merchant.ts";
import { pageOf } from "./support/documented-site.ts";

const PAGE = pageOf("going-live.md");

const points = Array.from(PAGE.matchAll(/^(\d+)\. (.+(?:\n {3}.+)*)/gm), ([, number, text]) => ({
  number: Number(number),
  text,
}));

describe("the check list", () => {
  test("is numbered in the order of doing", () => {
    expect(points.length).toBeGreaterThan(5);
    expect(points.map(({ number }) => number)).toEqual(points.map((_, at) => at + 1));
  });

  test.each(points)("leads on from point $number", ({ text }) => {
    expect(text).toMatch(/\]\([\w-]+\.md(#[\w-]+)?\)/);
  });
});

describe("the check at the start", () => {
  const check = async (options: GatewayOptions, keys: object) => {
    const { baseUrl, secretKey, publicKey, fetch } = createGateway(options);
    const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch, ...keys });
    await payments.status.assertEnvironment("production");
    await payments.company.retrieve();
  };

  test.each([
    ["another environment", { environment: "sandbox" }, {}, "environment_mismatch"],
    ["a wrong secret key", { environment: "production" }, { secretKey: "sk_x" }, "authentication_failed"],
    ["a wrong public key", { environment: "production" }, { publicKey: "pk_x" }, "authentication_failed"],
    [
      "a wrong address",
      { environment: "production" },
      { baseUrl: "https://api.example.com/elsewhere" },
      "not_found",
    ],
    ["a key that is missing", { environment: "production" }, { secretKey: "" }, "configuration"],
  ] as const)("tells of %s", async (_what, options, keys, code) => {
    expect((await failureOf(check(options, keys))).code).toBe(code);
  });
});
