import { expect, onTestFinished, test, vi } from "vitest";
import { signerFromEnv } from "../../../examples/postbacks/signer-from-env.ts";

function withSecret(secret: string | undefined): void {
  vi.stubEnv("PAYMENTS_POSTBACK_SECRET", secret);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test("a URL that one process has signed, another one verifies", async () => {
  withSecret("a secret of the environment, 32 bytes");
  const url = "https://loja.example/postbacks";
  const order = { externalRef: "order-1", amount: 1990 };

  const signed = await signerFromEnv().sign(url, order);

  await expect(signerFromEnv().verify(signed, order)).resolves.toEqual({ amountMatches: true });
});

test.each([
  ["is missing", undefined, "PAYMENTS_POSTBACK_SECRET is not set"],
  ["is empty", "", "PAYMENTS_POSTBACK_SECRET is not set"],
  ["is too short", "x".repeat(31), "32 bytes"],
])("a secret that %s is told at once", (_what, secret, message) => {
  withSecret(secret);

  expect(() => signerFromEnv()).toThrow(message);
});
