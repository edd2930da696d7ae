import { CardTokenizer, type FetchLike } from "payments-sdk";
import { PUBLIC_KEY, SECRET_KEY } from "../support/keys.ts";
import { anOrder } from "../support/orders.ts";

export const METHODS = ["card", "pix"] as const;
export type Method = (typeof METHODS)[number];

/** What a sandbox is filled with: few pix, because drawing their pictures takes a while. */
export const FILLING: readonly Method[] = [...Array<Method>(9).fill("card"), "pix"];

/** Posts a body to a path of the service, and gives what is answered. */
export type Post = (path: string, headers: Readonly<Record<string, string>>, body: string) => Promise<string>;

const PATH = "/api/v1/transactions";
const KEYS = Buffer.from(`${SECRET_KEY}:${PUBLIC_KEY}`).toString("base64");
const HEADERS = { authorization: `Basic ${KEYS}`, "content-type": "application/json" };

/** Creates payments in a sandbox, each with a reference of its own. */
export class Buyer {
  readonly #post: Post;
  readonly #hash: string;
  #orders = 0;

  constructor(post: Post, hash: string) {
    this.#post = post;
    this.#hash = hash;
  }

  /** @throws {Error} where one is not created. */
  async createMany(methods: readonly Method[], count: number, atATime: number): Promise<void> {
    let begun = 0;
    const lane = async () => {
      while (begun < count) {
        begun += 1;
        await this.#create(methods[begun % methods.length] ?? "card");
      }
    };
    await Promise.all(Array.from({ length: atATime }, lane));
  }

  async #create(method: Method): Promise<void> {
    this.#orders += 1;
    const answer = await this.#post(PATH, HEADERS, JSON.stringify(this.#order(method)));
    if (JSON.parse(answer).success !== true) throw new Error(`The sandbox refused: ${answer}`);
  }

  /** As it is on the wire. */
  #order(method: Method): object {
    const order = anOrder(method === "pix" ? "pix8" : "card", this.#orders);
    const metadata = JSON.stringify(order.metadata);
    return method === "pix"
      ? { ...order, metadata }
      : { ...order, metadata, installments: "3", card: { hash: this.#hash } };
  }
}

/** A token that is approved; it lives for five minutes and may be used again. */
export async function tokenAt(baseUrl: string, fetch?: FetchLike): Promise<string> {
  const tokenizer = new CardTokenizer({ baseUrl, publicKey: PUBLIC_KEY, fetch });
  const token = await tokenizer.tokenize({
    number: "4111111111111111",
    holderName: "MARIA EXEMPLO",
    expirationMonth: 12,
    expirationYear: 2040,
    cvv: "123",
  });
  return token.value;
}
