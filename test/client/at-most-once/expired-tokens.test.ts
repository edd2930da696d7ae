import { CardTokenExpiredError } from "payments-sdk";
import { expect, test } from "vitest";
import { aCardPayment, failureOf } from "../../support/merchant.ts";
import { aCardData, created } from "../../support/service-answers.ts";
import { byCard, guarded } from "./support/guarded.ts";

const EXPIRED = `e30.${Buffer.from('{"exp":1}').toString("base64url")}.x`;
const withExpiredToken = aCardPayment({ card: { hash: EXPIRED } });

test("a payment that was sent is given back, however old the card token of the repeat is", async () => {
  const { payments, arrivals } = await guarded([created(aCardData())]);
  const first = await byCard(payments);

  const again = await payments.transactions.createCard(withExpiredToken).withResponse();

  expect(again.data.id).toBe(first.id);
  expect(again.response.replayed).toBe(true);
  expect(arrivals).toHaveLength(1);
});

test("a payment that was not sent is not sent with a card token that is too old, and stays free", async () => {
  const { payments, arrivals } = await guarded([created(aCardData())]);

  const error = await failureOf(payments.transactions.createCard(withExpiredToken));

  expect(error).toBeInstanceOf(CardTokenExpiredError);
  expect(error).toMatchObject({ outcome: "not_sent", externalRef: withExpiredToken.externalRef });
  expect(arrivals).toHaveLength(0);
  expect(await byCard(payments)).toMatchObject({ status: "approved" });
});
