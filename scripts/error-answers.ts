import { assertNotRefused } from "payments-sdk";
import { aCard, aCardPayment, create, errorOf, type Occasions } from "./error-scene.ts";

const SPEC_400 = {
  success: false,
  message: "Validation Error",
  errors: [{ field: "customer.document.number", message: "must be a valid CPF" }],
};

/** What answers of the service end a call with. */
export const occasionsOfAnswers = {
  validation_failed: [
    { when: "400 or 422", provoke: (scene) => create(scene.answering(400, SPEC_400)) },
    {
      when: "400 or 422 at tokenization",
      provoke: (scene) => {
        const body = { success: false, message: "Invalid card number" };
        return errorOf(() => scene.answering(400, body).cardTokens.create(aCard));
      },
    },
  ],
  authentication_failed: [
    { when: "401", provoke: (scene) => create(scene.client({ secretKey: "sk_of_another_account" })) },
  ],
  not_found: [
    { when: "404", provoke: (scene) => create(scene.answering(404, "")) },
    {
      when: "404 on a seller endpoint",
      provoke: (scene) => errorOf(() => scene.answering(404, "").sellers.list()),
    },
  ],
  rate_limited: [
    {
      when: "429",
      provoke: (scene) => create(scene.answering(429, "", { "retry-after": "30" })),
    },
  ],
  api_error: [
    {
      when: "403, 405, 411, 413 or 415",
      provoke: (scene) => create(scene.answering(403, { success: false, message: "Forbidden" })),
    },
    { when: "any other 4xx", provoke: (scene) => create(scene.answering(409, "")) },
    {
      when: "a 2xx with `success: false`",
      provoke: (scene) => create(scene.answering(200, { success: false, message: "Error" })),
    },
    {
      when: "the same, with the id of a transaction",
      provoke: (scene) =>
        create(scene.answering(200, { success: false, message: "Error", data: { id: 4242 } })),
    },
  ],
  server_error: [{ when: "5xx or 408", provoke: (scene) => create(scene.broken("charged_then_500")) }],
  redirected: [
    { when: "301, 307 or 308", provoke: (scene) => create(scene.broken("redirect_307")) },
    { when: "any other 3xx", provoke: (scene) => create(scene.answering(302, "")) },
  ],
  unexpected_response: [
    {
      when: "a 2xx without anything that can be read",
      provoke: (scene) => create(scene.answering(200, "")),
    },
    {
      when: "a 2xx that breaks off after the id",
      provoke: (scene) => create(scene.broken("truncated_json")),
    },
    {
      when: "a repeat of a payment whose answer was lost",
      provoke: async (scene) => {
        const client = scene.client({ idempotency: scene.store });
        scene.gateway.faults.add({ on: "transactions.create", kind: "truncated_json" });
        await create(client);
        return create(client);
      },
    },
  ],
  card_refused: [
    {
      when: "`assertNotRefused` got a declined card",
      provoke: async (scene) => {
        const client = scene.client();
        const hash = await client.cardTokens.create(aCard);
        const payment = await client.transactions.createCard({ ...aCardPayment, card: { hash } });
        return errorOf(() => assertNotRefused(payment));
      },
    },
  ],
} satisfies Occasions;
