import { createHmac } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner, parsePostback } from "payments-sdk/postbacks";
import type { Reading } from "./contender.ts";

/** Somebody who takes a postback. */
export interface Contender {
  readonly name: string;
  /** Makes what so many calls take, before they are measured. */
  readonly prepare?: (calls: number) => Promise<void>;
  /** Takes one; gives or resolves with the id of the transaction, or with what the sender is answered. */
  readonly take: () => unknown;
}

export const BASELINE = "JSON.parse";

const SECRET = "a secret of the benchmark, 32 bytes";
const ORDER = { externalRef: "order-77", amount: 10_000 };
const URL_OF_SHOP = "https://shop.example.com/postbacks";
const PEERS = join(import.meta.dirname, "..", "peers");
const OTHERS = [
  { name: "stripe, constructEvent", file: "webhook-stripe", needs: "stripe" },
  { name: "standardwebhooks, verify", file: "webhook-standardwebhooks", needs: "standardwebhooks" },
];

/** All contenders whose packages are there; `alone` leaves the others' out. */
export async function contendersHere(alone: boolean): Promise<readonly Contender[]> {
  const text = textOf(81_001);
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: SECRET }] });
  const url = await signer.sign(URL_OF_SHOP, ORDER);
  const postback = parsePostback(text);
  return [
    { name: BASELINE, take: () => JSON.parse(text).id },
    { name: "parsePostback", take: () => parsePostback(text).id },
    {
      name: "node:crypto HMAC of the body",
      take: () => createHmac("sha256", SECRET).update(text).digest("hex"),
    },
    { name: "signer.verify", take: () => signer.verify(url, postback) },
    { name: "new Request, text, new Response", take: () => platformAlone(url, text) },
    handlingNew(signer),
    handlingKnown(signer, url),
    ...(alone ? [] : await othersHere(text)),
  ];
}

async function othersHere(text: string): Promise<Contender[]> {
  const here = OTHERS.filter(({ needs }) => existsSync(join(PEERS, "node_modules", needs)));
  return Promise.all(
    here.map(async ({ name, file }) => {
      const { reading }: { reading: Reading } = await import(join(PEERS, `${file}.ts`));
      return { name, take: reading(text, SECRET) };
    }),
  );
}

/** What the platform's own objects cost, which a framework makes in any case. */
async function platformAlone(url: string, body: string): Promise<number> {
  const text = await new Request(url, { method: "POST", body }).text();
  return new Response(text, { status: 200, headers: { "content-type": "application/json" } }).status;
}

/** Each is of an order of its own, and handled. */
function handlingNew(signer: PostbackUrlSigner): Contender {
  const handle = handlerBy(signer);
  let orders = 0;
  let postbacks: (readonly [url: string, text: string])[] = [];
  const signed = async () => {
    orders += 1;
    const order = { ...ORDER, externalRef: `order-${orders}` };
    return [await signer.sign(URL_OF_SHOP, order), textOf(81_001 + orders, order)] as const;
  };
  return {
    name: "handler.fetch, a new postback",
    prepare: async (calls) => {
      postbacks = await Promise.all(Array.from({ length: calls }, signed));
    },
    take: () => {
      const [url = "", text = ""] = postbacks.pop() ?? [];
      return handle(url, text);
    },
  };
}

/** All but the first are told that it was handled before. */
function handlingKnown(signer: PostbackUrlSigner, url: string): Contender {
  const handle = handlerBy(signer);
  const text = textOf(81_001);
  return { name: "handler.fetch, one that it knows", take: () => handle(url, text) };
}

function handlerBy(signer: PostbackUrlSigner): (url: string, body: string) => Promise<number> {
  const handler = createPostbackHandler({ signer, store: memoryStore(), onPostback: () => undefined });
  return async (url, body) => {
    const { status } = await handler.fetch(new Request(url, { method: "POST", body }));
    if (status !== 200) throw new Error(`The handler answered ${status}.`);
    return status;
  };
}

function textOf(id: number, order = ORDER): string {
  return JSON.stringify({ id, status: "approved", ...order, transactionDate: "2026-03-01T12:31:00.000Z" });
}
