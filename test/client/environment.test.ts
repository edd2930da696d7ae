import { EnvironmentMismatchError } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { json, startServer, text } from "../support/http-server.ts";
import { failureOf, merchantAt } from "../support/merchant.ts";
import { aStatus } from "../support/service-answers.ts";

test("assertEnvironment has its answer like every call", async () => {
  const { baseUrl } = await startServer(json(200, aStatus({ environment: "sandbox" })));
  const { payments } = merchantAt(baseUrl);

  const { data, response } = await payments.status.assertEnvironment("sandbox").withResponse();

  expect([data, response.status]).toEqual([undefined, 200]);
});

describe("assertEnvironment", () => {
  test.each(["sandbox", "production"] as const)(
    "is content with the environment that was meant: %s",
    async (environment) => {
      const { baseUrl, arrivals } = await startServer(json(200, aStatus({ environment })));
      const { payments } = merchantAt(baseUrl);

      await expect(payments.status.assertEnvironment(environment)).resolves.toBeUndefined();

      expect(arrivals).toMatchObject([{ url: "/api/v1/status" }]);
    },
  );

  test.each<["sandbox" | "production", unknown, string]>([
    ["sandbox", "production", "says it is production"],
    ["production", "sandbox", "says it is sandbox"],
    ["sandbox", "staging", "says it is staging"],
    ["sandbox", "Sandbox", "says it is Sandbox"],
    ["sandbox", undefined, "says it is unspecified"],
    ["sandbox", null, "says it is unspecified"],
  ])("throws where %s was meant and %j answers", async (expected, actual, message) => {
    const { baseUrl } = await startServer(json(200, aStatus({ environment: actual })));
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(payments.status.assertEnvironment(expected));

    expect(error).toBeInstanceOf(EnvironmentMismatchError);
    expect(error).toMatchObject({
      name: "EnvironmentMismatchError",
      code: "environment_mismatch",
      outcome: "not_applicable",
      actor: "merchant",
      endpoint: "status.retrieve",
      expected,
    });
    expect("actual" in error ? error.actual : undefined).toBe(actual ?? undefined);
    expect(error.message).toContain(message);
  });

  test("asks nobody about an environment that does not exist", async () => {
    const { baseUrl, arrivals } = await startServer(json(200, aStatus()));
    const { payments } = merchantAt(baseUrl);

    const error = await failureOf(payments.status.assertEnvironment("staging" as "sandbox"));

    expect(error).toMatchObject({ code: "configuration", outcome: "not_applicable" });
    expect(arrivals).toHaveLength(0);
  });

  test("passes on why the service could not be asked", async () => {
    const { baseUrl } = await startServer(text(500, ""));
    const { payments } = merchantAt(baseUrl, { maxRetries: 0 });

    const error = await failureOf(payments.status.assertEnvironment("sandbox", { timeout: 1_000 }));

    expect(error).toMatchObject({ code: "server_error", endpoint: "status.retrieve" });
  });
});
