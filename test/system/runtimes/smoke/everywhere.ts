import { PaymentsClient, ValidationError } from "payments-sdk";
import { CardTokenizer, cardBrand } from "payments-sdk/browser";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { createGateway } from "payments-sdk/sandbox";
import { equal, type Part, rejection } from "./environment.ts";
import { APPROVED_CARD, aCardPayment, aPix, REFUSED_CARD } from "./orders.ts";

const client: Part = async ({ client }) => {
  const payments = new PaymentsClient(client);

  const pix = await payments.transactions.createPix(aPix("smoke-pix"));
  equal(pix.status, "pending", "the status of a pix");
  equal(pix.pix.qrcodeText.slice(0, 6), "000201", "the start of a pix code");

  const error = await rejection(payments.transactions.createPix(aPix("smoke-400", 1)));
  equal(error instanceof ValidationError, true, `a refusal by the service is a ValidationError: ${error}`);
  equal((error as ValidationError).outcome, "rejected", "the outcome of a refusal by the service");

  const hash = await payments.cardTokens.create(REFUSED_CARD);
  const refused = await payments.transactions.createCard(aCardPayment("smoke-refused", hash));
  equal(refused.status, "refused", "the status of a refused card");
  equal(refused.refusedReason, "Insufficient limit", "the reason of a refusal");

  const token = await payments.cardTokens.create(APPROVED_CARD);
  const approved = await payments.transactions.createCard(aCardPayment("smoke-approved", token));
  equal(approved.status, "approved", "the status of an approved card");

  equal((await payments.company.retrieve()).status, "active", "a read");
};

const browser: Part = async ({ service }) => {
  const { baseUrl, publicKey } = service;
  const token = await new CardTokenizer({ baseUrl, publicKey }).tokenize(APPROVED_CARD);
  equal(token.isExpired(), false, "whether a new token is expired");
  equal(JSON.parse(JSON.stringify(token)), token.value, "a token as JSON");
  equal(cardBrand(APPROVED_CARD.number), "visa", "the brand of a card");
};

const ORDER = { externalRef: "smoke-order", amount: 1990 };

const signerWith = (secret: number) =>
  new PostbackUrlSigner({ keys: [{ kid: "1", secret: new Uint8Array(32).fill(secret) }] });

const postbacks: Part = async () => {
  const signer = signerWith(7);
  const handled: number[] = [];
  const handler = createPostbackHandler({ signer, onPostback: ({ id }) => void handled.push(id) });
  const post = async (url: string) => {
    const postback = { id: 1, status: "approved", ...ORDER, transactionDate: "2026-11-21T12:00:00Z" };
    const request = new Request(url, { method: "POST", body: JSON.stringify(postback) });
    return (await handler.fetch(request)).status;
  };
  const unsigned = "https://shop.example.com/postbacks";
  const signed = await signer.sign(unsigned, ORDER);
  const withAnotherSecret = await signerWith(8).sign(unsigned, ORDER);

  equal(await post(unsigned), 401, "the response to a postback without a signature");
  equal(await post(withAnotherSecret), 401, "the response to a postback signed with another secret");
  equal(
    await post(withAlteredSignature(signed)),
    401,
    "the response to a postback with an altered signature",
  );
  equal(await post(signed), 200, "the response to a signed postback");
  equal(await post(signed), 200, "the response to a repeated postback");
  equal(handled.length, 1, "how often a postback was handled");
};

/** Changes one character of the signature, which is the last part of the token. */
function withAlteredSignature(url: string): string {
  const index = url.lastIndexOf(".") + 10;
  return `${url.slice(0, index)}${url[index] === "A" ? "B" : "A"}${url.slice(index + 1)}`;
}

const idempotency: Part = async ({ client }) => {
  const payments = new PaymentsClient({ ...client, idempotency: memoryStore() });
  const first = await payments.transactions.createPix(aPix("smoke-once"));
  const again = await payments.transactions.createPix(aPix("smoke-once")).withResponse();
  equal(again.data.id, first.id, "the id of a repeated call");
  equal(again.response.replayed, true, "whether a repeated call is replayed");
};

const sandbox: Part = async () => {
  const gateway = createGateway();
  const { baseUrl, secretKey, publicKey } = gateway;
  const payments = new PaymentsClient({
    ...{ baseUrl, secretKey, publicKey },
    fetch: gateway.fetch,
    dangerouslyAllowBrowser: true, // its keys are only valid in this gateway
  });
  const { id } = await payments.transactions.createPix(aPix("smoke-gateway"));
  equal(gateway.pay(id).status, "approved", "the status of a paid pix");
  equal(gateway.chargesFor("smoke-gateway").length, 1, "the charges of one create call");
  gateway.close();
};

/** Parts that every runtime supports. */
export const EVERYWHERE = { "payments-sdk": client, browser, postbacks, idempotency, sandbox };
