import { CardToken, type PaymentsErrorCode } from "payments-sdk";
import { nodeTransport } from "payments-sdk/node";
import { PostbackUrlSigner, parsePostback } from "payments-sdk/postbacks";
import { occasionsOfAnswers } from "./error-answers.ts";
import { occasionsOfOrders } from "./error-orders.ts";
import {
  aCard,
  aCardPayment,
  aPix,
  closedPort,
  create,
  errorOf,
  type Occasion,
  silentPort,
} from "./error-scene.ts";

const SIGNER_KEY = { kid: "1", secret: "for this page only, never in a shop" };

/** Each of them is let happen when the page is made: what the page says of them is what they say. */
export const occasions: Readonly<Record<PaymentsErrorCode, readonly Occasion[]>> = {
  ...occasionsOfAnswers,
  ...occasionsOfOrders,
  configuration: [
    {
      when: "the keys are swapped",
      provoke: (scene) => errorOf(() => scene.client({ secretKey: scene.gateway.publicKey })),
    },
    {
      when: "`baseUrl` holds the prefix of the API",
      provoke: (scene) => errorOf(() => scene.client({ baseUrl: "https://api.example.com/api/v1" })),
    },
  ],
  invalid_request: [
    {
      when: "reais instead of cents",
      provoke: (scene) => errorOf(() => scene.client().transactions.createPix({ ...aPix, amount: 19.9 })),
    },
    {
      when: "a card without its number",
      provoke: (scene) => errorOf(() => scene.client().cardTokens.create({ ...aCard, number: "" })),
    },
  ],
  card_token_expired: [
    {
      when: "the buyer took longer than the token lives",
      provoke: (scene) => {
        const hash = new CardToken("a-token", new Date(0));
        return errorOf(() => scene.client().transactions.createCard({ ...aCardPayment, card: { hash } }));
      },
    },
  ],
  connection_failed: [
    {
      when: "the connection was refused",
      provoke: async (scene) => {
        const transport = nodeTransport();
        const baseUrl = `http://127.0.0.1:${await closedPort()}`;
        const error = await create(scene.client({ baseUrl, fetch: transport }));
        transport.close();
        return error;
      },
    },
    {
      when: "it broke off, or nobody can tell",
      provoke: (scene) => create(scene.broken("charged_then_reset")),
    },
  ],
  timed_out: [
    {
      when: "the request had left",
      provoke: (scene) => create(scene.broken("charged_then_stalled", { timeout: 50 })),
    },
    {
      when: "no connection stood yet, and `nodeTransport` proves it",
      provoke: async (scene) => {
        const transport = nodeTransport();
        const silent = await silentPort();
        const baseUrl = `https://127.0.0.1:${silent.port}`; // a handshake that nobody answers
        const error = await create(scene.client({ baseUrl, fetch: transport, timeout: 50 }));
        transport.close();
        await silent.close();
        return error;
      },
    },
  ],
  aborted: [
    {
      when: "`signal` was aborted before the request left",
      provoke: (scene) => {
        const signal = AbortSignal.abort();
        return errorOf(() => scene.client().transactions.createPix(aPix, { signal }));
      },
    },
    {
      when: "afterwards",
      provoke: (scene) => {
        const signal = AbortSignal.timeout(50);
        return errorOf(() => scene.broken("charged_then_stalled").transactions.createPix(aPix, { signal }));
      },
    },
  ],
  environment_mismatch: [
    {
      when: "`assertEnvironment` met another one",
      provoke: (scene) => errorOf(() => scene.client().status.assertEnvironment("production")),
    },
  ],
  invalid_postback: [
    { when: "a body of another shape", provoke: () => errorOf(() => parsePostback('{"id":4242}')) },
  ],
  untrusted_postback: [
    {
      when: "a postback to a URL without a signature",
      provoke: () => {
        const signer = new PostbackUrlSigner({ keys: [SIGNER_KEY] });
        return errorOf(() => signer.verify("https://shop.example.com/postbacks", aPix));
      },
    },
  ],
};
