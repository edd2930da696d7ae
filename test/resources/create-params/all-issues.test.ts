import { InvalidRequestError } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCardPayment, aPix, failureOf } from "../../support/merchant.ts";
import { issuesOfCard, issuesOfCreate, recordingClient } from "../../support/recording-client.ts";

/** A request in which every field is invalid; the canaries appear nowhere else. */
const ALL_WRONG = {
  amount: "canary1",
  customer: {
    name: " ",
    email: "canary2",
    phone: null,
    document: { type: "cpf", number: "canary3" },
    nickname: "canary4",
  },
  externalRef: "",
  postbackUrl: "canary5",
  traceable: "canary6",
  items: [
    { title: "", unitPrice: 19.9, quantity: 0, tangible: "canary7" },
    { title: "a", unitPrice: -1, quantity: 1.5, tangible: true, product_image: 7 },
  ],
  ip: "",
  metadata: 7,
  installments: "canary8",
  card: { hash: "4111111111111111" },
  pix: { expiresInDays: "canary9" },
  colour: "canary10",
};

const WRONG_FIELDS = [
  ..."amount card.hash colour customer.document.number customer.email customer.name customer.nickname".split(
    " ",
  ),
  ..."customer.phone externalRef installments ip items.0.quantity items.0.tangible items.0.title".split(" "),
  ..."items.0.unitPrice items.1.product_image items.1.quantity items.1.unitPrice metadata pix".split(" "),
  ..."postbackUrl traceable".split(" "),
];

describe("all issues are reported together", () => {
  test("once each, with the service's dotted path, those of options and of extraBody included", async () => {
    const options = { timeout: -1, extraBody: { amount: 1, total: 7n } };

    const alone = await issuesOfCard(ALL_WRONG);
    const together = await issuesOfCreate("createCard", ALL_WRONG, options);

    const added = ["options.timeout", "extraBody.amount", "extraBody"];
    expect(alone.map(({ field }) => field).sort()).toEqual(WRONG_FIELDS);
    expect(together.map(({ field }) => field).sort()).toEqual([...WRONG_FIELDS, ...added].sort());
  });

  test("in one error, whose message has all of them", async () => {
    const { payments, sent } = recordingClient();

    const error = await failureOf(
      payments.transactions.createCard({ ...aCardPayment(), amount: 0, installments: 0 }),
    );

    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ code: "invalid_request", outcome: "not_sent", actor: "merchant" });
    expect(error.externalRef).toBe("order-1");
    expect(error.message).toMatch(/amount must be .*; installments must be .*Nothing was sent/);
    expect(error.toJSON()).toMatchObject({ issues: [{ field: "amount" }, { field: "installments" }] });
    expect(sent).toEqual([]);
  });
});

test("of many issues, all are in `issues` and the first 20 in the message", async () => {
  const item = { title: "", unitPrice: 1, quantity: 1, tangible: true };
  const items = Array.from({ length: 500 }, () => item);

  const error = await failureOf(recordingClient().payments.transactions.createPix({ ...aPix(), items }));

  expect(error).toHaveProperty("issues.length", 500);
  expect(error.message).toContain("items.19.title must not be empty; and 480 more.");
});
