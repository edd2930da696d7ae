import { EnvironmentMismatchError } from "payments-sdk";
import { expect, test } from "vitest";
import { json, startServer } from "../support/http-server.ts";
import { failureOf, merchantAt } from "../support/merchant.ts";
import { aStatus } from "../support/service-responses.ts";

test.each(["sandbox", "production"] as const)(
  "assertEnvironment resolves if the environment is %s",
  async (environment) => {
    const { baseUrl, arrivals } = await startServer(json(200, aStatus({ environment })));

    const { status } = merchantAt(baseUrl).payments;
    const { data, response } = await status.assertEnvironment(environment).withResponse();

    expect([data, response.status]).toEqual([undefined, 200]);
    expect(arrivals).toMatchObject([{ url: "/api/v1/status" }]);
  },
);

test.each<["sandbox" | "production", unknown, string]>([
  ["sandbox", "production", "reports production"],
  ["production", "sandbox", "reports sandbox"],
  ["sandbox", "Sandbox", "reports Sandbox"],
  ["sandbox", undefined, "reports none"],
])(
  "assertEnvironment throws if it expects %s and the environment is %j",
  async (expected, actual, message) => {
    const { baseUrl } = await startServer(json(200, aStatus({ environment: actual })));

    const error = await failureOf(merchantAt(baseUrl).payments.status.assertEnvironment(expected));

    expect(error).toBeInstanceOf(EnvironmentMismatchError);
    expect(error).toMatchObject({
      ...{ name: "EnvironmentMismatchError", code: "environment_mismatch", outcome: "not_applicable" },
      ...{ actor: "merchant", endpoint: "status.retrieve", expected },
    });
    expect(Reflect.get(error, "actual")).toBe(actual);
    expect(error.message).toContain(message);
  },
);

test("assertEnvironment throws for an unknown environment without sending a request", async () => {
  const { baseUrl, arrivals } = await startServer(json(200, aStatus()));

  const { status } = merchantAt(baseUrl).payments;
  const error = await failureOf(status.assertEnvironment("staging" as "sandbox"));

  expect(error).toMatchObject({ code: "configuration", outcome: "not_applicable" });
  expect(arrivals).toHaveLength(0);
});
