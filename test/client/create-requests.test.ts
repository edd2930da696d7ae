import type { CreateCardParams } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../support/merchant.ts";
import { sentRequest } from "../support/sent-request.ts";
import { created } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

describe("the client's postbackUrl", () => {
  const options = { postbackUrl: "https://loja.example/default" };
  const withoutUrl: CreateCardParams = aCardPayment({ postbackUrl: undefined });

  test("is sent if the call has none", async () => {
    const { body } = await sentRequest(({ transactions }) => transactions.createCard(withoutUrl), options);

    expect(body).toMatchObject(options);
  });

  test("is replaced by the call's", async () => {
    const { body } = await sentRequest(
      ({ transactions }) => transactions.createCard(aCardPayment()),
      options,
    );

    expect(body).toMatchObject({ postbackUrl: "https://loja.example/postbacks" });
  });
});

test("the warning of a pix without a reference has no reference", async () => {
  const { payments, events } = await startMerchant(created());

  await payments.transactions.createPix(aPix({ externalRef: undefined }));

  expect(events[0]).toMatchObject({ type: "warning", field: "pix" });
  expect(events.filter((event) => "externalRef" in event)).toEqual([]);
});
