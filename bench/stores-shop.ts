// The shop that the benchmark of the stores runs: create calls and postbacks, with any build of the package.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { HandlerStore } from "payments-sdk/postbacks";

/** The entries of the package that the benchmark uses. */
export type Build = typeof import("payments-sdk") &
  typeof import("payments-sdk/postbacks") &
  typeof import("payments-sdk/idempotency");
export type Store = ReturnType<Build["postgresStore"]> | ReturnType<Build["redisStore"]>;

/** @param folder - Of a checkout that was built. */
export async function loadBuild(folder: string): Promise<Build> {
  const load = (entry: string) => import(pathToFileURL(join(folder, "dist", `${entry}.js`)).href);
  return Object.assign({}, ...(await Promise.all(["index", "postbacks", "idempotency"].map(load))));
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

/** Orders of which copies are made: paid, with a code, refused, and unresolved. */
export const TEMPLATES = {
  paid: 999_999_991,
  pending: 999_999_992,
  free: 999_999_993,
  unresolved: 999_999_994,
};

export async function createTemplates(shop: Shop): Promise<void> {
  await shop.create(TEMPLATES.paid);
  await shop.receive(TEMPLATES.paid);
  await shop.create(TEMPLATES.pending);
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

export async function aPostback(build: Build, order: number) {
  const signed = { externalRef: referenceOf(order), amount: AMOUNT };
  const { id, status, transactionDate } = {
    id: transactionIdOf(order),
    status: "approved",
    transactionDate: new Date().toISOString(),
  };
  const url = await toSigner(build).sign("https://loja.example/postbacks/orders", signed);
  return { url, body: JSON.stringify({ id, status, ...signed, transactionDate }) };
}

const toSigner = (build: Build) =>
  new build.PostbackUrlSigner({ keys: [{ kid: "1", secret: "a secret of the benchmark, 32 bytes" }] });

/** Milliseconds until the service responds. */
type ServiceOptions = { readonly respondAfterMs?: number };

/** A client of the build that is measured, with a service in this process. */
export function openClient(build: Build, store: Store, { respondAfterMs = 0 }: ServiceOptions = {}) {
  const expected = new Map<string, { order: number; kind: Kind; hasPicture: boolean }>();
  const fetch = async (_input: unknown, init?: { body?: unknown }): Promise<Response> => {
    const sent =
      typeof _input === "object" && _input instanceof Request ? _input : new Response(init?.body as string);
    const { externalRef } = JSON.parse(await sent.text());
    if (respondAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, respondAfterMs));
    const { order = 0, kind = "lost", hasPicture = false } = expected.get(externalRef) ?? {};
    expected.delete(externalRef);
    if (kind === "lost") return Response.json({ success: false, message: "unavailable" }, { status: 503 });
    if (kind === "refused") return Response.json({ success: false, message: "invalid" }, { status: 422 });
    const data = aTransaction(order, hasPicture);
    return Response.json({ success: true, message: "created", status: 201, data }, { status: 201 });
  };
  const payments = new build.PaymentsClient({
    baseUrl: "https://api.example",
    publicKey: "pk_bench_1a2b3c4d5e6f",
    secretKey: "sk_bench_9f8e7d6c5b4a",
    fetch: fetch as typeof globalThis.fetch,
    idempotency: store,
  });
  return {
    payments,
    create: async (
      order: number,
      { kind = "pending", hasPicture = false }: { kind?: Kind; hasPicture?: boolean } = {},
    ) => {
      const externalRef = referenceOf(order);
      expected.set(externalRef, { order, kind, hasPicture });
      const params = { amount: AMOUNT, customer: CUSTOMER, externalRef };
      const creating = payments.transactions.createPix(params).then(
        () => "created",
        (error) => error.outcome,
      );
      const outcome = await creating;
      if (outcome !== { pending: "created", refused: "rejected", lost: "unknown" }[kind])
        throw new Error(`${externalRef} is ${outcome}, not ${kind}.`);
    },
  };
}

export function openHandler(build: Build, store: HandlerStore, onPaid: () => void) {
  return build.createPostbackHandler({ signer: toSigner(build), store, onPaid, onReview: () => undefined });
}

/** A shop with the build that is measured. */
export function openShop(build: Build, store: Store): Shop {
  let shipped = 0;
  const handler = openHandler(build, store, () => {
    shipped += 1;
  });
  return {
    create: openClient(build, store).create,
    async receive(order) {
      const { url, body } = await aPostback(build, order);
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

/** The median time of some runs, in milliseconds. Stops early if they take long. */
export async function timed(runs: number, run: () => Promise<void>): Promise<number> {
  const took: number[] = [];
  const end = performance.now() + 10_000;
  while (took.length < runs && (took.length === 0 || performance.now() < end)) {
    const start = performance.now();
    await run();
    took.push(performance.now() - start);
  }
  return took.toSorted((one, other) => one - other)[Math.floor(took.length / 2)] ?? Number.NaN;
}

export const showMs = (ms: number) => `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;

export async function countOf(list: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of list) count += 1;
  return count;
}
