import { PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { nodeTransport } from "payments-sdk/node";
import { createPostbackHandler } from "payments-sdk/postbacks";
import { createGateway } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { POSTBACK } from "./postbacks/support/signing.ts";

const baseUrl = "https://pay.example";
const openHandler = () => createPostbackHandler({ allowUnsigned: true, onPostback: () => undefined });

test("`await using` closes a sandbox and a store at the end of the block", async () => {
  const open = async () => {
    await using sandbox = await startSandbox();
    await using store = sqliteStore(":memory:");
    await store.get("order-1");
    return { url: sandbox.baseUrl, store };
  };

  const { url, store } = await open();

  await expect(fetch(url)).rejects.toThrow("fetch failed");
  await expect(store.get("order-1")).rejects.toThrow("closed");
});

test("`await using` closes a client and a postback handler at the end of the block", async () => {
  const open = async () => {
    await using payments = new PaymentsClient({ baseUrl });
    await using handler = openHandler();
    return { payments, handler };
  };

  const { payments, handler } = await open();

  await expect(payments.status.retrieve()).rejects.toMatchObject({ code: "aborted" });
  const body = JSON.stringify(POSTBACK);
  expect(await handler.fetch(new Request(baseUrl, { method: "POST", body }))).toMatchObject({ status: 503 });
});

test("disposing of a sandbox, a store, a transport or a gateway means to close it", async () => {
  const sandbox = await startSandbox();
  const [store, transport, gateway] = [sqliteStore(":memory:"), nodeTransport(), createGateway({ baseUrl })];
  onTestFinished(async () => {
    for (const resource of [sandbox, store, transport, gateway]) await resource.close();
  });

  expect(sandbox[Symbol.asyncDispose]).toBe(sandbox.close);
  for (const resource of [store, transport, gateway]) expect(resource[Symbol.dispose]).toBe(resource.close);
});

test("a SQLite store that is closed already can be closed again: `using` does not hide the error of the block", () => {
  const work = () => {
    using store = sqliteStore(":memory:");
    store.close();
    throw new Error("of the block");
  };

  expect(work).toThrow("of the block");
});

test("a gateway and a handler work in a browser or runtime that does not know `using`", async () => {
  const missing = { value: undefined };
  vi.stubGlobal("Symbol", Object.create(Symbol, { dispose: missing, asyncDispose: missing }));
  const resources = [createGateway({ baseUrl }), openHandler()];
  vi.unstubAllGlobals();

  for (const resource of resources) {
    expect(Object.keys(resource)).not.toContain("undefined");
    await resource.close();
  }
});
