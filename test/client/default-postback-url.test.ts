import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../support/merchant.ts";
import { issuesOf, wireOf } from "../support/on-the-wire.ts";

describe("the client's postbackUrl", () => {
  const options = { postbackUrl: "https://loja.example/default" };

  test("is used for creates that do not say", async () => {
    const card = await wireOf(
      ({ transactions }) => transactions.createCard(aCardPayment({ postbackUrl: undefined })),
      options,
    );
    const pix = await wireOf(({ transactions }) => transactions.createPix(aPix()), options);

    expect(card.body).toMatchObject(options);
    expect(pix.body).toMatchObject(options);
  });

  test("gives way to the call's own", async () => {
    const { body } = await wireOf(({ transactions }) => transactions.createCard(aCardPayment()), options);

    expect(body).toMatchObject({ postbackUrl: "https://loja.example/postbacks" });
  });

  test("is what a card payment without one misses", async () => {
    const issues = await issuesOf(({ transactions }) =>
      transactions.createCard(aCardPayment({ postbackUrl: undefined })),
    );

    expect(issues).toEqual([{ field: "postbackUrl", message: "is required" }]);
  });
});
