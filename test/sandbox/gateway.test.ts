import { createGateway, type GatewayChange } from "payments-sdk/sandbox";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../support/running.ts";
import { receivedStatuses, startPosting } from "./support/postback-receiver.ts";
import { aCardPayment, aPix, basic, bodyOf, merchantOf, NOON } from "./support/wire.ts";

test.each([NOON, new Date(NOON)])(
  "the clock stays at %s until it is advanced, and never goes back",
  async (now) => {
    const gateway = createGateway({ now });
    gateway.clock.advance(1500);
    for (const ms of [-1, Number.NaN, 8.64e15]) expect(() => gateway.clock.advance(ms)).toThrow(RangeError);

    const { data } = await bodyOf(await merchantOf(gateway).create(aPix()));

    expect(gateway.clock.now()).toBe(NOON + 1500);
    expect(data.createdAt).toBe("2026-12-04T12:00:01.500Z");
  },
);

test("the same seed leads to the same bodies, and another seed to others", async () => {
  const bodyWith = async (seed: number) =>
    (await merchantOf(createGateway({ now: NOON, seed })).create(aPix())).text();

  const [body, same, other] = [await bodyWith(7), await bodyWith(7), await bodyWith(8)];

  expect(same).toBe(body);
  expect(other).not.toBe(body);
});

test("a pix that waits for its expiry does not keep the process alive", async () => {
  const program = `
    import { createGateway } from ${JSON.stringify(import.meta.resolve("../../src/sandbox.ts"))};
    const gateway = createGateway();
    const authorization = "Basic " + btoa(gateway.secretKey + ":" + gateway.publicKey);
    const headers = { authorization, "content-type": "application/json" };
    const body = ${JSON.stringify(JSON.stringify(aPix()))};
    const url = new URL("/api/v1/transactions", gateway.baseUrl);
    const { status } = await gateway.fetch(url, { method: "POST", headers, body });
    console.log(status);
  `;
  const child = run("node", ["--input-type=module", "--eval", program]);
  onTestFinished(child.kill);

  expect(await child.ended).toBe(0);
  expect(child.stdout()).toBe("201\n");
});

describe("options", () => {
  const EVENTS = ["approved", "refused", "refunded", "chargedback", "canceled"].map(
    (name) => `transaction.${name}`,
  );
  const BAD_EVENTS = `company.configuration.webhook.events must be a list of ${EVENTS.join(", ")}`;
  const BAD_LIMITS = "company.limits must be whole numbers of cents, the minimum not above the maximum";
  const BAD_TIME = "must be a whole number of milliseconds from 0 to 2147483647";
  const COMPONENTS = "gateway, database, tokenizer, notifications";
  const BAD_PATH =
    "sellersPath must be a path such as /api/v1/sellers, without a slash at its end, and of no other endpoint or page";

  test.each<[object, string]>([
    [{ pixfields: "guide" }, "pixfields is not an option"],
    [{ pixFields: "all" }, "pixFields must be guide or endpoint"],
    [{ services: { database: "slow" } }, "services.database must be online or degraded or offline"],
    [{ company: { settlement: { bank: { no: 1 } } } }, "company.settlement.bank.no is not an option"],
    [{ company: { limits: 5 } }, "company.limits must be an object"],
    [{ company: null }, "company must be an object"],
    [{ company: { status: "gone" } }, "company.status must be active or pending or suspended or inactive"],
    [{ company: { configuration: { webhook: { events: ["transaction.cancelled"] } } } }, BAD_EVENTS],
    [{ company: { limits: { transactionMinAmount: 10_000_001 } } }, BAD_LIMITS],
    [{ sellersPath: "/api/v1/company" }, BAD_PATH],
    [{ sellersPath: "/sandbox/sellers" }, BAD_PATH],
    [{ sellersPath: "/checkout/1" }, BAD_PATH],
    [{ sellersPath: "/a%2fb" }, BAD_PATH],
    [{ now: 8.64e15 }, "now must be a date or milliseconds, from 1970 to 9999"],
    [{ secretKey: "pk_swapped" }, "secretKey must start with sk_ and contain no colon or space"],
    [{ secretKey: "sk_a:b" }, "secretKey must start with sk_ and contain no colon or space"],
    [{ secretKey: "sk_ação" }, "secretKey must start with sk_ and contain no colon or space"], // Basic is ASCII
    [{ publicKey: "sk_swapped" }, "publicKey must start with pk_ and contain no colon or space"],
    [{ baseUrl: "sandbox.payments.test" }, "baseUrl must be an absolute http or https URL"],
    [{ seed: 1.5 }, "seed must be a whole number"],
    [{ suspendedPays: 0 }, "suspendedPays must be true or false"],
    [{ services: { queue: "online" } }, `services.queue is not a component; known: ${COMPONENTS}`],
    [{ sellersPath: "sellers" }, BAD_PATH],
    [{ sellersPath: "/sellers/" }, BAD_PATH],
    [{ sellersPath: "/a/../b" }, BAD_PATH],
    [{ now: new Date("never") }, "now must be a date or milliseconds, from 1970 to 9999"],
    [{ postbacks: { retry: 1 } }, "postbacks.retry is not an option"],
    [{ postbacks: { delayMs: -1 } }, `postbacks.delayMs ${BAD_TIME}`],
    [{ postbacks: { timeoutMs: 2 ** 31 } }, `postbacks.timeoutMs ${BAD_TIME}`],
    [{ postbacks: { retries: 101 } }, "postbacks.retries must be a whole number from 0 to 100"],
    [{ postbacks: { reorder: 1 } }, "postbacks.reorder must be true or false"],
    [{ postbacks: { fetch: "fetch" } }, "postbacks.fetch must be a function"],
  ])(
    "that are unknown or invalid are refused, without their value, which may be a key: %j",
    (options, message) => {
      expect(() => createGateway(options)).toThrow(new TypeError(`createGateway: ${message}.`));
    },
  );
});

describe("gateway.fetch works like fetch", () => {
  test("it needs no this, and accepts a Request, a URL or a string with any host name", async () => {
    const { fetch } = createGateway();
    const address = "https://evil.example/api/v1/status";

    const responses = await Promise.all([
      fetch(new Request(address)),
      fetch(new URL(address)),
      fetch(address),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("options replace only their part of a Request", async () => {
    const gateway = createGateway();
    const { baseUrl, secretKey, publicKey } = gateway;
    const headers = { ...basic(secretKey, publicKey), "content-type": "application/json" };
    const body = JSON.stringify(aPix());
    const request = new Request(`${baseUrl}/api/v1/transactions`, { method: "POST", headers, body });
    const given = new AbortController();

    const created = await gateway.fetch(request.clone(), { signal: given.signal });
    given.abort(new Error("given up"));
    const aborted = gateway.fetch(request.clone(), { signal: given.signal });
    const other = await gateway.fetch(request, { body: "{" });

    expect([created.status, other.status]).toEqual([201, 400]);
    await expect(aborted).rejects.toThrow("given up");
  });

  test("a call that is aborted in flight rejects, but may have charged; after that, it has no effect", async () => {
    const gateway = createGateway({ seed: 1 });
    const { baseUrl, secretKey, publicKey } = gateway;
    const controller = new AbortController();
    const headers = basic(secretKey, publicKey);
    const init = { method: "POST", headers, body: JSON.stringify(aPix()), signal: controller.signal };
    const send = () => gateway.fetch(`${baseUrl}/api/v1/transactions`, init);

    const call = send();
    controller.abort(new Error("given up"));

    await expect(call).rejects.toThrow("given up");
    await expect(send()).rejects.toThrow("given up");
    await vi.waitFor(() => expect(gateway.chargesFor("order-1")).toHaveLength(1), 10_000);
  });
});

test("transactions are created and listed in the order of the requests, and the list is a copy", async () => {
  const gateway = createGateway();
  const { create, token } = merchantOf(gateway);
  const hash = await token();
  const before = gateway.transactions;
  const created: number[] = [];
  gateway.subscribe((change) => change.type === "transaction" && created.push(change.transaction.id));

  const responses = await Promise.all([create(aPix()), create(aCardPayment(hash))]);

  const ids = await Promise.all(responses.map(async (response) => (await bodyOf(response)).data.id));
  expect(ids).toEqual([ids[0], ids[0] + 1]);
  expect([created, gateway.transactions.map(({ id }) => id)]).toEqual([ids, ids]);
  expect(before).toEqual([]);
});

test("a listener can make a move or throw, and the other listeners and the receiver still get all changes in order", async () => {
  const { receiver, gateway, pix } = await startPosting({ onCreation: true });
  const changes: string[] = [];
  const nameOf = (change: GatewayChange) =>
    change.type === "transaction" ? change.transaction.status : change.type;
  gateway.subscribe((change) => {
    if (change.type === "transaction" && change.transaction.status === "pending") {
      gateway.cancel(change.transaction.id);
    }
    throw new Error("error in a listener");
  });
  const unsubscribe = gateway.subscribe((change) => changes.push(nameOf(change)));

  await pix();
  const first = [...changes];
  await gateway.settled();
  unsubscribe();
  changes.length = 0;
  gateway.faults.clear();

  expect(first).toEqual(["request", "pending", "delivery", "cancelled", "delivery", "request"]);
  expect(receivedStatuses(receiver)).toEqual(["pending", "canceled"]);
  expect(changes).toEqual([]);
});
