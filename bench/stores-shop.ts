// The shop that the benchmark of the stores runs: create calls and postbacks, with the build of this package.
import { PaymentsClient } from "payments-sdk";
import type { PaymentsStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner } from "payments-sdk/postbacks";

export interface BenchOptions {
  /** Filled rows, in increasing order. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Orders in a round. */
  readonly calls: number;
  readonly log: (step: string) => void;
}

/** A line of the table. A cell has one figure for each number of filled rows. */
export interface Row {
  readonly label: string;
  /** At most, unless it says otherwise. */
  readonly goal: string;
  readonly byHand: string;
  /** With default options. */
  readonly store: string;
  /** With `commits: true, prepare: true`; beside named statements. */
  readonly withOptions: string;
}

/** What the service does with a create request: it creates a pix, refuses the request, or fails without a result. */
export type Kind = "pending" | "refused" | "lost";

/** What the contenders do. Each order has a number. */
export interface Shop {
  create(order: number, options?: { kind?: Kind; hasPicture?: boolean }): Promise<void>;
  /** Receives the postback that the order is paid, and ships it. */
  receive(order: number): Promise<void>;
  close(): Promise<void>;
}

/** Both have the same length for every order, so that a row can be copied by replacing them. */
export const referenceOf = (order: number) => `order-${String(order).padStart(9, "0")}`;
export const transactionIdOf = (order: number) => 4_000_000_000 + order;

/** Unresolved ones of the filled orders; one more is the template. */
export const UNRESOLVED = 99;

/** Orders of which copies are made: paid, refused, and unresolved. */
export const TEMPLATES = {
  paid: 999_999_991,
  free: 999_999_993,
  unresolved: 999_999_994,
};

export async function createTemplates(shop: Shop): Promise<void> {
  await shop.create(TEMPLATES.paid);
  await shop.receive(TEMPLATES.paid);
  await shop.create(TEMPLATES.free, { kind: "refused" });
  await shop.create(TEMPLATES.unresolved, { kind: "lost" });
}

export const AMOUNT = 14_390;
const CUSTOMER = {
  name: "Maria Exemplo",
  email: "maria@loja.example",
  phone: "11999990000",
  document: { type: "cpf", number: "52998224725" },
} as const;
const CODE = `00020101021226830014br.gov.bcb.pix2561pix.acme.example/qr/v2/${"9d36b84f".repeat(4)}5204000053039865406143.905802BR5913LOJA EXEMPLO6009SAO PAULO62070503***6304ABCD`;
/** 8 kB, which do not compress. */
const PICTURE = `data:image/png;base64,${randomBase64(6_000)}`;

function randomBase64(bytes: number): string {
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    crypto.getRandomValues(new Uint8Array(bytes)),
  ]).toString("base64");
}

/** The transaction in the response of the service. */
export function aTransaction(order: number, hasPicture: boolean) {
  return {
    id: transactionIdOf(order),
    amount: AMOUNT,
    companyId: 7,
    paidAmount: 0,
    refundedAmount: 0,
    paymentMethod: "pix",
    installments: 1,
    status: "pending",
    metadata: '{"cart":"c-2026-11-20-7731","channel":"web"}',
    acquirerType: "acme",
    secureId: crypto.randomUUID(),
    secureUrl: `https://pay.example/checkout/${crypto.randomUUID()}`,
    externalId: referenceOf(order),
    customer: CUSTOMER,
    traceable: false,
    fees: 99,
    postBackUrl: "https://loja.example/postbacks/orders",
    createdAt: new Date().toISOString(),
    pix: { qrcodeText: CODE, ...(hasPicture && { qrcode: PICTURE }), expirationDate: "2026-12-20" },
  };
}

const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "a secret of the benchmark, 32 bytes" }] });

async function aPostback(order: number) {
  const signed = { externalRef: referenceOf(order), amount: AMOUNT };
  const url = await signer.sign("https://loja.example/postbacks/orders", signed);
  const transactionDate = new Date().toISOString();
  const body = { id: transactionIdOf(order), status: "approved", ...signed, transactionDate };
  return { url, body: JSON.stringify(body) };
}

/** Creates transactions with a service in this process. */
function openClient(store: PaymentsStore): Shop["create"] {
  const expected = new Map<string, { order: number; kind: Kind; hasPicture: boolean }>();
  const fetch = async (_url: unknown, init?: { body?: unknown }): Promise<Response> => {
    const { externalRef } = JSON.parse(await new Response(init?.body as string).text());
    const { order = 0, kind = "lost", hasPicture = false } = expected.get(externalRef) ?? {};
    expected.delete(externalRef);
    if (kind === "lost") return Response.json({ success: false, message: "unavailable" }, { status: 503 });
    if (kind === "refused") return Response.json({ success: false, message: "invalid" }, { status: 422 });
    const data = aTransaction(order, hasPicture);
    return Response.json({ success: true, message: "created", status: 201, data }, { status: 201 });
  };
  const payments = new PaymentsClient({
    baseUrl: "https://api.example",
    publicKey: "pk_bench_1a2b3c4d5e6f",
    secretKey: "sk_bench_9f8e7d6c5b4a",
    fetch: fetch as typeof globalThis.fetch,
    idempotency: store,
  });
  return async (order, { kind = "pending", hasPicture = false } = {}) => {
    const externalRef = referenceOf(order);
    expected.set(externalRef, { order, kind, hasPicture });
    const params = { amount: AMOUNT, customer: CUSTOMER, externalRef };
    const outcome = await payments.transactions.createPix(params).then(
      () => "created",
      (error) => error.outcome,
    );
    if (outcome !== { pending: "created", refused: "rejected", lost: "unknown" }[kind])
      throw new Error(`${externalRef} is ${outcome}, not ${kind}.`);
  };
}

/** A shop with the SDK. */
export function openShop(store: PaymentsStore): Shop {
  let shipped = 0;
  const onPaid = () => {
    shipped += 1;
  };
  const handler = createPostbackHandler({ signer, store, onPaid, onReview: () => undefined });
  return {
    create: openClient(store),
    async receive(order) {
      const { url, body } = await aPostback(order);
      const before = shipped;
      const { status } = await handler.fetch(new Request(url, { method: "POST", body }));
      if (status !== 200 || shipped === before) throw new Error(`The handler returned ${status}.`);
    },
    close: async () => handler[Symbol.asyncDispose](),
  };
}

/** Runs a task for each number from `first` on, some at a time. */
export async function forEachOrder(
  { first, count, inFlight }: { first: number; count: number; inFlight: number },
  task: (order: number) => Promise<void>,
): Promise<void> {
  let next = first;
  const work = async () => {
    while (next < first + count) await task(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, work));
}
