import { PaymentsClient } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import {
  checkTransition,
  createPostbackHandler,
  PostbackUrlSigner,
  type TransactionStatus,
} from "payments-sdk/postbacks";
import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test, vi } from "vitest";
import { aPix } from "../support/merchant.ts";
import { pageOf } from "./support/documented-site.ts";
import { tableOf } from "./support/documented-tables.ts";

const ORDER = { externalRef: "order-1", amount: 1990 };
const BODY = JSON.stringify({ id: 7, status: "approved", ...ORDER });
const signer = new PostbackUrlSigner({
  keys: [{ kid: "1", secret: "a secret of the tests, which is long enough" }],
});
const url = await signer.sign("https://shop.example.com/postbacks", ORDER);

/** A handler, what it ran, and a way to post to it. */
function open(options: object = {}) {
  const onPostback = vi.fn<() => unknown>();
  const handler = createPostbackHandler({
    signer,
    onPostback,
    onEvent: () => undefined,
    maxBytes: 1_000,
    timeout: 50,
    ...options,
  });
  const send = (init: RequestInit = { body: BODY }, to = url) =>
    handler.fetch(new Request(to, { method: "POST", duplex: "half", ...init } as RequestInit));
  return { onPostback, send };
}

/** What happens in each row of the table, by the row's first cell; how often onPostback ran before is left out. */
const REQUESTS: Readonly<Record<string, () => Promise<{ response: Response; ran: boolean }>>> = {
  "a postback": () => sending(open()),
  "the same again": async () => {
    const opened = open();
    await opened.send();
    return sending(opened);
  },
  "the same while it is being handled": async () => {
    const opened = open();
    opened.onPostback.mockReturnValue(new Promise(() => undefined));
    void opened.send();
    await vi.waitFor(() => expect(opened.onPostback).toHaveBeenCalled());
    return sending(opened);
  },
  "more than 100 of one order at once": async () => {
    const opened = open();
    opened.onPostback.mockReturnValue(new Promise(() => undefined));
    for (let id = 1; id <= 100; id += 1)
      void opened.send({ body: JSON.stringify({ ...JSON.parse(BODY), id }) });
    await vi.waitFor(() => expect(opened.onPostback).toHaveBeenCalledTimes(100));
    return sending(opened, { body: JSON.stringify({ ...JSON.parse(BODY), id: 101 }) });
  },
  "a postback, and onPostback throws": () => {
    const opened = open();
    opened.onPostback.mockRejectedValue(new Error("no"));
    return sending(opened);
  },
  "an unreadable body, or one of another shape": () => sending(open(), { body: "<html>" }),
  "no valid signature for its order": () => sending(open(), undefined, "https://shop.example.com/postbacks"),
  "GET, HEAD or any other method": () => sending(open(), { method: "HEAD" }),
  "a body that takes longer than timeout (10 seconds)": () => sending(open(), { body: new ReadableStream() }),
  "a body above maxBytes (64 kB)": () => sending(open(), { body: "x".repeat(1_001) }),
  "a postback while the store is down": () => {
    const claimPostback = () => Promise.reject(new Error("down"));
    return sending(open({ store: Object.assign(memoryStore(), { claimPostback }) }));
  },
};

async function sending({ onPostback, send }: ReturnType<typeof open>, init?: RequestInit, to?: string) {
  const before = onPostback.mock.calls.length;
  const response = await send(init, to);
  return { response, ran: onPostback.mock.calls.length > before };
}

describe("what the handler answers", () => {
  const rows = tableOf("postbacks.md", "What the handler answers");

  test("the table has every row that is tried here", () => {
    expect(rows.map(([request]) => request)).toEqual(Object.keys(REQUESTS));
  });

  test.each(rows)("%s: %s, onPostback %s", async (request = "", answer = "", ran = "") => {
    const { response, ran: hasRun } = (await REQUESTS[request]?.()) ?? {};
    const [, status, word = "", retryAfter] = /^(\d{3}) (\w+)(, Retry-After)?$/.exec(answer) ?? [];

    expect(response?.status).toBe(Number(status));
    expect(Object.values((await response?.json()) as object)).toContain(word);
    expect(response?.headers.has("retry-after")).toBe(retryAfter !== undefined);
    expect(hasRun).toBe(!ran.startsWith("did not run"));
  });
});

describe("late, twice, out of order", () => {
  const section = pageOf("postbacks.md").split("## Late, twice, out of order\n")[1] ?? "";
  const [, ...columns] = (/^\| from \\ to (\|.+)\|$/m.exec(section)?.[1] ?? "")
    .split("|")
    .map((cell) => cell.trim());
  const rows = tableOf("postbacks.md", "Late, twice, out of order");

  test("the table has every status", () => {
    expect(rows.map(([from]) => from)).toEqual(columns);
    expect(columns).toHaveLength(8);
  });

  test.each(rows)("%s", (from, ...cells) => {
    const transitions = columns.map((to) =>
      checkTransition(from as TransactionStatus, to as TransactionStatus),
    );

    expect(cells).toEqual(transitions);
  });

  test("the moves that the specification states are bold, and no others", () => {
    const bold = section
      .split("\n")
      .flatMap((line) =>
        line
          .split("|")
          .flatMap((cell, at) =>
            cell.includes("**") ? [[line.split("|")[1]?.trim(), columns[at - 2]]] : [],
          ),
      );

    expect(bold).toEqual([
      ["pending", "approved"],
      ["pending", "expired"],
    ]);
  });
});

test("a postback to a URL that was signed with a key that is taken out gets a 401", async () => {
  const after = new PostbackUrlSigner({
    keys: [{ kid: "2", secret: "another secret of the tests, as long" }],
  });
  const { onPostback, send } = open({ signer: after });

  const { status } = await send();

  expect(status).toBe(401);
  expect(onPostback).not.toHaveBeenCalled();
});

describe("a pix that was paid, and whose postback never came", () => {
  /** A pix that is paid while nobody listens. */
  async function openUnheard() {
    const store = memoryStore();
    const { onPostback, send } = open({ store });
    const { baseUrl, secretKey, publicKey, fetch } = createGateway();
    const payments = new PaymentsClient({
      ...{ baseUrl, secretKey, publicKey, fetch, idempotency: store },
      onEvent: () => undefined,
    });
    const create = () => payments.transactions.createPix(aPix());
    const { id } = await create();
    return { store, create, id, onPostback, send };
  }

  test("is not listed as unresolved, and a repeat gives it as pending", async () => {
    const { store, create, id } = await openUnheard();

    const listed: object[] = [];
    for await (const order of store.unresolved()) listed.push(order);
    const again = await create();

    expect(listed).toEqual([]);
    expect([again.id, again.status]).toEqual([id, "pending"]);
  });

  test.each([
    ["approved", "approved", true],
    ["expired", "pending", false], // a new code
  ] as const)("is %s once a person has said so, and a repeat is then %s", async (status, then, isSame) => {
    const { store, create, id } = await openUnheard();

    await store.resolve("order-1", { transactionId: id, status });
    const again = await create();

    expect([again.status, again.id === id]).toEqual([then, isSame]);
  });

  test("still runs onPostback where the postback comes after all", async () => {
    const { store, create, id, onPostback, send } = await openUnheard();
    await store.resolve("order-1", { transactionId: id, status: "approved" });

    await send({ body: JSON.stringify({ id, status: "approved", ...ORDER }) });

    expect(onPostback).toHaveBeenCalledTimes(1);
    expect((await create()).status).toBe("approved");
  });
});

test("every reason of a refusal is explained", () => {
  const reasons = tableOf("postbacks.md", "What a signed URL proves").map(([reason]) => reason);

  expect(reasons).toEqual([
    "missing_signature",
    "bad_signature",
    "expired",
    "other_order",
    "other_purpose",
    "no_reference",
  ]);
});
