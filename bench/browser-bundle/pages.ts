/** What a page loads to turn a card into a token. */
export interface Page {
  readonly name: string;
  /** What the page's own code imports and calls; a bundler takes the rest out. */
  readonly code: string;
  readonly among: "ours" | "peers";
  /** The package that must be there. */
  readonly needs: string;
  /** What more the page loads, from elsewhere. */
  readonly elsewhere: string;
}

export const OURS = "payments-sdk/browser, whole";
const NOTHING = "nothing";

export const PAGES: readonly Page[] = [
  {
    name: OURS,
    code: 'export * from "payments-sdk/browser";',
    among: "ours",
    needs: "payments-sdk",
    elsewhere: NOTHING,
  },
  {
    name: "payments-sdk/browser, CardTokenizer alone",
    code: `import { CardTokenizer } from "payments-sdk/browser";
      const tokenizer = new CardTokenizer({ baseUrl: "https://pay.example", publicKey: "pk_1" });
      export const tokenize = (card) => tokenizer.tokenize(card);`,
    among: "ours",
    needs: "payments-sdk",
    elsewhere: NOTHING,
  },
  {
    name: "a hand-written fetch",
    code: `export async function tokenize(card) {
        const headers = { "content-type": "application/json", authorization: "Bearer pk_1" };
        const body = JSON.stringify(card);
        const response = await fetch("https://pay.example/tokens", { method: "POST", headers, body });
        if (!response.ok) throw new Error("The card was not tokenized: " + response.status);
        return response.text();
      }`,
    among: "ours",
    needs: "payments-sdk",
    elsewhere: NOTHING,
  },
  {
    name: "ky",
    code: `import ky from "ky";
      export const tokenize = (json) => ky.post("https://pay.example/tokens", { json }).text();`,
    among: "ours",
    needs: "ky",
    elsewhere: NOTHING,
  },
  {
    name: "@stripe/stripe-js",
    code: `import { loadStripe } from "@stripe/stripe-js";
      export const tokenize = async (element) => (await loadStripe("pk_1")).createToken(element);`,
    among: "peers",
    needs: "@stripe/stripe-js",
    elsewhere: "Stripe.js, which does the work",
  },
  {
    name: "@mercadopago/sdk-js",
    code: `import { loadMercadoPago } from "@mercadopago/sdk-js";
      export const tokenize = async (card) => {
        await loadMercadoPago();
        return new window.MercadoPago("pk_1").createCardToken(card);
      };`,
    among: "peers",
    needs: "@mercadopago/sdk-js",
    elsewhere: "MercadoPago.js, which does the work",
  },
  {
    name: "braintree-web, client",
    code: `import client from "braintree-web/client";
      export const tokenize = async (data) => (await client.create({ authorization: "key" }))
        .request({ endpoint: "payment_methods/credit_cards", method: "post", data });`,
    among: "peers",
    needs: "braintree-web",
    elsewhere: NOTHING,
  },
  {
    name: "braintree-web, client and hosted fields",
    code: `import client from "braintree-web/client";
      import hostedFields from "braintree-web/hosted-fields";
      export const tokenize = async (fields) => {
        const made = await client.create({ authorization: "key" });
        return (await hostedFields.create({ client: made, fields })).tokenize();
      };`,
    among: "peers",
    needs: "braintree-web",
    elsewhere: "the frames of the fields",
  },
  {
    name: "@adyen/adyen-web, card",
    code: `import { AdyenCheckout, Card } from "@adyen/adyen-web";
      export const tokenize = async (element, onChange) =>
        new Card(await AdyenCheckout({ clientKey: "key", environment: "test" }), { onChange }).mount(element);`,
    among: "peers",
    needs: "@adyen/adyen-web",
    elsewhere: "its style sheet, the frames of the fields",
  },
  {
    name: "pagarme, card hash",
    code: `import pagarme from "pagarme/browser";
      export const tokenize = async (card) =>
        (await pagarme.client.connect({ encryption_key: "key" })).security.encrypt(card);`,
    among: "peers",
    needs: "pagarme",
    elsewhere: NOTHING,
  },
];
